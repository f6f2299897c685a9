import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const BIN = fileURLToPath(new URL('../bin/junqi.js', import.meta.url))
const TYPESCRIPT = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))

const checkout = mkdtempSync(join(tmpdir(), 'junqi-checkout-'))
afterAll(() => rmSync(checkout, { recursive: true }))

const write = (path: string, content: string | object): void => {
  mkdirSync(dirname(join(checkout, path)), { recursive: true })
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  writeFileSync(join(checkout, path), text)
}

/** Runs the command of a checkout in which `main.ts` is all that there is to build. */
function junqi() {
  const bin = join(checkout, 'packages/cli/bin/junqi.js')
  const { status, stderr } = spawnSync(process.execPath, [bin], { encoding: 'utf8' })
  return { status, builds: stderr.includes('building'), failed: stderr.includes('build failed') }
}

test('the first run builds, and after a build that failed the next one builds again', () => {
  write('package.json', { type: 'module' })
  write('tsconfig.json', { files: [], references: [{ path: 'packages/cli' }] })
  write('packages/cli/tsconfig.json', {
    compilerOptions: {
      composite: true,
      module: 'nodenext',
      target: 'es2023',
      types: [],
      rootDir: 'src',
      outDir: 'dist',
      tsBuildInfoFile: 'dist/.tsbuildinfo',
    },
    include: ['src'],
  })
  mkdirSync(join(checkout, 'packages/cli/bin'))
  mkdirSync(join(checkout, 'node_modules'))
  symlinkSync(TYPESCRIPT, join(checkout, 'node_modules/typescript'))
  copyFileSync(BIN, join(checkout, 'packages/cli/bin/junqi.js'))

  write('packages/cli/src/main.ts', "export const main = (): number => 'broken'")
  expect(junqi()).toEqual({ status: 1, builds: true, failed: true })
  expect(junqi()).toEqual({ status: 1, builds: true, failed: true })
  write('packages/cli/src/main.ts', 'export const main = (): number => 7')
  expect(junqi()).toEqual({ status: 7, builds: true, failed: false })
  expect(junqi()).toEqual({ status: 7, builds: false, failed: false })
})
