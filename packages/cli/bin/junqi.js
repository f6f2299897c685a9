#!/usr/bin/env node
// Runs the built command; in a fresh checkout it builds first.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const dist = new URL('../dist/', import.meta.url)
/** The build writes this file last, even one that failed. */
const built = new URL('.tsbuildinfo', dist)

if (!existsSync(built)) {
  process.stderr.write('junqi: first run in this checkout, building ...\n')
  if (!build()) {
    // So that the next call builds again and runs nothing half built.
    rmSync(built, { force: true })
    process.stderr.write('junqi: the build failed; `npm ci && npm run build` shows why\n')
    process.exit(1)
  }
}

const { main } = await import(new URL('main.js', dist).href)
process.exitCode = await main(process.argv.slice(2), process)

function build() {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  try {
    const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
    const args = [join(typescript, 'bin', 'tsc'), '-b', root]
    return spawnSync(process.execPath, args, { stdio: ['ignore', 2, 2] }).status === 0
  } catch {
    return false
  }
}
