import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-ports.ts'

const MAIN = fileURLToPath(new URL('../../packages/server/dist/main.js', import.meta.url))

/** How much higher it is than the server's. */
const ADMIN_PORT = 1_000

export type Settings = Readonly<Record<`JUNQI_${string}`, string>>

/** A real server in a process of its own, which can be killed and started again on the same data and ports. */
export interface ServerProcess {
  /** `http://127.0.0.1:port` */
  readonly url: string
  /** Where its metrics are. */
  readonly adminUrl: string
  readonly dataDir: string
  /** Of the process; null: none runs. */
  readonly pid: number | null
  /** Starts the process, if none runs, and does not wait for it. */
  spawn(): void
  /** Resolves when the server takes requests; rejects, with what it wrote, if it ends before. */
  ready(): Promise<void>
  /** Ends the process and resolves when it is gone, with its exit code; null: it had none, or did not run. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
  /** Stops the process where it is, until `resume`. */
  pause(): void
  resume(): void
  /** All that it wrote so far, over all its lives; and that it ended, where nobody had ended it. */
  output(): string
  /** Kills what still runs and takes the data away. */
  stop(): Promise<void>
}

/**
 * A server that is ready. Give `stop` to `onTestFinished` or `afterAll`.
 * `under`: a command that runs the server, such as strace with its options.
 */
export async function startServer(
  settings: Settings = {},
  under: readonly string[] = [],
): Promise<ServerProcess> {
  const server = await makeServer(settings, under)
  server.spawn()
  await server.ready()
  return server
}

/** A server that is not started yet, with a data folder and ports of its own. */
export async function makeServer(
  settings: Settings,
  under: readonly string[] = [],
): Promise<ServerProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'junqi-test-'))
  const port = await freePort(ADMIN_PORT)
  const adminPort = port + ADMIN_PORT
  const url = `http://127.0.0.1:${port}`
  const env = {
    PATH: process.env.PATH,
    JUNQI_PORT: String(port),
    JUNQI_ADMIN_PORT: String(adminPort),
    JUNQI_DATA_DIR: dataDir,
    JUNQI_LOG_LEVEL: 'warn',
    ...settings,
  }
  const written = { stdout: '', stderr: '' }
  let child: ChildProcess | null = null
  const killed = new WeakSet<ChildProcess>()

  const launch = (): void => {
    if (child !== null) return
    const [command = process.execPath, ...args] = [...under, process.execPath, MAIN]
    const started = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of ['stdout', 'stderr'] as const) {
      started[stream].setEncoding('utf8').on('data', (text: string) => {
        written[stream] += text
      })
    }
    started.once('exit', (code, signal) => {
      if (child === started) child = null
      if (!killed.has(started)) written.stderr += `It ended by itself: ${code ?? signal}\n`
    })
    child = started
  }

  const kill = (signal: NodeJS.Signals): Promise<number | null> =>
    new Promise((resolve) => {
      if (child === null) return resolve(null)
      killed.add(child)
      child.once('exit', (code) => resolve(code))
      child.kill(signal)
    })

  const ready = async (): Promise<void> => {
    while (child !== null) {
      if (await answers(`${url}/readyz`)) return
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    throw new Error(`The server ended before it was ready:\n${written.stderr}`)
  }

  const clean = (): void => {
    child?.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
  process.once('exit', clean)
  const stop = async (): Promise<void> => {
    await kill('SIGKILL')
    process.off('exit', clean)
    clean()
  }
  return {
    url,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    dataDir,
    get pid() {
      return child?.pid ?? null
    },
    spawn: launch,
    ready,
    kill,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    output: () => written.stdout + written.stderr,
    stop,
  }
}

/** What servers wrote besides where they listen, at the log's level `warn`. */
export const complaintsIn = (output: string): readonly string[] =>
  output.split('\n').filter((line) => line !== '' && !line.startsWith('Junqi is served at '))

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok
  } catch {
    return false
  }
}
