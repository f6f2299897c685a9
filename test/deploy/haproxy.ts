import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/free-ports.ts'
import { fileOf } from './compose-file.ts'

/** Whether there is an HAProxy. CI must have one; elsewhere its tests are left out, and that is said aloud. */
export function hasHaproxy(): boolean {
  const found = spawnSync('haproxy', ['-v']).status === 0
  if (!found && process.env.CI) throw new Error('CI needs HAProxy (apt install haproxy)')
  if (!found) console.warn('LEFT OUT: the tests behind the real entry, for want of haproxy')
  return found
}

/** The entry of docker-compose.yml: HAProxy with deploy/haproxy.cfg, in which only addresses are others. */
export class Haproxy {
  readonly url: string
  readonly #child: ChildProcess
  readonly #folder: string

  private constructor(url: string, child: ChildProcess, folder: string) {
    this.url = url
    this.#child = child
    this.#folder = folder
  }

  /** `nodes`: where each service of the file is here. */
  static async before(nodes: ReadonlyMap<string, { readonly url: string }>): Promise<Haproxy> {
    const port = await freePort()
    const folder = await mkdtemp(join(tmpdir(), 'junqi-haproxy-'))
    const file = join(folder, 'haproxy.cfg')
    await writeFile(file, configFor(port, nodes))
    const child = spawn('haproxy', ['-f', file], { stdio: 'ignore' })
    const haproxy = new Haproxy(`http://127.0.0.1:${port}`, child, folder)
    await haproxy.#ready()
    return haproxy
  }

  async close(): Promise<void> {
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await exited
    await rm(this.#folder, { recursive: true })
  }

  async #ready(): Promise<void> {
    while (this.#child.exitCode === null) {
      const answer = await fetch(`${this.url}/readyz`).catch(() => null)
      if (answer?.ok) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error('HAProxy ended before it was ready')
  }
}

function configFor(port: number, nodes: ReadonlyMap<string, { readonly url: string }>): string {
  const config = fileOf('deploy/haproxy.cfg').replace('bind :8080', `bind 127.0.0.1:${port}`)
  return [...nodes].reduce(
    (text, [name, { url }]) => text.replace(`${name}:8080`, new URL(url).host),
    config,
  )
}
