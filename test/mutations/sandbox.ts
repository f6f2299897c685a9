import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Mutation } from './mutation.ts'

/** A test that ran, by its full name. */
export interface TestResult {
  readonly name: string
  readonly passed: boolean
}

/** A copy of the checkout in which faults are planted; the checkout itself is never touched. */
export class Sandbox {
  readonly #root: string

  constructor(checkout: string) {
    this.#root = mkdtempSync(join(tmpdir(), 'junqi-mutations-'))
    const files = execFileSync(
      'git',
      ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
      {
        cwd: checkout,
        encoding: 'utf8',
      },
    )
    for (const file of files.split('\0').filter((name) => name !== '')) {
      mkdirSync(dirname(join(this.#root, file)), { recursive: true })
      cpSync(join(checkout, file), join(this.#root, file))
    }
    linkModules(checkout, this.#root)
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true })
  }

  /** Plants the fault for as long as `run` takes. */
  async with<T>(mutation: Mutation, run: () => Promise<T>): Promise<T> {
    const path = join(this.#root, mutation.file)
    const source = readFileSync(path, 'utf8')
    if (source.split(mutation.find).length !== 2) {
      throw new Error(
        `${mutation.fault}: ${mutation.file} does not hold its text exactly once:\n${mutation.find}`,
      )
    }
    writeFileSync(
      path,
      source.replace(mutation.find, () => mutation.replace),
    )
    try {
      return await run()
    } finally {
      writeFileSync(path, source)
    }
  }

  build(): Promise<number> {
    return this.#run('node_modules/.bin/tsc', ['-b'])
  }

  /** Runs the tests of a file whose names hold `name`. */
  async test(file: string, name: string): Promise<readonly TestResult[]> {
    const report = join(this.#root, 'report.json')
    rmSync(report, { force: true })
    await this.#run('node_modules/.bin/vitest', [
      'run',
      file,
      '-t',
      `${name}(?![0-9])`,
      '--reporter=json',
      `--outputFile=${report}`,
    ])
    return resultsIn(readFileSync(report, 'utf8'))
  }

  #run(command: string, args: readonly string[]): Promise<number> {
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, { cwd: this.#root, stdio: 'ignore' })
      child.once('error', reject)
      child.once('exit', (code) => resolve(code ?? 1))
    })
  }
}

/** The packages of others are the checkout's; its own are the copy's. */
function linkModules(checkout: string, root: string): void {
  const modules = join(root, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(checkout, 'node_modules'))) {
    if (name !== '@junqi') symlinkSync(join(checkout, 'node_modules', name), join(modules, name))
  }
  mkdirSync(join(modules, '@junqi'))
  for (const name of readdirSync(join(root, 'packages'))) {
    symlinkSync(join(root, 'packages', name), join(modules, '@junqi', name))
  }
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

function resultsIn(json: string): readonly TestResult[] {
  const report: Report = JSON.parse(json)
  return report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed' || status === 'failed')
    .map(({ fullName, status }) => ({ name: fullName, passed: status === 'passed' }))
}
