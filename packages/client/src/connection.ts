import {
  CLOSE_CODES,
  type ClientMessage,
  type CloseCode,
  type CommandId,
  commandId,
  ERRORS,
  encodeClientMessage,
  type Player,
  PROTOCOL,
  readServerMessage,
  type ServerMessage,
} from '@junqi/protocol'
import type { Address } from './address.ts'
import { backoffDelay, reconnectDelay, STABLE_MS, type Urgency } from './backoff.ts'
import { type ClockOffset, withAnswer } from './clock-offset.ts'
import type { Environment, NetworkNews } from './environment.ts'
import { refusalIn } from './http-call.ts'
import { type Refusal, refusal, refusalOf } from './refusal.ts'
import type { WebSocketConstructor, WebSocketLike } from './web-socket-like.ts'

/** How often the server is asked for its time; a socket on which nothing came since the last time is dead. */
const BEAT_MS = 15_000
/** How long the server may take to say welcome, or why it refused the handshake, or that it is there. */
const ANSWER_TIMEOUT_MS = 5_000

/** What a client is doing. `reason`: why the server let it not in the last time; null: it did, or said nothing. */
export type Status =
  | { readonly state: 'connecting'; readonly reason: Refusal | null }
  | { readonly state: 'online'; readonly player: Player }
  | { readonly state: 'waiting'; readonly delayMs: number; readonly reason: Refusal | null }
  | { readonly state: 'closed'; readonly reason: Refusal }

/**
 * What shows who the player is. null: the browser sends the server's cookie. A function is asked at each attempt to
 * connect: an identity provider's tokens end, and who comes back after an hour needs another one.
 */
export type TokenSource = string | null | (() => string | null)

export interface ConnectionOptions {
  readonly address: Address
  readonly token: TokenSource
  readonly clientName: string
  readonly WebSocket: WebSocketConstructor
}

export interface ConnectionEvents {
  /** Messages can be sent. */
  readonly onOpen: () => void
  /** They cannot any more. */
  readonly onLost: () => void
  readonly onMessage: (message: ServerMessage) => void
  readonly onStatus: (status: Status) => void
  /** How soon it is to come back. */
  readonly urgency: () => Urgency
}

interface Close {
  readonly code: number
  readonly reason: string
}

/** The end of a socket that does not answer. */
const SILENCE: Close = { code: 1006, reason: '' }

/** Keeps a connection: says hello, beats, and comes back as the close codes tell (F-R9). */
export class Connection {
  readonly #options: ConnectionOptions
  readonly #environment: Environment
  readonly #events: ConnectionEvents
  #socket: WebSocketLike | null = null
  #isOpen = false
  /** Something came since the last beat. */
  #isAlive = false
  #welcomedAt: number | null = null
  #clock: ClockOffset = null
  /** The question about the time that is on its way: `hello` or `ping`. */
  #asked: { readonly id: CommandId; readonly at: number; readonly isHello: boolean } | null = null
  #questions = 0
  #attempt = 0
  /** Why it was not let in the last time. */
  #refused: Refusal | null = null
  /** What is waited for was asked for by the server: no news of the network cut it short. */
  #isToldToWait = false
  #isClosed = false
  /** Ends what is waited for: the next beat, the next attempt, the reason of a refusal. */
  #cancel: () => void = () => {}
  readonly #deaf: () => void

  constructor(options: ConnectionOptions, environment: Environment, events: ConnectionEvents) {
    this.#options = options
    this.#environment = environment
    this.#events = events
    this.#deaf = environment.onNetwork((news) => this.#heardOfNetwork(news))
  }

  /** The server's time now; null before the first welcome. */
  serverNow(): number | null {
    return this.#clock === null ? null : this.#environment.now() + this.#clock.offset
  }

  send(message: ClientMessage): void {
    if (this.#isOpen) this.#socket?.send(encodeClientMessage(message))
  }

  connect(): void {
    const { address, WebSocket } = this.#options
    this.#events.onStatus({ state: 'connecting', reason: this.#refused })
    // Who heard that may have had enough.
    if (this.#isClosed) return
    const token = this.#token()
    const socket = new WebSocket(
      address.socket,
      token === null ? [PROTOCOL] : [PROTOCOL, `bearer.${token}`],
    )
    this.#socket = socket
    this.#isToldToWait = false
    this.#isAlive = false
    this.#welcomedAt = null
    // A socket that was given up may still speak; only the present one is heard (F-R3).
    const isPresent = (): boolean => this.#socket === socket
    socket.addEventListener('open', () => isPresent() && this.#opened())
    socket.addEventListener('message', ({ data }) => isPresent() && this.#received(data))
    socket.addEventListener('close', (close) => isPresent() && this.#lost(close))
    socket.addEventListener('error', () => {})
    this.#later(() => this.#lost(SILENCE), ANSWER_TIMEOUT_MS)
  }

  /** For good. */
  close(reason: Refusal): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#deaf()
    this.#dropSocket()
    this.#cancel()
    this.#events.onStatus({ state: 'closed', reason })
  }

  #token(): string | null {
    const { token } = this.#options
    return typeof token === 'function' ? token() : token
  }

  #opened(): void {
    this.#isOpen = true
    this.#ask({ isHello: true })
    this.#events.onOpen()
  }

  #ask({ isHello }: { readonly isHello: boolean }): void {
    const id = commandId.parse(`time-${this.#questions++}`)
    this.#asked = { id, at: this.#environment.now(), isHello }
    const { clientName } = this.#options
    this.send(isHello ? { type: 'hello', id, client: clientName } : { type: 'ping', id })
  }

  #received(data: unknown): void {
    this.#isAlive = true
    const decoded = readServerMessage(typeof data === 'string' ? data : '')
    if (decoded.ok) this.#understood(decoded.value)
    else this.close(refusal('unsupported_protocol', `Not understood: ${decoded.error.message}`))
  }

  #understood(message: ServerMessage | { readonly type: 'unknown' }): void {
    if (message.type === 'welcome') this.#welcomed(message)
    else if (message.type === 'pong') this.#learnTime(message)
    else if (message.type === 'error' && this.#isAboutHello(message)) this.#unwelcome(message)
    else if (message.type !== 'unknown') this.#events.onMessage(message)
  }

  #welcomed(welcome: Extract<ServerMessage, { readonly type: 'welcome' }>): void {
    // Another process may have another clock, so what was known of it is forgotten.
    this.#clock = null
    this.#learnTime(welcome)
    this.#welcomedAt = this.#environment.now()
    this.#refused = null
    this.#later(() => this.#beat(), BEAT_MS)
    this.#events.onStatus({ state: 'online', player: welcome.player })
  }

  #learnTime({ re, serverTime }: { readonly re: CommandId; readonly serverTime: number }): void {
    if (this.#asked?.id !== re) return
    const receivedAt = this.#environment.now()
    this.#clock = withAnswer(this.#clock, { sentAt: this.#asked.at, receivedAt, serverTime })
    this.#asked = null
  }

  #isAboutHello({ re }: Extract<ServerMessage, { readonly type: 'error' }>): boolean {
    return re !== null && re === this.#asked?.id && this.#asked.isHello
  }

  #unwelcome(error: Extract<ServerMessage, { readonly type: 'error' }>): void {
    this.#refused = refusalOf(error)
    if (!error.retryable) this.close(this.#refused)
    else {
      const pause = this.#backoff()
      this.#dropSocket()
      this.#isToldToWait = true
      this.#comeBackIn(Math.max(pause, error.retryAfterMs ?? 0))
    }
  }

  #beat(): void {
    if (this.#isAlive) {
      this.#isAlive = false
      this.#ask({ isHello: false })
      this.#later(() => this.#beat(), BEAT_MS)
    } else this.#lost(SILENCE)
  }

  /**
   * A network that is back may be another one, on which the old socket is dead; and where the server is on the same
   * machine, it is there without any. So a socket that was welcomed has to show that it lives, and all else begins anew.
   */
  #heardOfNetwork(news: NetworkNews): void {
    if (this.#welcomedAt !== null) this.#probe()
    else if (news === 'back' && !this.#isToldToWait) {
      this.#dropSocket()
      this.connect()
    }
  }

  #probe(): void {
    this.#isAlive = false
    this.#ask({ isHello: false })
    this.#later(() => this.#beat(), ANSWER_TIMEOUT_MS)
  }

  #lost(close: Close): void {
    const wasOpen = this.#isOpen
    const { now } = this.#environment
    if (this.#welcomedAt !== null && now() - this.#welcomedAt >= STABLE_MS) this.#attempt = 0
    this.#dropSocket()
    if (wasOpen) this.#comeBackAfter(close)
    else this.#learnRefusal()
  }

  #comeBackAfter(close: Close): void {
    const urgency = this.#events.urgency()
    const delayMs = reconnectDelay(close, this.#attempt, this.#environment.random, urgency)
    if (delayMs === null) this.close(refusal(refusedBy(close), describeClose(close)))
    else {
      this.#isToldToWait = close.code !== SILENCE.code
      this.#comeBackIn(delayMs)
    }
  }

  /** A browser is not told why a handshake was refused; the session is (DESIGN 6). */
  #learnRefusal(): void {
    const aborter = new AbortController()
    const goOn = (refused: Refusal | null): void => {
      if (aborter.signal.aborted) return
      aborter.abort()
      this.#refused = refused
      if (refused !== null && isFinal(refused)) this.close(refused)
      else this.#comeBackIn(this.#backoff())
    }
    this.#later(() => goOn(null), ANSWER_TIMEOUT_MS)
    const cancelTimer = this.#cancel
    this.#cancel = () => {
      cancelTimer()
      aborter.abort()
    }
    this.#readSession(aborter.signal).then(goOn, () => goOn(null))
  }

  /** null: the session is good. */
  async #readSession(signal: AbortSignal): Promise<Refusal | null> {
    const { address } = this.#options
    const token = this.#token()
    const headers: HeadersInit = token === null ? {} : { authorization: `Bearer ${token}` }
    const response = await this.#environment.fetch(address.http('v1/session'), { headers, signal })
    return response.ok ? null : refusalIn(await response.json())
  }

  #backoff(): number {
    return backoffDelay(this.#attempt, this.#environment.random, this.#events.urgency())
  }

  #comeBackIn(delayMs: number): void {
    this.#attempt++
    this.#later(() => this.connect(), delayMs)
    this.#events.onStatus({ state: 'waiting', delayMs, reason: this.#refused })
  }

  #dropSocket(): void {
    const socket = this.#socket
    this.#socket = null
    this.#welcomedAt = null
    this.#isOpen = false
    this.#asked = null
    if (socket === null) return
    socket.close(1000)
    this.#events.onLost()
  }

  #later(task: () => void, delayMs: number): void {
    this.#cancel()
    this.#cancel = this.#environment.schedule(task, delayMs)
  }
}

const isFinal = ({ code }: Refusal): boolean => code === 'closed' || !ERRORS[code].retryable

/** What a refused handshake says by a code of its own, a close says by its number. */
const REFUSED_BY: Readonly<Record<number, Refusal['code']>> = {
  4401: 'unauthorized',
  4403: 'banned',
} satisfies Partial<Record<CloseCode, Refusal['code']>>

const refusedBy = ({ code }: Close): Refusal['code'] => REFUSED_BY[code] ?? 'closed'

function describeClose({ code, reason }: Close): string {
  const known = Object.entries(CLOSE_CODES).find(([known]) => Number(known) === code)
  return `${code} ${known?.[1].name ?? 'unknown'}: ${known?.[1].text ?? reason}`
}
