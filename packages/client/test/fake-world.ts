import {
  type ClientMessage,
  decodeClientMessage,
  encodeServerMessage,
  type ServerMessage,
} from '@junqi/protocol'
import type { Environment, NetworkNews } from '../src/environment.ts'
import type { WebSocketLike } from '../src/web-socket-like.ts'

interface Timer {
  readonly at: number
  readonly task: () => void
}

/** Time that passes when a test says so, chance that always says the same, and a network of scripts. */
export class FakeWorld implements Environment {
  readonly sockets: FakeSocket[] = []
  readonly asked: { readonly url: string; readonly init: RequestInit | undefined }[] = []
  /** What the server answers over HTTP. */
  answerHttp: () => Promise<Response> = () => Promise.reject(new Error('no network'))
  readonly #timers = new Set<Timer>()
  readonly #listeners = new Set<(news: NetworkNews) => void>()
  #now = 1000

  readonly now = (): number => this.#now
  readonly random = (): number => 0

  readonly schedule = (task: () => void, delayMs: number): (() => void) => {
    const timer = { at: this.#now + delayMs, task }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  readonly fetch: typeof globalThis.fetch = (url, init) => {
    this.asked.push({ url: String(url), init })
    return this.answerHttp()
  }

  readonly onNetwork = (listener: (news: NetworkNews) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get timers(): number {
    return this.#timers.size
  }

  /** How many listen to what the host says of its network. */
  get listeners(): number {
    return this.#listeners.size
  }

  /** The host says that its network came back or went. */
  tellOfNetwork(news: NetworkNews): void {
    for (const listener of this.#listeners) listener(news)
  }

  /** The constructor of this world's sockets. */
  get WebSocket(): new (
    url: string,
    protocols: string[],
  ) => FakeSocket {
    const { sockets } = this
    return class extends FakeSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols)
        sockets.push(this)
      }
    }
  }

  get socket(): FakeSocket {
    const socket = this.sockets.at(-1)
    if (socket === undefined) throw new Error('nobody connected')
    return socket
  }

  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (due === undefined) break
      this.#timers.delete(due)
      this.#now = due.at
      due.task()
      await settle()
    }
    this.#now = end
    await settle()
  }
}

/** Lets promises that can be resolved resolve. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

type Listeners = {
  open: () => void
  error: () => void
  message: (event: { readonly data: unknown }) => void
  close: (event: { readonly code: number; readonly reason: string }) => void
}

/** A socket and the server at its other end. */
export class FakeSocket implements WebSocketLike {
  /** What the client sent, `hello` and `ping` apart. */
  readonly received: Exclude<ClientMessage, { type: 'hello' | 'ping' }>[] = []
  readonly url: string
  readonly protocols: readonly string[]
  closedWith: number | null = null
  lastQuestion = ''
  #listeners: { readonly [T in keyof Listeners]: Listeners[T][] } = {
    open: [],
    error: [],
    message: [],
    close: [],
  }

  constructor(url: string, protocols: readonly string[]) {
    this.url = url
    this.protocols = protocols
  }

  addEventListener<T extends keyof Listeners>(type: T, listener: Listeners[T]): void {
    this.#listeners[type].push(listener)
  }

  send(text: string): void {
    if (this.closedWith !== null) return
    const decoded = decodeClientMessage(text)
    if (!decoded.ok) throw new Error(decoded.error.message)
    const message = decoded.value
    if (message.type === 'hello' || message.type === 'ping') this.lastQuestion = message.id
    else this.received.push(message)
  }

  close(code = 1005): void {
    this.closedWith = code
  }

  /** The server answers 101. */
  open(): void {
    for (const listener of this.#listeners.open) listener()
  }

  push(message: ServerMessage): void {
    this.pushText(encodeServerMessage(message))
  }

  pushText(data: unknown): void {
    for (const listener of this.#listeners.message) listener({ data })
  }

  /** The server, or the network, ends it. */
  end(code: number, reason = ''): void {
    for (const listener of this.#listeners.close) listener({ code, reason })
  }
}
