import { err, type Formation, invariant, ok, parseFormation } from '@junqi/engine'
import type {
  ChatPosition,
  EncodedMessage,
  Player,
  PlayerId,
  RoomId,
  RoomView,
} from '@junqi/protocol'
import {
  type AppendRequest,
  type AppendResult,
  type Rng,
  type ServiceTime,
  type Store,
  StoreUnavailableError,
  type ToldEntry,
} from '../ports.ts'
import type { Rate } from '../rate-limit.ts'
import type { Session } from '../socket/session.ts'
import { mayEnter } from './access.ts'
import { Chat, type Speech } from './chat.ts'
import { type Refusal, refusal, refuse } from './decision.ts'
import { type FaultLog, traceOf } from './fault-log.ts'
import { Mailbox } from './mailbox.ts'
import type { RoomObserver } from './observer.ts'
import { Onlookers } from './onlookers.ts'
import type { Asker } from './publisher.ts'
import type { Replayed } from './replay.ts'
import { busy, type Outcome, type Request } from './request.ts'
import { asCommand, type PlayerAction, type RoomCommand } from './room-command.ts'
import type { RoomEvent } from './room-event.ts'
import { RoomLog } from './room-log.ts'
import { decideRoom } from './room-reducer.ts'
import { haveLeftAlike, maySee, type RoomState, seated, seatOf } from './room-state.ts'
import { drawSalts } from './sealing.ts'
import { type SeatHolder, type Seats, withoutPlace } from './seats.ts'
import { isRunning, watchOf } from './spectating.ts'

/** Commands that may wait for a room, and those among them that may be of people who do not sit there (F-M4). */
const MAILBOX_CAPACITY = 256
const STRANGERS_SHARE = 128
/** How often a command is decided anew because another node was faster. */
const ATTEMPTS = 8
/** Newer than any version: whatever the store has is looked at. */
export const ANY_VERSION = Number.MAX_SAFE_INTEGER

/** What a room's actor needs, and whom it tells. */
export interface RoomDeps {
  readonly store: Store
  readonly rng: Rng
  readonly log: FaultLog
  readonly observer: RoomObserver
  append(request: AppendRequest): Promise<AppendResult>
  readonly seats: Pick<Seats, 'note'>
  /** As far as this node knows. */
  isConnected(player: PlayerId): boolean
  /** Whether one of them is, to whichever node. */
  isAnyConnected(players: readonly PlayerId[]): Promise<boolean>
  /** After the room was opened (`before` is null), and after each entry. */
  changed(actor: RoomActor, before: RoomState | null): void
  /** What one player may say. */
  readonly chatRate: Rate
  /** Whom a player who is connected here does not hear. */
  mutedBy(player: PlayerId): Promise<ReadonlySet<PlayerId>>
  /** This node wrote the entry. */
  wrote(actor: RoomActor, before: RoomState): void
  /** The session watches the room from now on; false: it is closed. */
  watched(actor: RoomActor, session: Session): boolean
  /** It does no longer. */
  dropped(actor: RoomActor, session: Session): void
  /** Nothing is waiting, and nobody watches. */
  idle(actor: RoomActor): void
  /** The room failed, or was removed from the store. */
  gone(actor: RoomActor): void
}

/** What a session that watches has already, and wants. */
export interface WatchFrom {
  readonly since: number | null
  readonly heard: readonly ChatPosition[]
  /** Whether it lets itself be named while it looks on. */
  readonly isShown: boolean
}

/** One room: the only writer of its log in this process. Decides, evolves, appends, adopts, publishes, in this order. */
export class RoomActor {
  readonly room: RoomId
  readonly #deps: RoomDeps
  readonly #mailbox = new Mailbox(() => this.rest())
  readonly #log: RoomLog
  readonly #chat: Chat
  readonly #onlookers: Onlookers
  /** Somebody has asked for it, and has not used it yet. */
  #isAwaited = true
  /** Questions over HTTP that it is still answering. */
  #questions = 0
  #expiry: Promise<Outcome> | null = null
  /** A look at the store that waits its turn, and the version that it is for. */
  #look: Promise<Outcome> | null = null
  #sought = 0
  /** Entries that were told meanwhile, as they came. */
  #told: ToldEntry[] = []

  constructor(room: RoomId, deps: RoomDeps, replayed: Replayed) {
    this.room = room
    this.#deps = deps
    const { store, log, observer } = deps
    this.#log = new RoomLog(
      room,
      {
        store,
        observer,
        faults: log,
        append: (request) => deps.append(request),
        isConnected: (player) => deps.isConnected(player),
        changed: (before) => {
          const hasLeft = !haveLeftAlike(before, this.state)
          if (hasLeft || isOtherwiseSeated(before, this.state)) this.#onlookers.changed()
          // Who has left hears spectators: from now on, not from when somebody talks of whom it must not know (R-CHAT-6).
          if (hasLeft) void this.#chat.look()
          deps.changed(this, before)
        },
        wrote: (before) => deps.wrote(this, before),
        dropped: (session) => {
          deps.dropped(this, session)
          this.#onlookers.changed()
        },
        gone: () => deps.gone(this),
      },
      replayed,
    )
    const watchers = {
      state: () => this.state,
      sessions: () => this.#log.audience.sessions,
      fault: (error: unknown) => log.error({ room, ...traceOf(error) }, 'chat fault'),
    }
    this.#chat = new Chat(room, {
      ...watchers,
      store,
      rate: deps.chatRate,
      shown: () => this.#onlookers.shown,
      mutedBy: (player) => deps.mutedBy(player),
    })
    this.#onlookers = new Onlookers(room, { ...watchers, store })
  }

  get state(): RoomState {
    return this.#log.state
  }

  get hasFailed(): boolean {
    return this.#log.end === 'room_failed'
  }

  /** Whether the room can leave memory: nothing runs, nobody watches, and nobody waits for anybody. */
  get isIdle(): boolean {
    if (this.#isAwaited || this.#questions > 0) return false
    if (!this.#mailbox.isEmpty || !this.#log.audience.isEmpty) return false
    // Whatever its phase, any node can open it again.
    if (this.#deps.store.isShared) return true
    const { phase, closed } = this.state
    if (closed || phase === 'finished') return true
    return phase === 'lobby' && seated(this.state).length === 0
  }

  /** Whether the store is known to hold something else, perhaps. */
  get isBehind(): boolean {
    return this.#log.isBehind
  }

  /** Whether those who watch here may not have been told everything. */
  get isLagging(): boolean {
    return this.isBehind && !this.#log.audience.isEmpty
  }

  /** Resolves when all that was asked so far is answered. */
  async settled(): Promise<void> {
    await this.#mailbox.settled()
    await this.#log.drafts.settled()
    await this.#chat.settled()
  }

  /** Nothing more is asked of it. Resolves when all that was asked is answered. */
  async stop(): Promise<void> {
    await this.settled()
    await this.#onlookers.end()
  }

  /** It is going to be used. */
  hold(): void {
    this.#isAwaited = true
  }

  /** Whoever asked for it needs it no more. */
  rest(): void {
    this.#isAwaited = false
    if (this.isIdle) this.#deps.idle(this)
  }

  /** It leaves memory. */
  retire(): void {
    void this.#onlookers.end()
    this.#log.retire()
  }

  // What players ask

  /** However many others ask, who plays is heard. */
  #isFullFor(player: PlayerId): boolean {
    const isAtTable = seatOf(this.state, player) !== null || player === this.state.host
    return this.#mailbox.waiting >= (isAtTable ? MAILBOX_CAPACITY : STRANGERS_SHARE)
  }

  /** Decides a command after those before it. Never rejects. */
  async submit(request: Request): Promise<Outcome> {
    const { player, action } = request
    if (this.#isFullFor(player.id)) return busy(mayEnter(this.state, player.id, action))
    const answered = this.#deps.observer.commanded()
    const done = await this.#run(() => this.#execute(request), player.id)
    const outcome = 'aside' in done ? await done.aside : done
    answered()
    return outcome
  }

  /** Sends a snapshot, or what the client missed since a version, and everything from then on. */
  async subscribe(asker: Asker, from: WatchFrom): Promise<Outcome> {
    const player = asker.session.player.id
    if (this.#isFullFor(player)) return busy(maySee(this.state, player))
    return this.#run(async () => {
      // Who comes from another node is never shown less than it saw there.
      if (this.#log.isBehind || this.#deps.store.isShared) await this.#log.catchUp(null)
      if (this.#log.end !== null) return this.#endedFor(player)
      const problem = this.#problemOfWatching(player)
      if (problem !== null) return this.#firstAnswer(null, problem)
      const draft = await this.#draftOf(player)
      // A session may have closed meanwhile.
      if (this.#deps.watched(this, asker.session)) {
        const isWatching = this.#log.audience.has(asker.session)
        this.#log.audience.add(this.state, asker, { since: this.#resumable(from.since), draft })
        this.#chat.greet(asker.session, { heard: from.heard, isWatching })
        this.#onlookers.greet(asker.session, from.isShown)
        if (!this.#log.drafts.isShownByAll(player, draft)) void this.draftSaved(player)
      }
      return ok({ version: null, isAnnounced: true })
    }, player)
  }

  /** Who was away while a shared store lost entries has seen some that others stand in the place of now: it begins anew (F-C4). */
  #resumable(since: number | null): number | null {
    return this.#deps.store.isShared ? null : since
  }

  unsubscribe(session: Session): void {
    this.#log.audience.remove(session)
    this.#onlookers.changed()
    this.rest()
  }

  /** The room as a player sees it, or a spectator; null: not for this viewer. */
  view(player: PlayerId | null): Promise<RoomView | null> {
    return this.#asked(async () => {
      const draft = player === null ? null : await this.#draftOf(player)
      return this.#isSeenBy(player) ? this.#log.audience.view(this.state, player, draft) : null
    })
  }

  /** Whether `view` shows it. */
  isShown(player: PlayerId | null): Promise<boolean> {
    return this.#asked(async () => this.#isSeenBy(player))
  }

  #isSeenBy(player: PlayerId | null): boolean {
    if (this.#log.end !== null || !maySee(this.state, player)) return false
    return watchOf(this.state, player) !== 'none'
  }

  /** The room as a player may know of it; null: not while its game runs. */
  shownTo(player: PlayerId): RoomState | null {
    return this.#log.audience.shownTo(player, this.state)
  }

  /** Says something to those who hear the channel. */
  say(player: Player, speech: Speech): Promise<Outcome> {
    return this.#asked(async () =>
      this.#log.end === null ? this.#chat.say(player, speech) : this.#endedFor(player.id),
    )
  }

  /** The host lets a player say nothing here, or lets it again. */
  silence(player: PlayerId, target: PlayerId, isSilenced: boolean): Promise<Outcome> {
    return this.#asked(async () => {
      if (this.#log.end !== null) return this.#endedFor(player)
      if (!maySee(this.state, player)) return refuse('room_not_found')
      return this.#chat.silence(player, target, isSilenced)
    })
  }

  /** Something was said at another node. */
  chatSaid(): void {
    if (!this.#log.audience.isEmpty) void this.#chat.look()
  }

  /** Others look on than before, here or at another node. */
  onlookersChanged(): void {
    if (!this.#log.audience.isEmpty) this.#onlookers.changed()
  }

  /** The room stays in memory until the question is answered. */
  async #asked<Answer>(answer: () => Promise<Answer>): Promise<Answer> {
    this.#questions++
    try {
      if (this.#deps.store.isShared) await this.refresh()
      return await answer()
    } finally {
      this.#questions--
      this.rest()
    }
  }

  // What time and other nodes bring

  /** The room's deadline may have come. Resolves when what was due has happened, or could not. */
  expire(): Promise<Outcome> {
    this.#expiry ??= this.#run(() => this.#expire(), null).finally(() => {
      this.#expiry = null
    })
    return this.#expiry
  }

  /** Who runs the server closes the room (R-ROOM-6). */
  close(): Promise<Outcome> {
    return this.#run(() => this.#close(), null)
  }

  /** Reads what the store has now. */
  async refresh(): Promise<void> {
    const looked = await this.#lookFor(ANY_VERSION)
    if (!looked.ok && looked.error.code === 'unavailable') {
      throw new StoreUnavailableError('The room could not be read')
    }
  }

  /** Nobody watches here, nor is just being shown the room. */
  get #isUnwatched(): boolean {
    return this.#log.audience.isEmpty && this.#mailbox.isEmpty
  }

  /**
   * The log may have this version; `told`: what came with that news. What nobody watches is read when it is needed; but
   * who is just being shown the room may be shown what it was before, and is then told what came next.
   */
  heard(version: number, told: ToldEntry | null): void {
    if (version <= this.state.version) return
    if (this.#isUnwatched) this.#log.fallBehind()
    else {
      if (told !== null) this.#told.push(told)
      void this.#lookFor(version)
    }
  }

  /** The store may have something else than this node knows. Resolves when that is looked at, if somebody watches. */
  async compare(): Promise<void> {
    this.#log.fallBehind()
    this.#chat.forget()
    if (this.#isUnwatched) return
    await this.#lookFor(ANY_VERSION)
    const { players } = this.#log.audience
    await Promise.all([...players].map((player) => this.draftSaved(player)))
    await this.#chat.look()
  }

  /**
   * The player may have a newer draft. Told to its own sockets, and apart from the mailbox:
   * nobody else waits for it, or can tell that there is one (R-DEPLOY-6).
   */
  async draftSaved(player: PlayerId): Promise<void> {
    // It may just be being shown the room, with the draft before.
    await this.#mailbox.passed()
    if (!this.#log.audience.players.has(player) || this.state.game !== null) return
    await this.#guard(async () => {
      this.#tellDraft(player, await this.#log.drafts.look(player))
    }, player)
  }

  /** Something is read, and told to all who watch, when they have been told all entries that there are. */
  async tellAll(read: () => Promise<EncodedMessage | null>): Promise<void> {
    if (this.#log.audience.isEmpty) return
    await this.refresh()
    const frame = await read()
    if (frame !== null) this.#log.audience.tellAll(frame)
  }

  /** A seated player is here, or gone since then. */
  presenceChanged(player: PlayerId, goneSince: ServiceTime | null): void {
    this.#log.audience.tellPresence(player, goneSince)
  }

  /** Catches up after what waits now. Those who ask before that begins share one look. */
  #lookFor(version: number): Promise<Outcome> {
    this.#sought = Math.max(this.#sought, version)
    if (this.#look !== null) return this.#look
    const isToWait = !this.#mailbox.isEmpty
    const look = this.#run(() => this.#seek(), null)
    if (isToWait) this.#look = look
    return look
  }

  async #seek(): Promise<Outcome> {
    const sought = this.#sought
    const told = this.#told
    this.#look = null
    this.#sought = 0
    this.#told = []
    // A hint about this node's own entry is none: it may come before the store's answer.
    if (sought === ANY_VERSION) await this.#log.catchUp(null)
    else {
      this.#log.adoptTold(told)
      if (sought > this.state.version) await this.#log.follow()
    }
    return ok({ version: null, isAnnounced: false })
  }

  // One thing after the other

  #run<Done>(job: () => Promise<Done>, player: PlayerId | null): Promise<Done | Outcome> {
    return this.#mailbox.run(() => this.#guard(job, player))
  }

  /** The one place where faults end: of the store, which may pass, and of ours, which stop the room. */
  async #guard<Done>(job: () => Promise<Done>, player: PlayerId | null): Promise<Done | Outcome> {
    if (this.#log.end !== null) return this.#endedFor(player)
    try {
      return await job()
    } catch (error) {
      if (error instanceof StoreUnavailableError) {
        this.#log.fallBehind()
        this.#deps.observer.unanswered()
        return refuse('unavailable')
      }
      await this.#fail(error)
      return this.#endedFor(player)
    }
  }

  #endedFor(player: PlayerId | null): Outcome {
    const code = this.#log.end ?? 'unavailable'
    return refuse(maySee(this.state, player) ? code : 'room_not_found')
  }

  async #fail(error: unknown): Promise<void> {
    const { room } = this
    const { store, log } = this.#deps
    log.error({ room, version: this.state.version, ...traceOf(error) }, 'room failed')
    this.#log.stop('room_failed')
    await store.markFailed(room).catch((why: unknown) => {
      log.error({ room, ...traceOf(why) }, 'the failure of a room could not be kept')
    })
  }

  // Deciding

  /**
   * Decides upon what the log holds now; null of an attempt: another node wrote meanwhile, so once more.
   * `player`: who is told that the room is served no more.
   */
  async #untilDecided<Done>(
    player: PlayerId | null,
    attempt: () => Promise<Done | null>,
  ): Promise<Done | Outcome> {
    for (let count = 0; count < ATTEMPTS; count++) {
      if (this.#log.isBehind) await this.#log.catchUp(null)
      if (this.#log.end !== null) return this.#endedFor(player)
      const done = await attempt()
      if (done !== null) return done
    }
    return refuse('unavailable')
  }

  #execute(request: Request): Promise<Outcome | Aside> {
    const { action, player, receivedAt } = request
    return this.#untilDecided<Outcome | Aside>(player.id, async () => {
      const at = this.#deps.store.clock.now()
      const decided = decideRoom(this.state, asCommand(action, { player, at, receivedAt }))
      if (!decided.ok) {
        return (await this.#hasNews()) ? null : this.#firstAnswer(request, decided.error)
      }
      if (action.type === 'saveDraft') {
        return { aside: this.#guard(() => this.#keepDraft(request, action), player.id) }
      }
      if (action.type === 'submitFormation') await this.#keepDraft(request, action)
      if (decided.value.length === 0) return ok({ version: null, isAnnounced: false })
      const newcomers = seatedBy(decided.value)
      // Of most entries there is nothing to note, and they need not wait.
      const lacking = newcomers.length === 0 ? null : await this.#noteSeats(newcomers, player)
      if (lacking !== null) return this.#firstAnswer(request, withoutPlace(lacking))
      const outcome = await this.#commit(decided.value, at, request)
      if (outcome?.ok && action.type === 'submitFormation') this.#keepLast(player.id, action)
      return outcome
    })
  }

  #expire(): Promise<Outcome> {
    return this.#untilDecided(null, async () => {
      const { rng, store } = this.#deps
      const at = store.clock.now()
      const { deadline, closed } = this.state
      const isDue = deadline !== null && at >= deadline
      if (!isDue || closed) {
        if (await this.#hasNews()) return null
        return isDue ? this.#remove() : refuse('wrong_phase')
      }
      const formations = await this.#log.drafts.ofTheLate(this.state, rng)
      const isAttended = await this.#isAttended()
      const chance = { random: rng.random(), salts: drawSalts(rng) }
      const command: RoomCommand = { type: 'expire', at, isAttended, formations, ...chance }
      const decided = decideRoom(this.state, command)
      return decided.ok ? this.#commit(decided.value, at, null) : decided
    })
  }

  #close(): Promise<Outcome> {
    return this.#untilDecided(null, async () => {
      const decided = decideRoom(this.state, { type: 'close' })
      if (!decided.ok || decided.value.length === 0) {
        if (await this.#hasNews()) return null
        return decided.ok ? ok({ version: null, isAnnounced: false }) : decided
      }
      return this.#commit(decided.value, this.#deps.store.clock.now(), null)
    })
  }

  /** Before the entry is appended. Who has no place is given. */
  #noteSeats(players: readonly Player[], asker: Player): Promise<SeatHolder | null> {
    const version = this.state.version + 1
    return this.#deps.seats.note(this.room, { version, players, askers: [asker] })
  }

  /** null: another node was faster, decide again. */
  #commit(
    events: readonly RoomEvent[],
    at: ServiceTime,
    request: Request | null,
  ): Promise<Outcome | null> {
    const [player, command] = [request?.player.id ?? null, request?.id ?? null]
    return this.#log.commit({ at, player, command, events }, request)
  }

  /** Whether another node wrote what was not decided upon. */
  async #hasNews(): Promise<boolean> {
    const { state } = this
    if (this.#deps.store.isShared) await this.#log.catchUp(null)
    return this.state !== state || this.#log.end !== null
  }

  /**
   * A command that is refused now may have been accepted when it was first sent (F-R2).
   * The store is asked in any case, as it is for a room that does not exist.
   */
  async #firstAnswer(request: Request | null, refused: Refusal): Promise<Outcome> {
    const { store } = this.#deps
    const id = request?.id ?? null
    if (request === null || id === null) {
      await store.version(this.room)
      return err(refused)
    }
    const { player, action } = request
    if (action.type === 'saveDraft') {
      const isKnown = await store.acceptedDraft(this.room, player.id, id)
      return isKnown ? ok({ version: null, isAnnounced: false }) : err(refused)
    }
    return (await this.#log.answerAgain(request)) ?? err(refused)
  }

  async #remove(): Promise<Outcome> {
    const { store } = this.#deps
    // First: of a room that is gone nobody can tell that it is not still being made.
    await store.uncountRoom(this.state.host, this.room)
    await store.remove(this.room)
    this.#log.stop('room_not_found')
    return ok({ version: null, isAnnounced: false })
  }

  /** Whether somebody waits in the lobby. */
  async #isAttended(): Promise<boolean> {
    if (this.state.phase !== 'lobby') return true
    // Bots wait anywhere and for ever: they keep no lobby open.
    const players = seated(this.state)
      .filter(({ occupant }) => occupant.player.bot === undefined)
      .map(({ occupant }) => occupant.player.id)
    return this.#deps.isAnyConnected([this.state.host, ...players])
  }

  /** A formation handed in is a draft as well: what is withdrawn is not lost. */
  async #keepDraft({ player, id }: Request, action: DraftAction): Promise<Outcome> {
    invariant(id !== null, 'drafts come with an id')
    const formation = parseFormation(action.formation)
    invariant(formation.ok, 'only formations that were checked are kept')
    this.#tellDraft(player.id, await this.#log.drafts.save(player.id, id, formation.value))
    return ok({ version: null, isAnnounced: false })
  }

  /** For the player's next room. Nobody waits for it, and that it failed changes nothing (R-DEPLOY-6). */
  #keepLast(player: PlayerId, action: DraftAction): void {
    const formation = parseFormation(action.formation)
    if (!formation.ok) return
    const { preset } = this.state.rules
    this.#deps.store.keepLastFormation(player, preset, formation.value).catch(() => {})
  }

  /** Told to the player's own sockets, until play. */
  #tellDraft(player: PlayerId, news: Formation | null): void {
    if (news !== null && this.state.game === null) this.#log.audience.tellDraft(player, news)
  }

  /** What the player last laid out here; there is none once the game is on. */
  async #draftOf(player: PlayerId): Promise<Formation | null> {
    return this.state.game === null ? this.#log.drafts.read(player) : null
  }

  #problemOfWatching(player: PlayerId): Refusal | null {
    const { closed } = this.state
    if (!maySee(this.state, player)) return refusal('room_not_found')
    if (closed) return refusal('room_closed')
    return watchOf(this.state, player) === 'none' ? refusal('no_spectators') : null
  }
}

/** Whether, though nobody has left a game, somebody may be a spectator now, or none any more, or is told otherwise of them. */
const isOtherwiseSeated = (before: RoomState, after: RoomState): boolean =>
  before.seats !== after.seats || isRunning(before) !== isRunning(after)

/** Who takes a seat by these events. */
function seatedBy(events: readonly RoomEvent[]): readonly Player[] {
  const players: Player[] = []
  for (const event of events) if (event.type === 'seatTaken') players.push(event.player)
  return players
}

type DraftAction = Extract<PlayerAction, { type: 'saveDraft' | 'submitFormation' }>

/** The answer to a draft comes when it is stored. The room does not wait for that: who did could tell that there is one (R-DEPLOY-6). */
interface Aside {
  readonly aside: Promise<Outcome>
}
