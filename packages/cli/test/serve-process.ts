import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const JUNQI = fileURLToPath(new URL('../bin/junqi.js', import.meta.url))

/** A `junqi` in a process of its own, and what it said. */
export class Junqi {
  readonly child: ChildProcess
  #said = ''
  #heard = (): void => {}

  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    this.child = spawn(process.execPath, [JUNQI, ...args], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#said += text
        this.#heard()
      })
    }
    this.child.once('exit', (code, signal) => {
      this.#said += `It ended: ${code ?? signal}\n`
      this.#heard()
    })
  }

  get said(): string {
    return this.#said
  }

  /** Resolves with the last match once it has said so often what is asked for. */
  async says(what: RegExp, times = 1): Promise<RegExpMatchArray> {
    for (;;) {
      const matches = [...this.#said.matchAll(new RegExp(what, 'g'))]
      const match = matches[times - 1]
      if (match !== undefined) return match
      if (/^It ended:/m.test(this.#said)) throw new Error(this.#said)
      await new Promise<void>((resolve) => {
        this.#heard = resolve
      })
    }
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const gone = once(this.child, 'exit')
    this.child.kill(signal)
    await gone
  }
}

export interface Served {
  readonly junqi: Junqi
  readonly url: string
  stop(): Promise<void>
}

/** `junqi serve` on a free port and a data folder of its own. */
export async function serve(settings: Readonly<Record<string, string>>): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'junqi-serve-'))
  const junqi = new Junqi(['serve'], {
    JUNQI_PORT: '0',
    JUNQI_DATA_DIR: folder,
    JUNQI_LOG_LEVEL: 'warn',
    JUNQI_BOT_PAUSE_MS: '0',
    ...settings,
  })
  const [, url = ''] = await junqi.says(/Junqi is served at (\S+) /)
  return {
    junqi,
    url,
    async stop() {
      await junqi.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The processes that have another one as their parent. */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  const ps = spawn('ps', ['-o', 'pid=', '--ppid', String(pid)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  ps.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more
  })
  await once(ps, 'close')
  return text.trim().split(/\s+/).filter(Boolean).map(Number)
}
