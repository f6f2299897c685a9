import { spawnSync } from 'node:child_process'
import { test } from 'vitest'

const PYTHON = 'python3'

/** A test that runs a program in Python. Where there is none it is said what is left out, and in CI it is a failure. */
export function testWithPython(name: string, body: () => Promise<void>): void {
  if (spawnSync(PYTHON, ['--version']).status === 0) return void test(name, body)
  const sentence = `There is no ${PYTHON}, so this is left out: ${name}. Install the package ${PYTHON}.`
  if (process.env.CI === 'true') {
    return void test(name, () => {
      throw new Error(sentence)
    })
  }
  process.stderr.write(`\n*** ${sentence}\n\n`)
  test.skip(name, body)
}

/** What a program writes to its standard output; what it writes to the other is an error. */
export function runPython(program: string, args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(PYTHON, ['-c', program, ...args], { encoding: 'utf8' })
  if (stderr !== '') throw new Error(stderr)
  return stdout
}
