import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { parseRetryHint } from '@junqi/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { failToStart, makeFolder, startProcess, stopProcesses } from '../support/server-process.ts'
import { eventually, makeGuest, TestClient } from '../support/test-app.ts'

afterEach(stopProcesses)

describe('a start that cannot be', () => {
  test.each([
    [
      'an unknown setting',
      { JUNQI_PROT: '1' },
      /^junqi: There is no setting JUNQI_PROT; did you mean JUNQI_PORT\?/,
    ],
    [
      'F-C5: a misspelt store',
      { JUNQI_STORE: 'lmbd' },
      /^junqi: JUNQI_STORE="lmbd" cannot be used: write "lmdb" or "redis" or "memory"\.\n$/,
    ],
    [
      'F-U1: a malformed origin',
      { JUNQI_ORIGINS: 'https://a.example/' },
      /^junqi: .* is no origin; write "https:\/\/a\.example"\.\n$/,
    ],
    [
      'an address of another machine',
      { JUNQI_HOST: '192.0.2.1' },
      /^junqi: The address 192\.0\.2\.1, port 0 is not on this machine/,
    ],
  ])('%s: one sentence, exit 1', async (_, env, sentence) => {
    const { code, stderr } = await failToStart({ JUNQI_DATA_DIR: makeFolder(), ...env })
    expect(stderr).toMatch(sentence)
    expect([code, stderr.split('\n').length]).toEqual([1, 2])
  })

  test.each(['JUNQI_PORT', 'JUNQI_ADMIN_PORT'])(
    'a %s in use: one sentence, exit 1',
    async (name) => {
      const other = createServer().listen(0, '127.0.0.1')
      await eventually(() => other.listening)
      const address = other.address()
      const port = typeof address === 'object' ? String(address?.port) : ''
      const { code, stderr } = await failToStart({ JUNQI_DATA_DIR: makeFolder(), [name]: port })
      other.close()
      expect(stderr).toBe(
        `junqi: The address 127.0.0.1, port ${port} is in use: stop the program that listens there, or set another port (0 takes a free one) (see ${name.replace('PORT', 'HOST')}, ${name}).\n`,
      )
      expect(code).toBe(1)
    },
  )

  test('a data folder that is a file: one sentence, exit 1', async () => {
    const file = join(makeFolder(), 'file')
    writeFileSync(file, '')
    const { code, stderr } = await failToStart({ JUNQI_DATA_DIR: file })
    expect(stderr).toMatch(/^junqi: The data folder .* is not a folder.*\n$/)
    expect(code).toBe(1)
  })

  test('a data folder that another server has: one sentence, exit 1', async () => {
    const folder = makeFolder()
    await startProcess({ JUNQI_DATA_DIR: folder })
    const { code, stderr } = await failToStart({ JUNQI_DATA_DIR: folder })
    expect(stderr).toMatch(/^junqi: The data folder .* is in use by another server.*\n$/)
    expect(code).toBe(1)
  })
})

describe('a stop', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'F-D1: at %s clients are sent away with 1012 and a hint, the exit is 0, and accounts are kept',
    async (signal) => {
      const JUNQI_DATA_DIR = makeFolder()
      const first = await startProcess({ JUNQI_DATA_DIR })
      const { id, token } = await makeGuest(first.url)
      const client = await TestClient.hello(first.url, token)
      first.child.kill(signal)
      const { code, reason } = await client.closed
      expect(code).toBe(1012)
      expect(parseRetryHint(reason)).toBeGreaterThan(0)
      expect(await first.exited).toBe(0)
      const second = await startProcess({ JUNQI_DATA_DIR })
      const again = await TestClient.hello(second.url, token)
      expect(await again.reply('hello')).toMatchObject({ player: { id } })
    },
  )

  test('F-D2: it ends although a client reads nothing and HTTP connections stay open', async () => {
    const server = await startProcess({ JUNQI_STORE: 'memory' })
    const { token } = await makeGuest(server.url)
    const client = await TestClient.hello(server.url, token)
    client.socket.pause()
    server.child.kill('SIGTERM')
    expect(await server.exited).toBe(0)
  })
})

test('the log is JSON lines, and names where it listens', async () => {
  const server = await startProcess({ JUNQI_STORE: 'memory' })
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect((await fetch(`${server.adminUrl}/metrics`)).status).toBe(200)
  server.child.kill('SIGTERM')
  await server.exited
  const lines = server
    .log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines[0]).toMatchObject({ msg: 'listening', url: server.url, store: 'memory' })
  expect(lines.at(-1)).toMatchObject({ msg: 'stopped' })
})
