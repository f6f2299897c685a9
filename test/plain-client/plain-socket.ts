import WebSocket from 'ws'
import { type JsonObject, numberAt, parseObject, stringAt } from './json.ts'

export interface Guest {
  readonly id: string
  readonly token: string
}

export async function makeGuest(url: string, name: string): Promise<Guest> {
  const answer = await fetch(`${url}/v1/guests`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  const guest = parseObject(await answer.text())
  return { id: stringAt(guest, 'id'), token: stringAt(guest, 'token') }
}

interface Waiter {
  readonly holds: () => boolean
  readonly resolve: () => void
}

/** One WebSocket that watches one room, and keeps the books of it. */
export class PlainSocket {
  readonly #socket: WebSocket
  readonly #onFrame: (frame: JsonObject) => void
  readonly #replies = new Map<string, JsonObject[]>()
  #waiters: readonly Waiter[] = []
  #broken: Error | null = null
  #commands = 0
  /** Of the room: the version of the last frame, and the turn and the seat to move after it. */
  version = 0
  turn = 0
  next: unknown = null

  private constructor(socket: WebSocket, onFrame: (frame: JsonObject) => void) {
    this.#socket = socket
    this.#onFrame = onFrame
    socket.on('message', (data) => this.#receive(String(data)))
    socket.on('error', (error) => this.#break(error))
    socket.on('close', (code) => this.#break(new Error(`closed with ${code}`)))
  }

  /** Opens a socket and says hello. `onFrame` gets every frame, from the first on. */
  static async open(
    url: string,
    token: string,
    onFrame: (frame: JsonObject) => void,
  ): Promise<PlainSocket> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/ws`, [
      'junqi.v1',
      `bearer.${token}`,
    ])
    const opened = new PlainSocket(socket, onFrame)
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    await opened.ask('hello', { client: 'plain-client' })
    return opened
  }

  /** Sends a command and resolves with its reply; an error rejects. */
  async ask(type: string, fields: JsonObject): Promise<JsonObject> {
    this.#commands++
    const id = `c${this.#commands}`
    const replies: JsonObject[] = []
    this.#replies.set(id, replies)
    this.#socket.send(JSON.stringify({ type, id, ...fields }))
    await this.until(() => replies.length > 0)
    const [reply] = replies
    if (reply === undefined || reply.type === 'error') {
      throw new Error(`${type} was refused: ${JSON.stringify(reply)}`)
    }
    return reply
  }

  /** Resolves as soon as something holds; it is looked at after every frame. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#broken !== null) return reject(this.#broken)
      if (holds()) return resolve()
      const waiter = {
        holds,
        resolve: () => (this.#broken === null ? resolve() : reject(this.#broken)),
      }
      this.#waiters = [...this.#waiters, waiter]
    })
  }

  /** Commands that did not have exactly one reply. */
  notRepliedOnce(): readonly string[] {
    return [...this.#replies].filter(([, replies]) => replies.length !== 1).map(([id]) => id)
  }

  close(): void {
    this.#socket.removeAllListeners('close')
    this.#socket.close()
  }

  #receive(text: string): void {
    try {
      const frame = parseObject(text)
      this.#keepBooks(frame)
      this.#onFrame(frame)
    } catch (error) {
      this.#break(error instanceof Error ? error : new Error(String(error)))
    }
    this.#wake()
  }

  #keepBooks(frame: JsonObject): void {
    if (typeof frame.re === 'string') {
      const replies = this.#replies.get(frame.re)
      if (replies === undefined) throw new Error(`a reply to nothing: ${JSON.stringify(frame)}`)
      replies.push(frame)
    }
    if (frame.type === 'snapshot') this.#reach(numberAt(frame, 'version'))
    if (frame.type !== 'event') return
    const version = numberAt(frame, 'version')
    if (version !== this.version + 1) throw new Error(`${version} follows ${this.version}`)
    this.#reach(version)
    this.next = frame.next
    if (frame.turn !== null) this.turn = numberAt(frame, 'turn')
  }

  #reach(version: number): void {
    if (version < this.version) throw new Error(`${version} follows ${this.version}`)
    this.version = version
  }

  #break(error: Error): void {
    this.#broken ??= error
    this.#wake()
  }

  #wake(): void {
    const isDone = (waiter: Waiter): boolean => this.#broken !== null || waiter.holds()
    const done = this.#waiters.filter(isDone)
    this.#waiters = this.#waiters.filter((waiter) => !done.includes(waiter))
    for (const waiter of done) waiter.resolve()
  }
}
