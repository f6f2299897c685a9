import type { PlayerId, RoomId } from '@junqi/protocol'
import {
  type AppendRequest,
  type AppendResult,
  LogDamagedError,
  type Rng,
  type Store,
} from '../ports.ts'
import type { Session } from '../socket/session.ts'
import { type FaultLog, traceOf } from './fault-log.ts'
import { Presence } from './presence.ts'
import { type Replayed, replay } from './replay.ts'
import { RoomActor, type RoomDeps } from './room-actor.ts'
import { type RoomState, seated } from './room-state.ts'
import { Sweeper } from './sweeper.ts'

/** Rooms that nobody needs just now, and are kept because reading a log again costs more. */
const IDLE_ROOMS = 128

export interface RegistryDeps {
  readonly store: Store
  readonly rng: Rng
  readonly log: FaultLog
}

/** The rooms in this process's memory: opened on demand, dropped when idle. All of it is a cache of the store. */
export class RoomRegistry implements RoomDeps {
  readonly store: Store
  readonly rng: Rng
  readonly log: FaultLog
  readonly #rooms = new Map<RoomId, RoomActor>()
  readonly #opening = new Map<RoomId, Promise<RoomActor | null>>()
  /** The one that has been idle longest first. */
  readonly #idle = new Set<RoomActor>()
  readonly #presence = new Presence()
  readonly #seatedIn = new IndexOf<PlayerId, RoomActor>()
  readonly #hostedBy = new IndexOf<PlayerId, RoomId>()
  readonly #queued = new IndexOf<RoomId, Promise<void>>()
  readonly #watching = new Map<Session, Set<RoomActor>>()
  readonly #sweeper: Sweeper

  constructor({ store, rng, log }: RegistryDeps) {
    this.store = store
    this.rng = rng
    this.log = log
    this.#sweeper = new Sweeper({
      store,
      expire: (room) => this.#expire(room),
      fault: (error) => log.error(traceOf(error), 'sweep fault'),
    })
  }

  /** How many rooms are in memory. */
  get size(): number {
    return this.#rooms.size
  }

  start(): Promise<void> {
    return this.#sweeper.start()
  }

  /** Resolves when every append in hand is durable. */
  async stop(): Promise<void> {
    await this.#sweeper.stop()
    await Promise.all([...this.#rooms.values()].map((actor) => actor.settled()))
  }

  /** A room that is in memory, at once. */
  get(room: RoomId): RoomActor | null {
    return this.#rooms.get(room) ?? null
  }

  /** The room, read from the store if need be; null: there is none. */
  async open(room: RoomId): Promise<RoomActor | null> {
    const known = this.#rooms.get(room)
    if (known !== undefined) return known
    const opening = this.#opening.get(room) ?? this.#load(room)
    this.#opening.set(room, opening)
    try {
      return await opening
    } finally {
      this.#opening.delete(room)
    }
  }

  /** Takes in a room whose log is in hand. */
  admit(room: RoomId, replayed: Replayed): RoomActor {
    const actor = this.#rooms.get(room) ?? new RoomActor(room, this, replayed)
    if (!actor.hasFailed && !this.#rooms.has(room)) {
      this.#rooms.set(room, actor)
      this.changed(actor, null)
      if (actor.isIdle) this.idle(actor)
    }
    return actor
  }

  async #load(room: RoomId): Promise<RoomActor | null> {
    const replayed = await this.#replay(room)
    const isFailed = await this.store.isFailed(room)
    const { state, fault } = replayed
    if (fault !== null && !isFailed) {
      this.log.error({ room, version: state?.version ?? 0, ...traceOf(fault) }, 'room failed')
      await this.store.markFailed(room)
    }
    if (state === null) return null
    return this.admit(room, isFailed ? { ...replayed, fault: 'failed' } : replayed)
  }

  async #replay(room: RoomId): Promise<Replayed> {
    try {
      return replay(await this.store.read(room, 0))
    } catch (fault) {
      if (!(fault instanceof LogDamagedError)) throw fault
      return { log: [], state: null, fault }
    }
  }

  /** Whether what was due in the room has happened. */
  async #expire(room: RoomId): Promise<boolean> {
    // What came in time counts, also if it has to wait for its sender's messages before it (F-T1).
    await Promise.all(this.#queued.get(room))
    const actor = await this.open(room)
    return actor !== null && (await actor.expire()).ok
  }

  /** What the store gave up may happen all the same, and later: its deadline is not to be missed. */
  async append(request: AppendRequest): Promise<AppendResult> {
    try {
      return await this.store.append(request)
    } catch (error) {
      this.#sweeper.arm(request.deadline)
      throw error
    }
  }

  /** A player's message to a room waits for others. The function returned says that it does no longer. */
  queued(player: PlayerId, room: RoomId): () => void {
    const actor = this.#rooms.get(room)
    // Nobody else can be late.
    if (actor === undefined || !this.#seatedIn.get(player).has(actor)) return () => {}
    let release = (): void => {}
    const handled = new Promise<void>((resolve) => {
      release = resolve
    })
    this.#queued.add(room, handled)
    return () => {
      this.#queued.delete(room, handled)
      release()
    }
  }

  // Who is connected

  connect(session: Session): void {
    this.#watching.set(session, NOTHING)
    const player = session.player.id
    if (this.#presence.connect(player)) this.#tellPresence(player, null)
  }

  /** Only the session's own subscriptions end, whatever else its player has open (F-R3). */
  disconnect(session: Session): void {
    const watched = this.#watching.get(session)
    if (watched === undefined) return
    this.#watching.delete(session)
    for (const actor of watched) actor.unsubscribe(session)
    const player = session.player.id
    if (this.#presence.disconnect(player)) this.#tellPresence(player, this.store.clock.now())
  }

  #tellPresence(player: PlayerId, goneSince: number | null): void {
    for (const actor of this.#seatedIn.get(player)) actor.presenceChanged(player, goneSince)
  }

  isConnected(player: PlayerId): boolean {
    return this.#presence.isConnected(player)
  }

  // Who watches

  watchedBy(session: Session): ReadonlySet<RoomActor> {
    return this.#watching.get(session) ?? NOTHING
  }

  watched(actor: RoomActor, session: Session): boolean {
    const others = this.#watching.get(session)
    if (others === undefined) return false
    this.#watching.set(session, new Set([...others, actor]))
    return true
  }

  dropped(actor: RoomActor, session: Session): void {
    if (!this.#watching.has(session)) return
    const others = [...this.watchedBy(session)].filter((other) => other !== actor)
    this.#watching.set(session, others.length === 0 ? NOTHING : new Set(others))
  }

  // What rooms tell

  changed(actor: RoomActor, before: RoomState | null): void {
    const { state } = actor
    this.#sweeper.arm(state.deadline)
    if (before?.seats !== state.seats) this.#indexSeats(actor, before, state)
    if (before === null || !isHostedAlike(before, state)) this.#indexHost(actor, before)
  }

  #indexHost({ room, state }: RoomActor, before: RoomState | null): void {
    if (before !== null) this.#hostedBy.delete(before.host, room)
    const isLive = !state.closed && state.phase !== 'finished'
    if (isLive) this.#hostedBy.add(state.host, room)
    else this.#hostedBy.delete(state.host, room)
  }

  idle(actor: RoomActor): void {
    if (this.#rooms.get(actor.room) !== actor) return
    this.#idle.delete(actor)
    this.#idle.add(actor)
    for (const oldest of this.#idle) {
      if (this.#idle.size <= IDLE_ROOMS) break
      this.#idle.delete(oldest)
      if (oldest.isIdle) this.#forget(oldest)
    }
  }

  gone(actor: RoomActor): void {
    this.#hostedBy.delete(actor.state.host, actor.room)
    this.#forget(actor)
  }

  #forget(actor: RoomActor): void {
    this.#idle.delete(actor)
    if (this.#rooms.get(actor.room) === actor) this.#rooms.delete(actor.room)
    this.#indexSeats(actor, actor.state, null)
  }

  #indexSeats(actor: RoomActor, before: RoomState | null, after: RoomState | null): void {
    for (const player of playersIn(before)) this.#seatedIn.delete(player, actor)
    for (const player of playersIn(after)) this.#seatedIn.add(player, actor)
  }

  /** Rooms in memory in which a player sits. */
  roomsOf(player: PlayerId): Iterable<RoomActor> {
    return this.#seatedIn.get(player)
  }

  /** While a room is being made it counts as its host's already. */
  async reserving<T>(host: PlayerId, room: RoomId, make: () => Promise<T>): Promise<T> {
    const isNew = !this.#hostedBy.get(host).has(room)
    this.#hostedBy.add(host, room)
    try {
      return await make()
    } finally {
      if (isNew) this.#hostedBy.delete(host, room)
    }
  }

  /** Live rooms of a host, as far as this process has seen them. */
  hosted(player: PlayerId): number {
    return this.#hostedBy.get(player).size
  }
}

const NOTHING: Set<RoomActor> = new Set()

const playersIn = (state: RoomState | null): readonly PlayerId[] =>
  state === null ? [] : seated(state).map(({ occupant }) => occupant.player.id)

const isHostedAlike = (one: RoomState, other: RoomState): boolean =>
  one.host === other.host && one.phase === other.phase && one.closed === other.closed

/** Several values for a key; keys without any are not kept. */
class IndexOf<Key, Value> {
  readonly #values = new Map<Key, Set<Value>>()

  get(key: Key): ReadonlySet<Value> {
    return this.#values.get(key) ?? new Set()
  }

  add(key: Key, value: Value): void {
    const values = this.#values.get(key)
    if (values === undefined) this.#values.set(key, new Set([value]))
    else values.add(value)
  }

  delete(key: Key, value: Value): void {
    const values = this.#values.get(key)
    values?.delete(value)
    if (values?.size === 0) this.#values.delete(key)
  }
}
