import type { Duplex } from 'node:stream'
import { err, type Result } from '@junqi/engine'
import {
  CLOSE_CODES,
  type ClientMessage,
  type CloseCode,
  type CommandId,
  decodeClientMessage,
  type EncodedMessage,
  ERRORS,
  type ErrorCode,
  encodeServerMessage,
  formatRetryHint,
  LIMITS,
  type Player,
  PROTOCOL,
} from '@junqi/protocol'
import { WebSocket } from 'ws'
import type { Limits } from '../config.ts'
import type { Logger } from '../logger.ts'
import { countOne, type Traffic } from '../metrics.ts'
import type { Clock, ServiceTime } from '../ports.ts'
import { type Bucket, charge, extraTokens, type RateLimiter, take } from '../rate-limit.ts'
import { traceOf } from '../room/fault-log.ts'
import { frameOf } from './frame.ts'
import type { RoomMessage, Router, Session } from './session.ts'

/** Bytes that may wait for a client to read them. */
export const MAX_BUFFERED = 1024 * 1024
/** Messages that may wait for the one before them. */
const MAX_QUEUED = 64
/** Frames that it is told again for the price of one message. */
const REPLAYED_PER_TOKEN = 10
const HELLO_MS = 10_000
/** How long a client may take to answer a close. */
const CLOSING_MS = 2000
const MISSED_PINGS = 2

/** What all connections share. */
export interface ConnectionDeps {
  readonly router: Router
  /** For rates, deadlines and pings: it runs while the store fails. */
  readonly clock: Clock
  /** When a message came, as rooms count. */
  readonly serviceClock: Pick<Clock, 'now'>
  readonly limits: Limits
  /** Messages by player. */
  readonly players: RateLimiter
  readonly logger: Logger
  readonly traffic: Traffic
  /** Asks for `expire` to be called once the connection's deadline has passed. */
  watch(connection: Connection): void
}

/** Why a message does not reach the rooms. */
interface Refused {
  readonly re: CommandId | null
  readonly code: ErrorCode
  readonly message: string
  readonly retryAfterMs: number | null
}

interface Waiting {
  readonly message: RoomMessage
  readonly receivedAt: ServiceTime
  /** Called when it waits no longer. */
  readonly done: () => void
}

/** One socket of an authenticated player: decodes what comes in, in order and within limits; sends what goes out. */
export class Connection implements Session {
  readonly player: Player
  readonly #ws: WebSocket
  readonly #socket: Duplex
  readonly #deps: ConnectionDeps
  readonly #queue: Waiting[] = []
  #isWorking = false
  #worked: Promise<void> = Promise.resolve()
  #greeted = false
  /** No more messages are taken: the server is going to stop. */
  #deaf = false
  /** Closed or being closed. `ws` may still deliver messages then (F-M2). */
  #ended = false
  #deadline: number | null = null
  #missedPings = 0
  #messages: Bucket = 0
  #strikes: Bucket = 0

  /** `socket`: under the WebSocket; frames are written to it whole. */
  constructor(
    { ws, socket }: { readonly ws: WebSocket; readonly socket: Duplex },
    player: Player,
    deps: ConnectionDeps,
  ) {
    this.player = player
    this.#ws = ws
    this.#socket = socket
    this.#deps = deps
    this.#setDeadline(HELLO_MS)
    // All listeners are there before the first byte of the socket is read (F-R10).
    ws.on('message', (data, isBinary) => this.#receive(data, isBinary))
    ws.on('ping', (data) => this.#answerPing(data))
    ws.on('pong', () => this.#takePong())
    ws.on('error', (error) => this.#fail(error))
    ws.once('close', () => void this.#leave())
  }

  /** When it is to be ended if nothing happens; null: it may stay. */
  get deadline(): number | null {
    return this.#deadline
  }

  send(message: EncodedMessage): void {
    // A client that is closing is sent nothing more.
    if (this.#ended || this.#ws.readyState !== WebSocket.OPEN) return
    const bytes = frameOf(message)
    this.#charge(extraTokens(bytes.length))
    if (this.#hasRoomFor(bytes.length)) {
      this.#deps.traffic.framesSent += 1
      this.#socket.write(bytes)
    } else this.#cut('too_slow')
  }

  replay(messages: readonly EncodedMessage[]): void {
    this.#charge(Math.floor(messages.length / REPLAYED_PER_TOKEN))
    this.#socket.cork()
    for (const message of messages) this.send(message)
    this.#socket.uncork()
  }

  /** Called every 15 seconds: asks for a sign of life, and ends a connection that has missed two. */
  beat(): void {
    if (this.#ended) return
    if (this.#missedPings >= MISSED_PINGS) this.#cut('silent')
    else {
      this.#missedPings += 1
      this.#ws.ping()
    }
  }

  /** Called when its deadline has passed. */
  expire(): void {
    if (this.#ended) this.#ws.terminate()
    else this.#close(4408)
  }

  /** Takes no more messages; resolves when those in hand are answered. */
  async finish(): Promise<void> {
    this.#deaf = true
    this.#dropQueue()
    await this.#worked
  }

  restart(retryAfterMs: number): void {
    this.#close(1012, formatRetryHint(retryAfterMs))
  }

  /** Its player is shut out. */
  expel(): void {
    this.#close(4403)
  }

  terminate(): void {
    this.#end()
    this.#ws.terminate()
  }

  #receive(data: unknown, isBinary: boolean): void {
    if (this.#ended || this.#deaf) return
    const receivedAt = this.#deps.serviceClock.now()
    this.#missedPings = 0
    this.#deps.traffic.messagesReceived += 1
    const waitMs = this.#takeTokens(this.#deps.clock.now())
    const read = readFrame(data, isBinary)
    if (!read.ok) this.#refuse(read.error)
    else if (waitMs > 0) this.#refuse(rateLimited(read.value, waitMs))
    else this.#accept(read.value, receivedAt)
  }

  /** Takes a token of the connection and one of the player: 0, or how long to wait. */
  #takeTokens(now: number): number {
    const { bucket, waitMs } = take(this.#messages, this.#deps.limits.messages, now)
    this.#messages = bucket
    return waitMs > 0 ? waitMs : this.#deps.players.take(this.player.id)
  }

  #accept(message: ClientMessage, receivedAt: ServiceTime): void {
    if (message.type === 'hello') this.#welcome(message)
    else if (!this.#greeted) this.#refuse(refused(message, 'hello_first'))
    else if (message.type === 'ping') this.#pong(message.id)
    else this.#enqueue(message, receivedAt)
  }

  #enqueue(message: RoomMessage, receivedAt: ServiceTime): void {
    if (this.#queue.length >= MAX_QUEUED) this.#refuse(refused(message, 'busy'))
    else {
      const done = this.#isWorking ? this.#deps.router.queued(this, message) : NOBODY_WAITS
      this.#queue.push({ message, receivedAt, done })
      if (!this.#isWorking) this.#worked = this.#work()
    }
  }

  /** One message after the other, so that a client sees the answers in the order of its commands. */
  async #work(): Promise<void> {
    this.#isWorking = true
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      try {
        await this.#deps.router.handle(this, next.message, next.receivedAt)
      } catch (error) {
        this.#deps.logger.error({ ...traceOf(error), type: next.message.type }, 'message fault')
        this.#refuse(refused(next.message, 'internal'))
      }
      next.done()
    }
    this.#isWorking = false
  }

  #welcome({ id, client }: Extract<ClientMessage, { type: 'hello' }>): void {
    const { serviceClock, router, logger } = this.#deps
    const { player } = this
    this.send(
      encodeServerMessage({
        type: 'welcome',
        re: id,
        protocol: PROTOCOL,
        serverTime: serviceClock.now(),
        player,
        limits: LIMITS,
      }),
    )
    if (this.#greeted || this.#ended) return
    this.#greeted = true
    this.#deadline = null
    logger.debug({ player: player.id, client }, 'hello')
    router.open(this)
  }

  #pong(id: CommandId): void {
    const serverTime = this.#deps.serviceClock.now()
    this.send(encodeServerMessage({ type: 'pong', re: id, serverTime }))
  }

  /** A ping of WebSocket's own costs as much as a message, and is answered only while its answers are read (F-M1). */
  #answerPing(data: Buffer): void {
    if (this.#ended || this.#deaf) return
    if (this.#takeTokens(this.#deps.clock.now()) > 0) this.#strike('rate_limited')
    else if (this.#hasRoomFor(data.length)) this.#ws.pong(data)
    else this.#cut('too_slow')
  }

  /** One that nobody asked for costs as much as a ping. */
  #takePong(): void {
    if (this.#ended) return
    this.#missedPings = 0
    if (this.#takeTokens(this.#deps.clock.now()) > 0) this.#strike('rate_limited')
  }

  /** For what it is sent: few bytes can ask for many. */
  #charge(tokens: number): void {
    if (tokens === 0) return
    const { limits, players, clock } = this.#deps
    this.#messages = charge(this.#messages, limits.messages, { now: clock.now(), tokens })
    players.charge(this.player.id, tokens)
  }

  #hasRoomFor(bytes: number): boolean {
    return this.#socket.writableLength + bytes <= MAX_BUFFERED
  }

  #refuse(why: Refused): void {
    const { retryable } = ERRORS[why.code]
    countOne(this.#deps.traffic.messagesRefused, why.code)
    this.send(
      encodeServerMessage({
        type: 'error',
        ...why,
        retryable,
        room: null,
        version: null,
        turn: null,
      }),
    )
    this.#strike(why.code)
  }

  /** Every refusal here is the client's own doing, save two; beyond the budget it is closed (F-U5). */
  #strike(code: ErrorCode): void {
    if (this.#ended || code === 'internal' || code === 'busy') return
    const { bucket, waitMs } = take(
      this.#strikes,
      this.#deps.limits.strikes,
      this.#deps.clock.now(),
    )
    this.#strikes = bucket
    if (waitMs === 0) return
    this.#close(code === 'rate_limited' ? 4429 : 4400)
    // What it sends besides is not even read; so its answer to the close is not waited for.
    this.#ws.pause()
  }

  #close(code: CloseCode, reason: string = CLOSE_CODES[code].name): void {
    if (this.#ended) return
    this.#end()
    this.#setDeadline(CLOSING_MS)
    countOne(this.#deps.traffic.connectionsEnded, CLOSE_CODES[code].name)
    this.#ws.close(code, reason)
  }

  /** Ends it at once, with what it has not read. */
  #cut(reason: 'too_slow' | 'silent'): void {
    countOne(this.#deps.traffic.connectionsEnded, reason)
    this.terminate()
  }

  /** `ws` closes the socket by itself after an error: a frame too big, bytes that are no frame, a reset. */
  #fail(error: Error): void {
    this.#end()
    this.#setDeadline(CLOSING_MS)
    this.#deps.logger.debug({ player: this.player.id, reason: error.message }, 'socket error')
  }

  #end(): void {
    this.#ended = true
    this.#dropQueue()
  }

  #dropQueue(): void {
    for (const { done } of this.#queue.splice(0)) done()
  }

  #setDeadline(afterMs: number): void {
    this.#deadline = this.#deps.clock.now() + afterMs
    this.#deps.watch(this)
  }

  /** The rooms hear of the end once, after the last of this connection's own messages (F-R3). */
  async #leave(): Promise<void> {
    this.#end()
    await this.#worked
    if (this.#greeted) this.#deps.router.close(this)
  }
}

const NOBODY_WAITS = (): void => {}

function readFrame(data: unknown, isBinary: boolean): Result<ClientMessage, Refused> {
  if (isBinary || !Buffer.isBuffer(data)) {
    const message = 'A frame is text, not binary.'
    return err({ re: null, code: 'bad_json', message, retryAfterMs: null })
  }
  // `ws` has let nothing pass that is not UTF-8.
  const decoded = decodeClientMessage(data.toString())
  if (decoded.ok) return decoded
  const { id, code, message } = decoded.error
  return err({ re: id, code, message, retryAfterMs: null })
}

function refused({ id }: ClientMessage, code: ErrorCode): Refused {
  return { re: id, code, message: ERRORS[code].text, retryAfterMs: null }
}

function rateLimited(message: ClientMessage, waitMs: number): Refused {
  return { ...refused(message, 'rate_limited'), retryAfterMs: waitMs }
}
