// `npm run soak [-- --minutes N] [--redis]`: one hour over LMDB, or what is asked for.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { minutes, redis } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    redis: { type: 'boolean', default: false },
  },
}).values
const vitest = 'node_modules/vitest/vitest.mjs'
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--config', 'vitest.soak.config.ts', '--disable-console-intercept'],
  {
    stdio: 'inherit',
    env: { ...process.env, SOAK_MINUTES: minutes, SOAK_STORE: redis ? 'redis' : 'lmdb' },
  },
)
process.exitCode = status ?? 1
