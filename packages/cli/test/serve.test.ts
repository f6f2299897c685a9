import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const BIN = fileURLToPath(new URL('../bin/junqi.js', import.meta.url))

function junqi(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  })
  return { status, stderr }
}

test('junqi serve takes its settings from the environment, and refuses what it cannot use', () => {
  expect(junqi(['serve'], { JUNQI_STORE: 'lmbd' })).toEqual({
    status: 1,
    stderr: 'junqi: JUNQI_STORE="lmbd" cannot be used: write "lmdb" or "redis" or "memory".\n',
  })
})

test('junqi serve takes no arguments', () => {
  expect(junqi(['serve', '--port', '1']).status).toBe(2)
})
