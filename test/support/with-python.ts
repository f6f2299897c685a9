import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { test } from 'vitest'

const PYTHON = 'python3'
/** Its packages are for the Python of the distribution, which need not be the first in the path. */
const PYTHONS = [PYTHON, '/usr/bin/python3']

/** A test that runs a program in Python. Where there is none it is said what is left out, and in CI it is a failure. */
export function testWithPython(name: string, body: () => Promise<void>): void {
  const isThere = spawnSync(PYTHON, ['--version']).status === 0
  testWith(isThere ? PYTHON : null, PYTHON, [name, body])
}

/** The same for a program that imports `websockets`; the test is given the Python that has it. */
export function testWithWebSockets(name: string, body: (python: string) => Promise<void>): void {
  const imports = (python: string) => spawnSync(python, ['-c', 'import websockets']).status === 0
  testWith(PYTHONS.find(imports) ?? null, 'python3-websockets', [name, body])
}

type NamedTest = readonly [name: string, body: (python: string) => Promise<void>]

function testWith(python: string | null, needed: string, [name, body]: NamedTest): void {
  if (python !== null) return void test(name, () => body(python))
  const sentence = `There is no ${needed}, so this is left out: ${name}. Install the package ${needed}.`
  if (process.env.CI === 'true') {
    return void test(name, () => {
      throw new Error(sentence)
    })
  }
  process.stderr.write(`\n*** ${sentence}\n\n`)
  test.skip(name)
}

/** What a program writes to its standard output; what it writes to the other is an error. */
export function runPython(program: string, args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(PYTHON, ['-c', program, ...args], { encoding: 'utf8' })
  if (stderr !== '') throw new Error(stderr)
  return stdout
}

/** What a file of Python writes to its standard output, as it is run beside this process; it ends with 0 and without errors. */
export async function runPythonFile(
  python: string,
  file: string,
  args: readonly string[],
): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(python, [file, ...args])
  if (stderr !== '') throw new Error(stderr)
  return stdout
}
