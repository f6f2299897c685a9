import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { runCli } from './run-cli.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

async function doctor(env: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'junqi-doctor-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const usual = { JUNQI_PORT: '0', JUNQI_DATA_DIR: folder, JUNQI_MAX_CONNECTIONS: '10' }
  for (const [name, value] of Object.entries({ ...usual, ...env })) vi.stubEnv(name, value)
  return runCli(['doctor'])
}

test('junqi doctor prints a line for each thing, and exit code 0 where nothing is wrong', async () => {
  const { code, stdout, stderr } = await doctor({})
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = stdout.trimEnd().split('\n')
  expect(lines.pop()).toBe('Nothing is wrong (7 checks).')
  for (const line of lines) expect(line).toMatch(/^ok {5}[^:]+: \S.*[^.]$/)
})

test('junqi doctor says what is doubtful and what to do, and that is no failure', async () => {
  const { code, stdout } = await doctor({ JUNQI_STORE: 'memory' })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^hm {5}store: .*\n {7}-> set JUNQI_STORE to lmdb or redis .*$/m)
})

test('junqi doctor says what is wrong and how to mend it, with exit code 1', async () => {
  const { code, stdout } = await doctor({
    JUNQI_HOST: '192.0.2.1',
    JUNQI_PORT: '18080',
    JUNQI_DATA_DIR: '/dev/null',
  })
  expect(code).toBe(1)
  expect(stdout).toMatch(/^WRONG {2}JUNQI_PORT 18080: .*\n {7}-> set an address that it has .*$/m)
  expect(stdout).toMatch(/^WRONG {2}data folder: \/dev\/null is not a folder\n {7}-> name a .*$/m)
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('2 things are wrong.')
})

test('F-C5: junqi doctor refuses what the server would refuse', async () => {
  const { code, stdout } = await doctor({ JUNQI_STORE: 'lmbd' })
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^WRONG {2}settings: JUNQI_STORE="lmbd" cannot be used: .*\n.*\n1 thing is wrong\.\n$/,
  )
})

test('junqi doctor takes no arguments', async () => {
  expect((await runCli(['doctor', '--fast'])).code).toBe(2)
})
