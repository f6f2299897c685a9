import type { PlayerId, RoomId } from '@junqi/protocol'
import {
  type AppendRequest,
  type AppendResult,
  type Hints,
  LogDamagedError,
  type Rng,
  type Store,
  StoreUnavailableError,
  type ToldEntry,
} from '../ports.ts'
import type { Rate } from '../rate-limit.ts'
import { readScoredFrame } from '../scores/scored-frame.ts'
import type { Session } from '../socket/session.ts'
import { atMost } from './at-most.ts'
import { type FaultLog, traceOf } from './fault-log.ts'
import { hostWithOneLess } from './hosting.ts'
import { IndexOf } from './index-of.ts'
import { LobbyFeed } from './lobby-feed.ts'
import { Mutes } from './mutes.ts'
import type { RoomObserver } from './observer.ts'
import { Presence } from './presence.ts'
import { type Replayed, replay } from './replay.ts'
import { ANY_VERSION, RoomActor, type RoomDeps } from './room-actor.ts'
import { type RoomState, seated } from './room-state.ts'
import { Seats } from './seats.ts'
import { ALONE, amongOthers } from './sweep-turns.ts'
import { Sweeper } from './sweeper.ts'

/** Rooms that nobody needs just now, and are kept because reading a log again costs more. */
const IDLE_ROOMS = 128
/** Rooms that are compared with the store at once. */
const COMPARED_AT_ONCE = 32
/** How often it is looked whether other nodes still have the players, and whether rooms here lag behind. */
const CHECK_MS = 3_000

export interface RegistryDeps {
  readonly store: Store
  readonly rng: Rng
  readonly log: FaultLog
  readonly observer: RoomObserver
  /** What one player may say, in all rooms and over whichever node. */
  readonly chatRate: Rate
  /** Rooms in which one bot may sit. */
  readonly botGames: number
  /** This node wrote the end of the room's game. */
  ended?(room: RoomId): void
}

/** The rooms in this process's memory: opened on demand, dropped when idle. All of it is a cache of the store. */
export class RoomRegistry implements RoomDeps, Hints {
  readonly store: Store
  readonly rng: Rng
  readonly log: FaultLog
  readonly observer: RoomObserver
  readonly #rooms = new Map<RoomId, RoomActor>()
  readonly #opening = new Map<RoomId, Promise<RoomActor | null>>()
  /** The one that has been idle longest first. */
  readonly #idle = new Set<RoomActor>()
  readonly #seatedIn = new IndexOf<PlayerId, RoomActor>()
  readonly #queued = new IndexOf<RoomId, Promise<void>>()
  readonly #watching = new Map<Session, Set<RoomActor>>()
  readonly seats: Seats
  readonly mutes: Mutes
  readonly chatRate: Rate
  readonly lobby: LobbyFeed
  readonly #presence: Presence
  readonly #sweeper: Sweeper
  readonly #ended: (room: RoomId) => void
  #cancelCheck = (): void => {}
  #comparing: Promise<void> | null = null
  #isComparisonAsked = false
  #isStopped = false

  constructor({ store, rng, log, observer, chatRate, botGames, ended = () => {} }: RegistryDeps) {
    this.store = store
    this.rng = rng
    this.log = log
    this.observer = observer
    this.chatRate = chatRate
    this.#ended = ended
    this.#presence = new Presence({
      store,
      seated: this.#seatedIn,
      tell: (player, goneSince) => {
        for (const actor of this.#seatedIn.get(player)) actor.presenceChanged(player, goneSince)
      },
      fault: (error) => log.error(traceOf(error), 'presence fault'),
    })
    this.seats = new Seats({
      store,
      botGames,
      open: (room) => this.open(room),
      fault: (error) => log.error(traceOf(error), 'seats fault'),
    })
    this.lobby = new LobbyFeed({
      store,
      isOpen: (session) => this.#watching.has(session),
      fault: (error) => log.error(traceOf(error), 'lobby fault'),
    })
    this.mutes = new Mutes({
      store,
      fault: (error) => log.error(traceOf(error), 'mutes fault'),
    })
    this.#sweeper = new Sweeper({
      store,
      turns: store.isShared ? amongOthers(rng) : ALONE,
      isOpen: (room) => this.#rooms.has(room),
      expire: (room) => this.#expire(room),
      served: (lagMs) => observer.swept(lagMs),
      fault: (error) => log.error(traceOf(error), 'sweep fault'),
    })
  }

  /** How many rooms are in memory. */
  get size(): number {
    return this.#rooms.size
  }

  start(): Promise<void> {
    this.store.listen(this)
    if (this.store.isShared) this.#scheduleCheck()
    this.seats.start()
    return this.#sweeper.start()
  }

  /** Resolves when every append in hand is durable. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelCheck()
    this.seats.stop()
    this.lobby.stop()
    await this.#sweeper.stop()
    await Promise.all([this.#comparing, this.#presence.settled()])
    await Promise.all([...this.#rooms.values()].map((actor) => actor.stop()))
  }

  /** A room that is in memory, at once. */
  get(room: RoomId): RoomActor | null {
    return this.#rooms.get(room) ?? null
  }

  /** The room, read from the store if need be; null: there is none. */
  async open(room: RoomId): Promise<RoomActor | null> {
    const known = this.#rooms.get(room)
    known?.hold()
    if (known !== undefined) return known
    return this.#opening.get(room) ?? this.#open(room)
  }

  #open(room: RoomId): Promise<RoomActor | null> {
    const opening = this.#load(room).finally(() => this.#opening.delete(room))
    this.#opening.set(room, opening)
    return opening
  }

  /** Takes in a room that this node has made. Where others write as well it is opened like any other, by who needs it. */
  made(room: RoomId, replayed: Made): void {
    this.seats.wrote(room, null, replayed.state)
    this.lobby.wrote(null, replayed.state)
    if (!this.store.isShared) this.#admit(room, replayed).rest()
  }

  /** Hints are followed first: who watches, which begins with a look, must miss none that comes after it. */
  async #load(room: RoomId): Promise<RoomActor | null> {
    await this.store.follow(room)
    try {
      return await this.#read(room)
    } finally {
      if (!this.#rooms.has(room)) this.store.unfollow(room)
    }
  }

  async #read(room: RoomId): Promise<RoomActor | null> {
    const replayed = await this.#replay(room)
    const isFailed = await this.store.isFailed(room)
    const { state, fault } = replayed
    if (fault !== null && !isFailed) {
      this.log.error({ room, version: state?.version ?? 0, ...traceOf(fault) }, 'room failed')
      await this.store.markFailed(room)
    }
    if (state === null) return null
    const isServed = fault === null && !isFailed
    if (isServed && this.store.isShared) await this.#presence.learn(playersIn(state))
    return this.#admit(room, isFailed ? { ...replayed, fault: 'failed' } : replayed)
  }

  async #replay(room: RoomId): Promise<Replayed> {
    try {
      return replay(await this.store.read(room, 0))
    } catch (fault) {
      if (!(fault instanceof LogDamagedError)) throw fault
      return { log: [], state: null, data: null, fault }
    }
  }

  #admit(room: RoomId, replayed: Replayed): RoomActor {
    const actor = this.#rooms.get(room) ?? new RoomActor(room, this, replayed)
    if (!actor.hasFailed && !this.#rooms.has(room)) {
      this.#rooms.set(room, actor)
      this.changed(actor, null)
    }
    return actor
  }

  /** Whether what was due in the room has happened. */
  async #expire(room: RoomId): Promise<boolean> {
    // What came in time counts, also if it has to wait for its sender's messages before it (F-T1).
    await Promise.all(this.#queued.get(room))
    const actor = await this.open(room)
    if (actor === null) await this.#clearAfter(room)
    return actor !== null && (await actor.expire()).ok
  }

  /** Deadline and line in the lobby list of a room that has no log any more go after it (F-C7). */
  async #clearAfter(room: RoomId): Promise<void> {
    if ((await this.store.version(room)) === 0) await this.store.remove(room)
  }

  /** What the store gave up may happen all the same, and later: its deadline is not to be missed. */
  append(request: AppendRequest): Promise<AppendResult> {
    const answered = this.observer.appending()
    return this.store.append(request).then(
      (result) => {
        answered()
        return result
      },
      (error: unknown) => {
        answered()
        this.#sweeper.arm(request.deadline)
        throw error
      },
    )
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
    this.#presence.connect(session.player.id)
    this.seats.connect(session)
    this.mutes.connect(session)
  }

  /** Only the session's own subscriptions end, whatever else its player has open (F-R3). */
  disconnect(session: Session): void {
    const watched = this.#watching.get(session)
    if (watched === undefined) return
    this.#watching.delete(session)
    for (const actor of watched) actor.unsubscribe(session)
    this.lobby.unwatch(session)
    this.seats.disconnect(session)
    this.mutes.disconnect(session)
    this.#presence.disconnect(session.player.id)
  }

  isConnected(player: PlayerId): boolean {
    return this.#presence.isConnected(player)
  }

  isAnyConnected(players: readonly PlayerId[]): Promise<boolean> {
    return this.#presence.isAnyConnected(players)
  }

  connectedOf(players: readonly PlayerId[]): Promise<ReadonlySet<PlayerId>> {
    return this.#presence.connectedOf(players)
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
  }

  wrote({ room, state }: RoomActor, before: RoomState): void {
    this.seats.wrote(room, before, state)
    this.lobby.wrote(before, state)
    if (before.phase !== 'finished' && state.phase === 'finished') this.#ended(room)
    const host = hostWithOneLess(before, state)
    // Who makes too many rooms later has them looked at again.
    if (host !== null) this.store.uncountRoom(host, room).catch((error) => this.#passOver(error))
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
    this.lobby.touched()
    this.#forget(actor)
  }

  #forget(actor: RoomActor): void {
    const { room, state } = actor
    this.#idle.delete(actor)
    actor.retire()
    if (this.#rooms.get(room) !== actor) return
    this.#rooms.delete(room)
    this.#indexSeats(actor, state, null)
    this.store.unfollow(room)
  }

  #indexSeats(actor: RoomActor, before: RoomState | null, after: RoomState | null): void {
    const players = playersIn(after)
    const newcomers = players.filter((player) => !this.#seatedIn.has(player))
    for (const player of playersIn(before)) this.#seatedIn.delete(player, actor)
    for (const player of players) this.#seatedIn.add(player, actor)
    for (const player of playersIn(before)) {
      if (!this.#seatedIn.has(player)) this.#presence.forget(player)
    }
    if (before !== null) this.#presence.ask(newcomers)
  }

  /** Rooms in memory in which a player sits. */
  roomsOf(player: PlayerId): Iterable<RoomActor> {
    return this.#seatedIn.get(player)
  }

  // What other nodes did (Hints)

  roomChanged(room: RoomId, version: number, told: ToldEntry | null = null): void {
    this.#rooms.get(room)?.heard(version, told)
  }

  roomGone(room: RoomId): void {
    const actor = this.#rooms.get(room)
    if (actor?.isIdle) this.#forget(actor)
    else this.roomChanged(room, ANY_VERSION)
  }

  chatSaid(room: RoomId): void {
    this.#rooms.get(room)?.chatSaid()
  }

  playerMuted(player: PlayerId): void {
    void this.mutes.changed(player)
  }

  onlookersChanged(room: RoomId): void {
    this.#rooms.get(room)?.onlookersChanged()
  }

  mutedBy(player: PlayerId): Promise<ReadonlySet<PlayerId>> {
    return this.mutes.of(player)
  }

  draftSaved(room: RoomId, player: PlayerId): void {
    void this.#rooms.get(room)?.draftSaved(player)
  }

  playerSeen(player: PlayerId): void {
    this.#presence.ask([player])
  }

  playerSeated(player: PlayerId, room: RoomId): void {
    this.seats.tell(player, room)
  }

  lobbyChanged(): void {
    this.lobby.changed()
  }

  gameHandedOn(room: RoomId): void {
    const read = () => readScoredFrame(this.store, room)
    this.#rooms
      .get(room)
      ?.tellAll(read)
      .catch((error) => this.#passOver(error))
  }

  storeReplaced(): void {
    this.lobby.changed()
    this.#presence.askForAll()
    this.#isComparisonAsked = true
    this.#comparing ??= this.#compareWhileAsked()
  }

  async #compareWhileAsked(): Promise<void> {
    while (this.#isComparisonAsked && !this.#isStopped) {
      this.#isComparisonAsked = false
      await atMost(COMPARED_AT_ONCE, [...this.#rooms.values()], (actor) => actor.compare())
    }
    this.#comparing = null
  }

  /** Hints may be lost, other nodes may die, and reading what they wrote may have failed. */
  #scheduleCheck(): void {
    const { clock } = this.store
    this.#cancelCheck = clock.schedule(clock.now() + CHECK_MS, () => {
      this.#presence.askForAll()
      for (const actor of this.#rooms.values()) if (actor.isLagging) void actor.compare()
      this.#scheduleCheck()
    })
  }

  #passOver(error: unknown): void {
    if (!(error instanceof StoreUnavailableError)) this.log.error(traceOf(error), 'store fault')
  }
}

/** A room as its first entry made it. */
type Made = Replayed & { readonly state: RoomState }

const NOTHING: Set<RoomActor> = new Set()

const playersIn = (state: RoomState | null): readonly PlayerId[] =>
  state === null ? [] : seated(state).map(({ occupant }) => occupant.player.id)
