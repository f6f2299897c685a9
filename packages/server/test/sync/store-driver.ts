import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const DRIVER = fileURLToPath(new URL('./driver.mjs', import.meta.url))

export interface DriverOptions {
  readonly folder: string
  /** Plants a store that does not sync. */
  readonly unsynced?: boolean
  /** What runs the driver, such as strace with its options. */
  readonly under?: readonly string[]
}

export interface Answer {
  readonly id: string
  readonly type: string
  readonly version: number
}

/** The process of driver.mjs and a connection to it. */
export class StoreDriver {
  readonly #process: ChildProcess
  readonly #socket: Socket
  readonly #asked = new Map<string, (answer: Answer | null) => void>()

  private constructor(process: ChildProcess, socket: Socket) {
    this.#process = process
    this.#socket = socket
    createInterface({ input: socket })
      .on('line', (line) => this.#hear(line))
      .on('error', () => {})
    socket.on('error', () => {})
    socket.on('close', () => {
      for (const resolve of this.#asked.values()) resolve(null)
    })
  }

  /** Rejects with what the driver says of itself when it does not come up. */
  static async start({ folder, unsynced, under = [] }: DriverOptions): Promise<StoreDriver> {
    const [command = process.execPath, ...args] = [...under, process.execPath, DRIVER]
    const child = spawn(command, args, {
      env: {
        ...process.env,
        JUNQI_TEST_FOLDER: folder,
        ...(unsynced && { JUNQI_TEST_UNSYNCED: '1' }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // A test that fails leaves no process behind.
    const orphan = (): void => void child.kill('SIGKILL')
    process.once('exit', orphan)
    child.once('close', () => process.off('exit', orphan))
    let said = ''
    child.stderr.on('data', (data) => {
      said += data
    })
    const lines = createInterface({ input: child.stdout })
    const port = await Promise.race([
      once(lines, 'line').then(([line]) => Number(line)),
      once(child, 'close').then(() => Promise.reject(new Error(said))),
    ])
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new StoreDriver(child, socket)
  }

  /** Appends to a version of a room; null: the driver died before it answered. */
  append(room: string, version: number, id: string): Promise<Answer | null> {
    if (this.#socket.destroyed) return Promise.resolve(null)
    return new Promise((resolve) => {
      this.#asked.set(id, resolve)
      this.#socket.write(`${room} ${version} ${id}\n`)
    })
  }

  /** Ends the process and waits for it, and for the strace that follows it. */
  async stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const closed = once(this.#process, 'close')
    this.#process.kill(signal)
    await closed
    this.#socket.destroy()
  }

  #hear(line: string): void {
    const [id = '', type = '', version] = line.split(' ')
    this.#asked.get(id)?.({ id, type, version: Number(version) })
    this.#asked.delete(id)
  }
}
