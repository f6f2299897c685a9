import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

/** A fault may keep an answer from coming for ever. */
const TEST_TIMEOUT_MS = 60_000
/** How long a program may take that a fault may have made endless. */
const PROGRAM_TIMEOUT_MS = 600_000

/** A test that ran. */
export interface TestResult {
  readonly file: string
  readonly name: string
  /** Why it failed, in one line; null: it passed. */
  readonly failure: string | null
}

/** A copy of the checkout in which faults are planted; the checkout itself is never touched. */
export class Sandbox {
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), 'junqi-mutations-')))

  constructor(checkout: string) {
    process.once('exit', () => this.remove())
    for (const file of filesOf(checkout)) {
      mkdirSync(dirname(join(this.#root, file)), { recursive: true })
      cpSync(join(checkout, file), join(this.#root, file))
    }
    // No fault is planted in the page, and a server does not start without it.
    const page = 'packages/web/dist'
    cpSync(join(checkout, page), join(this.#root, page), { recursive: true })
    linkModules(checkout, this.#root)
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true })
  }

  read(file: string): string {
    return readFileSync(join(this.#root, file), 'utf8')
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.#root, file), text)
  }

  /** Builds what tests run as processes. null: it is good; else the compiler's first complaint. */
  async build(): Promise<string | null> {
    const { code, output } = await this.#run('tsc', ['-b'])
    return code === 0 ? null : firstLine(output)
  }

  /** Runs the tests of some files whose names match, up to so many that fail. */
  async test(
    files: readonly string[],
    name: RegExp,
    { failures }: { readonly failures: number },
  ): Promise<readonly TestResult[]> {
    const report = join(this.#root, 'report.json')
    rmSync(report, { force: true })
    await this.#run('vitest', [
      'run',
      ...files,
      ...['-t', name.source],
      ...['--reporter', 'json', '--outputFile', report],
      ...['--testTimeout', String(TEST_TIMEOUT_MS), '--bail', String(failures)],
      '--experimental.fsModuleCache',
    ])
    return existsSync(report) ? this.#resultsIn(readFileSync(report, 'utf8')) : []
  }

  #resultsIn(json: string): readonly TestResult[] {
    const report: Report = JSON.parse(json)
    return report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'passed' || status === 'failed')
        .map(({ status, fullName, failureMessages }) => ({
          file: relative(this.#root, name),
          name: fullName,
          failure: status === 'passed' ? null : firstLine(failureMessages[0] ?? 'failed'),
        })),
    )
  }

  #run(
    program: string,
    args: readonly string[],
  ): Promise<{ readonly code: number; readonly output: string }> {
    return new Promise((resolve, reject) => {
      const child = spawn(join('node_modules/.bin', program), args, {
        cwd: this.#root,
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: PROGRAM_TIMEOUT_MS,
      })
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
      child.once('error', reject)
      child.once('close', (code) => resolve({ code: code ?? 1, output }))
    })
  }
}

/** What stands in the checkout now, committed or not. */
function filesOf(checkout: string): readonly string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', args, { cwd: checkout, encoding: 'utf8' })
  return listed.split('\0').filter((file) => file !== '' && existsSync(join(checkout, file)))
}

/** The packages of others are the checkout's; its own are the copy's. */
function linkModules(checkout: string, root: string): void {
  const modules = join(root, 'node_modules')
  mkdirSync(join(modules, '@junqi'), { recursive: true })
  for (const name of readdirSync(join(checkout, 'node_modules'))) {
    const isShared = name === '.bin' || !(name.startsWith('.') || name === '@junqi')
    if (isShared) symlinkSync(join(checkout, 'node_modules', name), join(modules, name))
  }
  for (const name of readdirSync(join(root, 'packages'))) {
    symlinkSync(join(root, 'packages', name), join(modules, '@junqi', name))
  }
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}
