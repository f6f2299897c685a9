import { type Guest, guest } from '@junqi/protocol'
import { expect, vi } from 'vitest'
import { WebSocket } from 'ws'
import { MemoryStore } from '../../src/adapters/memory/memory-store.ts'
import { systemRng } from '../../src/adapters/system-rng.ts'
import { type App, buildApp, type Rooms } from '../../src/app.ts'
import { archiveConsumer } from '../../src/archive/archive-consumer.ts'
import { loadConfig } from '../../src/config.ts'
import { makeLogger } from '../../src/logger.ts'
import { makeMetrics, meterRooms } from '../../src/metrics.ts'
import type { Store } from '../../src/ports.ts'
import { makeRooms, type ServiceDeps } from '../../src/room/room-service.ts'
import { ScoreKeeper } from '../../src/scores/score-keeper.ts'
import { FakeClock } from './fake-clock.ts'
import { StubRooms } from './stub-rooms.ts'
import { untoldAnswers } from './told-routes.ts'

export interface TestApp {
  readonly app: App
  readonly url: string
  readonly adminUrl: string
  /** Of the sockets and requests; of the store as well unless it has its own. */
  readonly clock: FakeClock
  readonly store: Store
  /** Every log line so far, down to the level trace. */
  readonly logs: string[]
}

type Environment = Readonly<Record<string, string>>

const running: App[] = []

/** What day it was when a clock that stands still stood at 0. */
export const DATE = Date.parse('2026-01-01T00:00:00Z')

/** A server on free ports, with stub rooms, a store in memory (or one that another server has) and a clock that stands still. */
export async function startApp(
  env: Environment = {},
  storeClock?: FakeClock,
  kept?: Store,
): Promise<TestApp & { rooms: StubRooms }> {
  const rooms = new StubRooms()
  return { ...(await start(env, async () => rooms, { storeClock, kept })), rooms }
}

/** The same with the rooms that the server has. */
export async function startRealApp(env: Environment = {}): Promise<TestApp> {
  return start(env, makeRooms, {})
}

async function start(
  env: Environment,
  roomsOf: (deps: ServiceDeps) => Promise<Rooms>,
  given: { readonly storeClock?: FakeClock | undefined; readonly kept?: Store | undefined },
): Promise<TestApp> {
  const config = loadConfig({ JUNQI_PORT: '0', ...env })
  if (!config.ok) throw new Error(config.error)
  const clock = new FakeClock()
  const made = new MemoryStore({
    clock: given.storeClock ?? clock,
    rng: systemRng,
    now: () => clock.now(),
  })
  const store = given.kept ?? made
  const logs: string[] = []
  const logger = makeLogger('trace', { write: (line) => void logs.push(line) })
  const metrics = makeMetrics()
  const rooms = await roomsOf({
    store,
    rng: systemRng,
    log: logger,
    observer: meterRooms(metrics),
    newRooms: config.value.limits.rooms,
    consumers: [archiveConsumer(store), new ScoreKeeper(store)],
    chatRate: config.value.limits.chat,
    date: () => DATE + clock.now(),
  })
  const parts = {
    date: () => DATE + clock.now(),
    store,
    clock,
    rng: systemRng,
    logger,
    rooms,
    metrics,
  }
  const app = await buildApp(config.value, parts)
  running.push(app)
  return { ...(await app.listen()), app, clock, store, logs }
}

/** Waits for something that sockets bring about. */
export async function eventually(holds: () => boolean): Promise<void> {
  await vi.waitUntil(holds, { timeout: 30_000, interval: 5 })
}

/** Stops them all. What any of them answered over HTTP is as `ROUTES` tells it. */
export async function stopApps(): Promise<void> {
  await Promise.all(running.splice(0).map((app) => app.close()))
  expect(untoldAnswers()).toEqual([])
}

export const makeGuest = (url: string, name = 'Ann'): Promise<Guest> =>
  makeAccount(url, { name }, {})

/** The account of a bot that plays easily; the same name is the same bot. */
export const makeBot = (url: string, name: string, key: string): Promise<Guest> =>
  makeAccount(url, { name, bot: 'easy' }, { authorization: `Bearer ${key}` })

async function makeAccount(url: string, wish: object, headers: Headers): Promise<Guest> {
  const response = await fetch(`${url}/v1/guests`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(wish),
  })
  return guest.parse(await response.json())
}

type Headers = Readonly<Record<string, string>>

export interface Dial {
  readonly path?: string
  readonly protocols?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  readonly autoPong?: boolean
}

export type Message = Readonly<Record<string, unknown>>

/** One WebSocket as a client has it; nothing of the SDK. */
export class TestClient {
  readonly socket: WebSocket
  readonly messages: Message[] = []
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  readonly #waiting: Array<() => void> = []

  private constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('error', () => {})
    socket.on('message', (data) => {
      this.messages.push(JSON.parse(String(data)))
      for (const wake of this.#waiting.splice(0)) wake()
    })
    // `once` of node:events would reject where it closes by a fault.
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => {
        for (const wake of this.#waiting.splice(0)) wake()
        resolve({ code, reason: String(reason) })
      })
    })
  }

  /** Open; a refusal rejects. */
  static async dial(url: string, token: string | null, dial: Dial = {}): Promise<TestClient> {
    const { path = '/v1/ws', protocols = ['junqi.v1'], headers = {}, autoPong = true } = dial
    const bearer = token === null ? {} : { authorization: `Bearer ${token}` }
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, [...protocols], {
      headers: { ...bearer, ...headers },
      autoPong,
    })
    const client = new TestClient(socket)
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve())
      socket.once('error', reject)
      socket.once('unexpected-response', (_request, response) => {
        let body = ''
        response.on('data', (data) => {
          body += data
        })
        response.on('end', () => reject(new Refused(response.statusCode ?? 0, body)))
      })
    })
    return client
  }

  /** Open and greeted. */
  static async hello(url: string, token: string, dial: Dial = {}): Promise<TestClient> {
    const client = await TestClient.dial(url, token, dial)
    client.send({ type: 'hello', id: 'hello', client: 'test' })
    await client.reply('hello')
    return client
  }

  send(message: Message): void {
    this.socket.send(JSON.stringify(message))
  }

  /** The one message that answers an id. */
  async reply(re: string | null): Promise<Message> {
    return this.find((message) => message.re === re)
  }

  async find(wanted: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.messages.find(wanted)
      if (found !== undefined) return found
      if (this.socket.readyState >= WebSocket.CLOSING)
        throw new Error('closed before the message came')
      await new Promise<void>((wake) => this.#waiting.push(wake))
    }
  }

  replies(re: string): readonly Message[] {
    return this.messages.filter((message) => message.re === re)
  }
}

/** The code of a close after which the server reads no more, and lets go when its time is over. */
export async function closedUnread(client: TestClient, clock: FakeClock): Promise<number> {
  await eventually(() => client.socket.readyState >= WebSocket.CLOSING)
  await clock.advance(3000)
  return (await client.closed).code
}

/** A handshake that was answered with something else than 101. */
export class Refused extends Error {
  readonly status: number
  readonly body: string
  constructor(status: number, body: string) {
    super(`refused with ${status}: ${body}`)
    this.status = status
    this.body = body
  }
}

export async function refusedHandshake(dialling: Promise<TestClient>): Promise<Refused> {
  const outcome = await dialling.then(
    () => null,
    (error: unknown) => error,
  )
  if (outcome instanceof Refused) return outcome
  throw new Error('the handshake was not refused', { cause: outcome })
}
