import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { testWithWebSockets } from '../../../test/support/with-python.ts'
import { runCli } from './run-cli.ts'

const pathOf = (name: string): string =>
  fileURLToPath(new URL(`./clients/${name}`, import.meta.url))

testWithWebSockets('a client that copes with everything passes all checks', async (python) => {
  const { code, stdout } = await runCli([
    'conformance',
    '--client',
    `${python} ${pathOf('steady.py')}`,
  ])
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^(?:pass .*\n){11}11 of 11 checks passed\.\n$/),
  ])
})

const WRONG: readonly (readonly [check: string, sentence: RegExp])[] = [
  ['duplicates', /-> It was refused with wrong_phase \(submitFormation/],
  ['unknown', /-> It ended with code 1 before its time.*\n +\| what is a weatherChanged\?/],
  ['restart', /-> It came back at once; the reason of the close said after 300 ms\./],
  ['stale', /-> It ended with code 1 before its time/],
  ['missed', /-> It ended with code 1 before its time/],
]
for (const [check, sentence] of WRONG) {
  testWithWebSockets(`a client that does not cope fails: ${check}`, async (python) => {
    const command = `WRONG=${check} ${python} ${pathOf('steady.py')}`
    const { code, stdout } = await runCli(['conformance', '--client', command, '--only', check])
    expect([code, stdout]).toEqual([1, expect.stringMatching(sentence)])
  })
}

testWithWebSockets(
  'a turn that the kit itself lets run out is no silence of the client',
  async (python) => {
    const only = ['--only', 'stale', '--only', 'missed', '--patience', '3']
    const { code, stdout } = await runCli([
      'conformance',
      '--client',
      `${python} ${pathOf('steady.py')}`,
      ...only,
    ])
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 of 2 checks passed.')])
  },
)

test('a client that does nothing is given its time, and no more', async () => {
  const args = ['--client', 'sleep 600', '--only', 'duel', '--patience', '2']
  const { code, stdout } = await runCli(['conformance', ...args])
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/-> It made no guest: .*\(It did nothing for 2 seconds\.\)/),
  ])
})

test('the SDK copes with everything', async () => {
  const command = `${process.execPath} ${pathOf('sdk.mjs')}`
  const { code, stdout } = await runCli(['conformance', '--client', command])
  expect([code, stdout]).toEqual([0, expect.stringContaining('11 of 11 checks passed.')])
})
