import { type GameRecord, randomFormation, type Seat } from '@junqi/engine'
import {
  decodeClientMessage,
  type Player,
  type PlayerId,
  type RoomId,
  type RoomView,
  roomId,
  type ServerMessage,
} from '@junqi/protocol'
import { Archive } from '../../src/archive/archive.ts'
import type { EndConsumer } from '../../src/outbox/consumer.ts'
import type { Rng, Store } from '../../src/ports.ts'
import type { Rate } from '../../src/rate-limit.ts'
import { type RoomObserver, UNOBSERVED } from '../../src/room/observer.ts'
import { makeRooms, type RoomService } from '../../src/room/room-service.ts'
import type { RoomMessage, Router } from '../../src/socket/session.ts'
import { FakeClock } from './fake-clock.ts'
import { FakeSession } from './fake-session.ts'
import { FlakyStore } from './flaky-store.ts'
import { playerNumber, seededRandom } from './players.ts'

type Fields = Readonly<Record<string, unknown>> & { readonly type: string }

export type Reply = Extract<ServerMessage, { type: 'ack' | 'error' | 'event' | 'snapshot' }>

/** The same bytes in every run. */
export function seededRng(seed = 1): Rng {
  const random = seededRandom(seed)
  return { random, bytes: (count) => Uint8Array.from({ length: count }, () => random() * 256) }
}

interface NodeSetup {
  readonly seed: number
  /** Rooms that a player may make; else as many as it likes. */
  readonly newRooms?: Rate | undefined
  /** What a player may say; else as much as it likes. */
  readonly chatRate?: Rate | undefined
  /** Rooms in which one bot may sit; else as many as where the deployer says nothing. */
  readonly botGames?: number | undefined
  readonly consumersOf?: ((store: Store) => readonly EndConsumer[]) | undefined
}

const SECRET = new Uint8Array(32)

/** The node that each session is connected to. */
const homes = new WeakMap<FakeSession, RoomTable<Store>>()

/** A node's rooms with a store in memory, a clock that stands still, and sessions without sockets. */
export class RoomTable<Kept extends Store = FlakyStore> {
  readonly clock: FakeClock
  readonly store: Kept
  readonly faults: string[] = []
  readonly warnings: string[] = []
  /** What its rooms were seen to do. */
  readonly observed = { conflicts: 0, resyncs: 0, unanswered: 0, lags: [] as number[] }
  readonly random = seededRandom(7)
  readonly #setup: NodeSetup
  #rooms: RoomService | null = null
  #ids = 0

  private constructor(clock: FakeClock, store: Kept, setup: NodeSetup) {
    this.clock = clock
    this.store = store
    this.#setup = setup
  }

  get rooms(): RoomService {
    if (this.#rooms === null) throw new Error('not started')
    return this.#rooms
  }

  /** The record of a finished game, as a player gets it over HTTP. */
  record(room: RoomId, player: Player | null): Promise<GameRecord | null> {
    const archive = new Archive({ store: this.store, date: () => this.clock.now() }, SECRET)
    return archive.record(room, { player, share: null })
  }

  static async open(): Promise<RoomTable> {
    const clock = new FakeClock()
    return RoomTable.over(clock, new FlakyStore({ clock, rng: seededRng() }))
  }

  /** A node over a store that is there. Of several each needs its own seed. */
  static async over<Kept extends Store>(
    clock: FakeClock,
    store: Kept,
    setup: NodeSetup = { seed: 2 },
  ): Promise<RoomTable<Kept>> {
    const table = new RoomTable(clock, store, setup)
    await table.restart()
    return table
  }

  /** Another process takes the store over. Sessions of the first are gone. */
  async restart(): Promise<void> {
    await this.#rooms?.stop()
    const log = {
      warn: (details: object, text: string) => void this.warnings.push(lineOf(details, text)),
      error: (details: object, text: string) => void this.faults.push(lineOf(details, text)),
    }
    this.#rooms = await makeRooms({
      store: this.store,
      rng: seededRng(this.#setup.seed),
      log,
      observer: this.#observer(),
      newRooms: this.#setup.newRooms ?? { perSecond: 100, burst: 10_000 },
      chatRate: this.#setup.chatRate ?? { perSecond: 100, burst: 10_000 },
      ...(this.#setup.botGames !== undefined && { botGames: this.#setup.botGames }),
      consumers: this.#setup.consumersOf?.(this.store) ?? [],
      date: () => this.clock.now(),
    })
    await this.#rooms.start()
  }

  #observer(): RoomObserver {
    const { observed } = this
    return {
      ...UNOBSERVED,
      swept: (lagMs) => void observed.lags.push(lagMs),
      conflicted: () => void observed.conflicts++,
      resynced: () => void observed.resyncs++,
      unanswered: () => void observed.unanswered++,
    }
  }

  connect(player: Player): FakeSession {
    const session = new FakeSession(player)
    homes.set(session, this)
    this.rooms.router.open(session)
    return session
  }

  disconnect(session: FakeSession): void {
    routerOf(session).close(session)
  }

  nextId(): string {
    this.#ids += 1
    return `c${this.#setup.seed}-${this.#ids}`
  }

  /** Sends a command, to whichever node the session is at, and gives the one reply to it. */
  async say(session: FakeSession, fields: Fields): Promise<Reply> {
    const id = typeof fields.id === 'string' ? fields.id : this.nextId()
    await this.send(session, { ...fields, id })
    const reply = session.messages.filter(isReply).findLast(({ re }) => re === id)
    if (reply === undefined) throw new Error(`no reply to ${fields.type}`)
    return reply
  }

  /** The same, which must not be refused. */
  async do(session: FakeSession, fields: Fields): Promise<Reply> {
    const reply = await this.say(session, fields)
    if (reply.type === 'error') throw new Error(`${fields.type}: ${reply.code}: ${reply.message}`)
    return reply
  }

  /** The code of the refusal. */
  async refusal(session: FakeSession, fields: Fields): Promise<string> {
    const reply = await this.say(session, fields)
    if (reply.type !== 'error') throw new Error(`${fields.type} was accepted`)
    return reply.code
  }

  /** Resolves when it is answered. */
  send(session: FakeSession, fields: Fields, receivedAt = this.clock.now()): Promise<void> {
    return routerOf(session).handle(session, this.#message(fields), receivedAt)
  }

  /** A message that waits for those before it; it is handled when the function returned is called. */
  queue(session: FakeSession, fields: Fields): () => Promise<void> {
    const message = this.#message(fields)
    const receivedAt = this.clock.now()
    const router = routerOf(session)
    const done = router.queued(session, message)
    return () => router.handle(session, message, receivedAt).finally(done)
  }

  #message(fields: Fields): RoomMessage {
    const decoded = decodeClientMessage(JSON.stringify({ id: this.nextId(), ...fields }))
    if (!decoded.ok) throw new Error(decoded.error.message)
    const message = decoded.value
    if (message.type === 'hello' || message.type === 'ping') throw new Error('not for rooms')
    return message
  }

  async createRoom(session: FakeSession, setup: Partial<Fields> = {}): Promise<RoomId> {
    const reply = await this.do(session, {
      type: 'createRoom',
      preset: 'siguo',
      options: {},
      private: false,
      ...setup,
    })
    return roomId.parse(reply.room)
  }

  /** The room as a player sees it now. */
  async view(room: RoomId, player: Player | null): Promise<RoomView> {
    const view = await this.rooms.publicRoom(room, player)
    if (view === null) throw new Error('not to be seen')
    return view
  }

  /** Everyone sits in the order of the seats, each at the next of the nodes, and watches; the first is host. */
  async gather(
    setup: Partial<Fields> = {},
    nodes: readonly RoomTable<Store>[] = [this],
  ): Promise<Gathered> {
    const connect = (n: number) => (nodes[n % nodes.length] ?? this).connect(playerNumber(n))
    const host = connect(0)
    const room = await this.createRoom(host, setup)
    const { rules, invitation } = await this.view(room, host.player)
    const invited = invitation === null ? {} : { invitation }
    const sessions: FakeSession[] = []
    for (const [i, seat] of rules.ruleSet.seats.entries()) {
      const session = i === 0 ? host : connect(i)
      sessions.push(session)
      await this.do(session, { type: 'sit', room, seat, ...invited })
      await this.do(session, { type: 'subscribe', room })
    }
    return { room, sessions, host }
  }

  async deploy(...gathering: Parameters<RoomTable['gather']>): Promise<Gathered> {
    const gathered = await this.gather(...gathering)
    const { room, sessions, host } = gathered
    for (const session of sessions) await this.do(session, { type: 'ready', room })
    await this.do(host, { type: 'start', room })
    return gathered
  }

  async play(...gathering: Parameters<RoomTable['gather']>): Promise<Gathered> {
    const gathered = await this.deploy(...gathering)
    for (const session of gathered.sessions) {
      const formation = await this.formation(gathered)
      await this.do(session, { type: 'submitFormation', room: gathered.room, formation })
    }
    return gathered
  }

  async formation({ room, host }: Pick<Gathered, 'room' | 'host'>): Promise<string> {
    const { rules } = await this.view(room, host.player)
    return randomFormation(rules.ruleSet, this.random)
  }

  /** The player whose turn it is plays one of its legal moves. */
  async step({ room, sessions }: Pick<Gathered, 'room' | 'sessions'>): Promise<Reply> {
    const { session, move } = await this.nextMove({ room, sessions })
    return this.do(session, move)
  }

  async nextMove({ room, sessions }: Pick<Gathered, 'room' | 'sessions'>) {
    const seen = await this.view(room, sessions[0]?.player ?? null)
    const player = playerToMove(seen)
    const session = sessions.find((each) => each.player.id === player)
    if (session === undefined || seen.game === null) throw new Error('nobody is to move')
    const { legalMoves, flips = [] } = await this.view(room, session.player)
    const { turn } = seen.game
    // In a flip game pieces are turned up as long as there are any.
    const [space] = flips
    if (space !== undefined) return { session, move: { type: 'flip', room, turn, space } }
    const froms = Object.keys(legalMoves)
    const from = froms[Math.floor(this.random() * froms.length)] ?? ''
    const targets = legalMoves[from] ?? []
    const to = targets[Math.floor(this.random() * targets.length)] ?? ''
    return { session, move: { type: 'move', room, turn, from, to } }
  }
}

export interface Gathered {
  readonly room: RoomId
  /** In the order of the seats. */
  readonly sessions: readonly FakeSession[]
  readonly host: FakeSession
}

function routerOf(session: FakeSession): Router {
  const home = homes.get(session)
  if (home === undefined) throw new Error('the session is connected to no node')
  return home.rooms.router
}

const lineOf = (details: object, text: string): string => `${text} ${JSON.stringify(details)}`

const isReply = (message: ServerMessage): message is Reply =>
  ['ack', 'error', 'event', 'snapshot'].includes(message.type)

function playerToMove(view: RoomView): PlayerId | null {
  const seat: Seat | null = view.game?.toMove ?? null
  return seat === null ? null : (view.seats[seat]?.player.id ?? null)
}
