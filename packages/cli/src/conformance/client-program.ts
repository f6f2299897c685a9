import { type ChildProcess, spawn } from 'node:child_process'

/** What is told to a program, by its environment, and by `{server}`, `{room}` and `{seat}` in its command line. */
export interface Errand {
  readonly server: string
  readonly room: string
  readonly seat: string
}

/** Of what a program says, what is repeated. */
const LAST_LINES = 5

/** The client that is looked at, in a process of its own. */
export class ClientProgram {
  readonly #child: ChildProcess
  #said = ''
  /** null: it runs. */
  ending: string | null = null
  /** It ended, as it should, with 0. */
  hasSucceeded = false

  constructor(command: string, { server, room, seat }: Errand, ended: () => void) {
    const filled = command
      .replaceAll('{server}', server)
      .replaceAll('{room}', room)
      .replaceAll('{seat}', seat)
    const env = { ...process.env, JUNQI_SERVER: server, JUNQI_ROOM: room, JUNQI_SEAT: seat }
    // In a group of its own, so that it is ended together with what it started.
    this.#child = spawn(filled, {
      shell: true,
      detached: true,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#said = (this.#said + text).slice(-4000)
      })
    }
    this.#child.once('error', (error) => {
      this.ending = `could not be started: ${error.message}`
      ended()
    })
    this.#child.once('close', (code, signal) => {
      this.hasSucceeded = code === 0
      this.ending = code === null ? `was ended by ${signal}` : `ended with code ${code}`
      ended()
    })
  }

  /** The last that it wrote, to whichever output. */
  get lastWords(): readonly string[] {
    return this.#said.trimEnd().split('\n').filter(Boolean).slice(-LAST_LINES)
  }

  kill(): void {
    const { pid } = this.#child
    if (pid === undefined || this.ending !== null) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It has gone by itself.
    }
  }
}
