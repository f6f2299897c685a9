import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

export interface ServerProcess {
  readonly child: ChildProcess
  readonly url: string
  readonly adminUrl: string
  /** All of stdout so far: the log. */
  readonly log: () => string
  readonly exited: Promise<number | null>
}

const folders: string[] = []
const children: ChildProcess[] = []

/** A folder that is taken away at the end. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'junqi-'))
  folders.push(folder)
  return folder
}

/** The built server as a process of its own, on free ports. */
export async function startProcess(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const { child, output, exited } = launch(env)
  const line = /served at (\S+) .*metrics at (\S+)\/metrics/
  const failed = exited.then((code) => {
    throw new Error(`the server ended with ${code}: ${output.stderr}`)
  })
  failed.catch(() => {})
  while (!line.test(output.stderr)) {
    await Promise.race([once(child.stderr, 'data'), failed])
  }
  const [, url = '', adminUrl = ''] = line.exec(output.stderr) ?? []
  return { child, url, adminUrl, log: () => output.stdout, exited }
}

/** What a server that does not start says, and its exit code. */
export async function failToStart(env: Readonly<Record<string, string>>) {
  const { output, exited } = launch(env)
  return { code: await exited, stderr: output.stderr, stdout: output.stdout }
}

function launch(env: Readonly<Record<string, string>>) {
  const ports = { JUNQI_PORT: '0', JUNQI_ADMIN_PORT: '0' }
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, ...ports, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (data) => {
    output.stdout += data
  })
  child.stderr.on('data', (data) => {
    output.stderr += data
  })
  // `close` comes when its output has been read as well.
  const exited = once(child, 'close').then(([code]): number | null => code)
  return { child, output, exited }
}

export function stopProcesses(): void {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}
