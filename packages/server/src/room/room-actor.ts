import {
  checkFormation,
  err,
  type Formation,
  type GameRecord,
  invariant,
  ok,
  type PerSeat,
  parseFormation,
  type Result,
  randomFormation,
  recordOf,
  type Seat,
} from '@junqi/engine'
import type { CommandId, Player, PlayerId, RoomId, RoomView } from '@junqi/protocol'
import {
  type AppendRequest,
  type AppendResult,
  type Rng,
  type ServiceTime,
  type Store,
  StoreUnavailableError,
} from '../ports.ts'
import type { Session } from '../socket/session.ts'
import { Absences } from './absences.ts'
import { mayEnter } from './access.ts'
import { type Refusal, refusal, refuse } from './decision.ts'
import { Drafts } from './drafts.ts'
import { type FaultLog, traceOf } from './fault-log.ts'
import { isListedAlike, listingOf } from './listing.ts'
import { encodeEntry, type LogEntry, parseEntry } from './log-entry.ts'
import { Mailbox } from './mailbox.ts'
import { type Asker, Publisher, type Step } from './publisher.ts'
import { type Replayed, replay } from './replay.ts'
import type { PlayerAction, RoomCommand } from './room-command.ts'
import type { RoomEvent } from './room-event.ts'
import { decideRoom, evolveRoom, isGameEvent } from './room-reducer.ts'
import { maySee, type RoomState, seated } from './room-state.ts'

/** Commands that may wait for a room. */
const MAILBOX_CAPACITY = 256
/** How often a command is decided anew because another node was faster. */
const ATTEMPTS = 8

/** What a room's actor needs, and whom it tells. */
export interface RoomDeps {
  readonly store: Store
  readonly rng: Rng
  readonly log: FaultLog
  append(request: AppendRequest): Promise<AppendResult>
  isConnected(player: PlayerId): boolean
  /** After the room was opened (`before` is null), and after each entry. */
  changed(actor: RoomActor, before: RoomState | null): void
  /** The session watches the room from now on; false: it is closed. */
  watched(actor: RoomActor, session: Session): boolean
  /** It does no longer. */
  dropped(actor: RoomActor, session: Session): void
  /** Nothing is waiting, and nobody watches. */
  idle(actor: RoomActor): void
  /** The room failed, or was removed from the store. */
  gone(actor: RoomActor): void
}

/** A player's command, as it came in. */
export interface Request {
  readonly player: Player
  readonly action: PlayerAction
  readonly receivedAt: ServiceTime
  /** null: not remembered (repeating it is harmless by itself). */
  readonly id: CommandId | null
  /** The socket to answer, if any. */
  readonly session: Session | null
}

/** What became of an accepted command. */
export interface Accepted {
  /** Of the entry it made, now or when it was first sent; null: it made none. */
  readonly version: number | null
  /** The sender's socket has got the entry, with `re`. */
  readonly isAnnounced: boolean
}

export type Outcome = Result<Accepted, Refusal>

/** One room: the only writer of its log in this process. Decides, evolves, appends, adopts, publishes, in this order. */
export class RoomActor {
  readonly room: RoomId
  readonly #deps: RoomDeps
  readonly #mailbox = new Mailbox(MAILBOX_CAPACITY)
  readonly #publisher: Publisher
  readonly #absences = new Absences()
  readonly #drafts: Drafts
  #state: RoomState
  #listing: string | null
  /** The store may hold more than this copy: it is read before anything is decided. */
  #isBehind = false
  #hasFailed: boolean
  /** Kept once it was asked for: to make it is to read the whole log. */
  #record: GameRecord | null = null
  #expiry: Promise<Outcome> | null = null

  constructor(room: RoomId, deps: RoomDeps, { log, state, fault }: Replayed) {
    invariant(state !== null, 'a room begins with its first entry')
    this.room = room
    this.#deps = deps
    this.#publisher = new Publisher(room, this.#absences)
    this.#drafts = new Drafts(room, deps.store)
    this.#publisher.startOver(log)
    this.#state = state
    this.#listing = listingOf(state)
    this.#hasFailed = fault !== null
    this.#followSeats()
  }

  get state(): RoomState {
    return this.#state
  }

  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /** Whether the room can leave memory: nothing runs, nobody watches, and nobody waits for anybody. */
  get isIdle(): boolean {
    if (!this.#mailbox.isEmpty || this.#publisher.subscribers.size > 0) return false
    const { phase, closed } = this.#state
    if (closed || phase === 'finished') return true
    return phase === 'lobby' && seated(this.#state).length === 0
  }

  /** Resolves when all that was asked so far is answered. */
  async settled(): Promise<void> {
    await this.#mailbox.settled()
    await this.#drafts.settled()
  }

  /** Decides a command after those before it. Never rejects. */
  async submit(request: Request): Promise<Outcome> {
    const { player, action } = request
    if (this.#mailbox.isFull) return busy(mayEnter(this.#state, player.id, action))
    return this.#run(() => this.#execute(request), player.id)
  }

  /** The room's deadline may have come. Resolves when what was due has happened, or could not. */
  expire(): Promise<Outcome> {
    this.#expiry ??= this.#mailbox
      .run(() => this.#guard(() => this.#expire(), null))
      .finally(() => {
        this.#expiry = null
        this.#rest()
      })
    return this.#expiry
  }

  /** Sends a snapshot, or what the client missed since a version, and everything from then on. */
  async subscribe(asker: Asker, since: number | null): Promise<Outcome> {
    const player = asker.session.player.id
    if (this.#mailbox.isFull) return busy(maySee(this.#state, player))
    return this.#run(async () => {
      if (this.#isBehind) await this.#catchUp(null)
      const problem = this.#problemOfWatching(player)
      if (problem !== null) return this.#firstAnswer(null, problem)
      const draft = await this.#draftOf(player)
      // A session may have closed meanwhile.
      if (this.#deps.watched(this, asker.session)) {
        this.#publisher.subscribe(this.#state, asker, { since, draft })
      }
      return ok({ version: null, isAnnounced: true })
    }, player)
  }

  unsubscribe(session: Session): void {
    this.#publisher.unsubscribe(session)
    this.#rest()
  }

  /** The room as a player sees it, or a spectator; null: not for this viewer. */
  async view(player: PlayerId | null): Promise<RoomView | null> {
    const draft = player === null ? null : await this.#draftOf(player)
    const isSeen = !this.#hasFailed && maySee(this.#state, player)
    const view = isSeen ? this.#publisher.view(this.#state, player, draft) : null
    this.#rest()
    return view
  }

  /** The whole game; null: it has not ended, or is not for this viewer. */
  async record(player: PlayerId | null): Promise<GameRecord | null> {
    const { phase, rules } = this.#state
    if (this.#hasFailed || phase !== 'finished' || !maySee(this.#state, player)) return null
    if (this.#record === null) {
      const log = (await this.#deps.store.read(this.room, 0)).map(parseEntry)
      const events = log.flatMap((entry) => entry.events).filter(isGameEvent)
      this.#record = recordOf({ preset: rules.preset, options: rules.options }, events)
    }
    this.#rest()
    return this.#record
  }

  /** A seated player is here, or gone since then. */
  presenceChanged(player: PlayerId, goneSince: ServiceTime | null): void {
    this.#absences.note(player, goneSince)
    this.#publisher.sendPresence(player)
  }

  async #run(job: () => Promise<Outcome | Aside>, player: PlayerId): Promise<Outcome> {
    const done = await this.#mailbox.run(() => this.#guard(job, player))
    this.#rest()
    return 'aside' in done ? done.aside : done
  }

  #rest(): void {
    if (this.isIdle) this.#deps.idle(this)
  }

  /** The one place where faults end: of the store, which may pass, and of ours, which stop the room. */
  async #guard<Done>(job: () => Promise<Done>, player: PlayerId | null): Promise<Done | Outcome> {
    if (this.#hasFailed) return this.#failedFor(player)
    try {
      return await job()
    } catch (error) {
      if (error instanceof StoreUnavailableError) {
        this.#isBehind = true
        return refuse('unavailable')
      }
      await this.#fail(error)
      return this.#failedFor(player)
    }
  }

  #failedFor(player: PlayerId | null): Outcome {
    return refuse(maySee(this.#state, player) ? 'room_failed' : 'room_not_found')
  }

  async #fail(error: unknown): Promise<void> {
    this.#hasFailed = true
    const { room } = this
    const { store, log } = this.#deps
    log.error({ room, version: this.#state.version, ...traceOf(error) }, 'room failed')
    this.#drop(this.#publisher.subscribers, 'room_failed')
    this.#deps.gone(this)
    await store.markFailed(room).catch((why: unknown) => {
      log.error({ room, ...traceOf(why) }, 'the failure of a room could not be kept')
    })
  }

  async #execute(request: Request): Promise<Outcome | Aside> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (this.#isBehind) await this.#catchUp(null)
      const { action, player, receivedAt } = request
      const at = this.#deps.store.clock.now()
      const decided = decideRoom(this.#state, { ...action, player, at, receivedAt })
      if (!decided.ok) return this.#firstAnswer(identified(request), decided.error)
      if (action.type === 'saveDraft') {
        return { aside: this.#guard(() => this.#keepDraft(request, action), player.id) }
      }
      if (action.type === 'submitFormation') await this.#keepDraft(request, action)
      if (decided.value.length === 0) return ok({ version: null, isAnnounced: false })
      const outcome = await this.#commit(decided.value, at, request)
      if (outcome !== null) return outcome
    }
    return refuse('unavailable')
  }

  /**
   * A command that is refused now may have been accepted when it was first sent (F-R2).
   * The store is asked in any case, as it is for a room that does not exist.
   */
  async #firstAnswer(command: Identified | null, refused: Refusal): Promise<Outcome> {
    const { store } = this.#deps
    if (command === null) {
      await store.version(this.room)
      return err(refused)
    }
    const { player, id, isDraft } = command
    if (isDraft) {
      const isKnown = await store.acceptedDraft(this.room, player, id)
      return isKnown ? ok({ version: null, isAnnounced: false }) : err(refused)
    }
    const version = await store.accepted(this.room, player, id)
    return version === null ? err(refused) : ok({ version, isAnnounced: false })
  }

  async #expire(): Promise<Outcome> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (this.#isBehind) await this.#catchUp(null)
      const { store, rng } = this.#deps
      const at = store.clock.now()
      const { deadline, closed } = this.#state
      if (deadline === null || at < deadline) return refuse('wrong_phase')
      if (closed) return this.#remove()
      const formations = await this.#formationsOfTheLate()
      const isAttended = this.#isAttended()
      const command: RoomCommand = {
        type: 'expire',
        at,
        isAttended,
        formations,
        random: rng.random(),
      }
      const decided = decideRoom(this.#state, command)
      if (!decided.ok) return decided
      const outcome = await this.#commit(decided.value, at, null)
      if (outcome !== null) return outcome
    }
    return refuse('unavailable')
  }

  async #remove(): Promise<Outcome> {
    await this.#deps.store.remove(this.room)
    this.#drop(this.#publisher.subscribers, 'room_closed')
    this.#deps.gone(this)
    return ok({ version: null, isAnnounced: false })
  }

  #isAttended(): boolean {
    const players = seated(this.#state).map(({ occupant }) => occupant.player.id)
    return [this.#state.host, ...players].some((player) => this.#deps.isConnected(player))
  }

  /** R-DEPLOY-7: for each seat that is not ready its last draft, if the rules still allow it, else a random formation. */
  async #formationsOfTheLate(): Promise<PerSeat<Formation>> {
    if (this.#state.phase !== 'deployment') return {}
    await this.#drafts.settled()
    const { ruleSet } = this.#state.rules
    const formations: { [S in Seat]?: Formation } = {}
    for (const { seat, occupant } of seated(this.#state)) {
      if (occupant.ready) continue
      const draft = await this.#draftOf(occupant.player.id)
      const isValid = draft !== null && checkFormation(ruleSet, draft) === null
      formations[seat] = isValid ? draft : randomFormation(ruleSet, () => this.#deps.rng.random())
    }
    return formations
  }

  /** Evolves first, where a bug shows; then the entry becomes durable; only then it is so (F-C1). null: decide again. */
  async #commit(
    events: readonly RoomEvent[],
    at: ServiceTime,
    request: Request | null,
  ): Promise<Outcome | null> {
    const version = this.#state.version + 1
    const player = request?.player.id ?? null
    const entry: LogEntry = { version, at, player, command: request?.id ?? null, events }
    const step: Step = { before: this.#state, entry, after: evolveRoom(this.#state, entry) }
    const appended = await this.#append(step, request)
    switch (appended.type) {
      case 'appended':
        return ok(this.#adopt(step, request))
      case 'duplicate':
        return ok({ version: appended.version, isAnnounced: false })
      case 'conflict':
        this.#isBehind = true
        return null
      case 'found':
        return ok(appended.accepted)
    }
  }

  async #append(step: Step, request: Request | null) {
    try {
      return await this.#deps.append(this.#appendRequest(step))
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
      // Whether it was written is unknown: look (F-C2).
      const accepted = await this.#catchUp(request)
      if (accepted === null) throw error
      return { type: 'found', accepted } as const
    }
  }

  #appendRequest({ before, entry, after }: Step): AppendRequest {
    const { player, command } = entry
    const isEnd = after.phase === 'finished' && before.phase !== 'finished'
    return {
      room: this.room,
      expectedVersion: before.version,
      previous: null,
      data: encodeEntry(entry),
      command: player === null || command === null ? null : { player, id: command },
      deadline: after.deadline,
      lobby: isListedAlike(before, after) ? this.#listing : listingOf(after),
      ended: isEnd ? JSON.stringify(after.game?.result) : null,
    }
  }

  /** Makes a durable entry the state of the room, and tells everyone. */
  #adopt(step: Step, request: Request | null): Accepted {
    const { before, entry, after } = step
    this.#state = after
    if (!isListedAlike(before, after)) this.#listing = listingOf(after)
    const asker = this.#askerOf(request)
    this.#publisher.publish(step, asker)
    if (before.seats !== after.seats) {
      for (const player of this.#followSeats()) this.#publisher.sendPresence(player)
    }
    if (before.members !== after.members) this.#dropStrangers()
    if (after.closed) this.#drop(this.#publisher.subscribers, 'room_closed')
    this.#deps.changed(this, before)
    return { version: entry.version, isAnnounced: asker !== null }
  }

  /** The socket that gets the entry as its answer: a subscriber's that sent a command with an id. */
  #askerOf(request: Request | null): Asker | null {
    if (request === null || request.session === null || request.id === null) return null
    const { session, id } = request
    return this.#publisher.subscribers.has(session) ? { session, re: id } : null
  }

  /** Reads what the store has more than this copy. Of a request found there, what it led to. */
  async #catchUp(request: Request | null): Promise<Accepted | null> {
    const { store } = this.#deps
    const tail = await store.read(this.room, this.#state.version)
    if (tail.length === 0 && (await store.version(this.room)) < this.#state.version) {
      await this.#startOver()
    }
    let found: Accepted | null = null
    for (const stored of tail) {
      const entry = parseEntry(stored)
      const isRequested = request !== null && isEntryOf(entry, request)
      const step = { before: this.#state, entry, after: evolveRoom(this.#state, entry) }
      const accepted = this.#adopt(step, isRequested ? request : null)
      if (isRequested) found = accepted
    }
    this.#isBehind = false
    return found
  }

  /** The store has less than this copy: it lost its tail. The copy is dropped, the viewers are brought back (F-C4). */
  async #startOver(): Promise<void> {
    const { log, state, fault } = replay(await this.#deps.store.read(this.room, 0))
    if (fault !== null) throw fault
    invariant(state !== null, 'the log of a room in use is gone')
    const before = this.#state
    this.#state = state
    this.#listing = listingOf(state)
    this.#publisher.startOver(log)
    this.#followSeats()
    this.#dropStrangers()
    this.#deps.changed(this, before)
    for (const session of this.#publisher.subscribers) {
      const draft = await this.#draftOf(session.player.id)
      this.#publisher.sendSnapshot(this.#state, session, { re: null, draft })
    }
  }

  /** A formation handed in is a draft as well: what is withdrawn is not lost. Told to the player's own sockets. */
  async #keepDraft({ player, id }: Request, action: DraftAction): Promise<Outcome> {
    invariant(id !== null, 'drafts come with an id')
    const formation = parseFormation(action.formation)
    invariant(formation.ok, 'only formations that were checked are kept')
    const news = await this.#drafts.save(player.id, id, formation.value)
    if (news !== null && this.#state.game === null) this.#publisher.sendDraft(player.id, news)
    return ok({ version: null, isAnnounced: false })
  }

  /** What the player last laid out here; there is none once the game is on. */
  async #draftOf(player: PlayerId): Promise<Formation | null> {
    return this.#state.game === null ? this.#drafts.read(player) : null
  }

  #problemOfWatching(player: PlayerId): Refusal | null {
    const { closed } = this.#state
    const code = maySee(this.#state, player) ? (closed ? 'room_closed' : null) : 'room_not_found'
    return code && refusal(code)
  }

  #followSeats(): readonly PlayerId[] {
    const { store } = this.#deps
    return this.#absences.follow(this.#state, store.clock.now(), (player) =>
      this.#deps.isConnected(player),
    )
  }

  /** Those who were removed from a private room, or left it, watch it no longer. */
  #dropStrangers(): void {
    const strangers = [...this.#publisher.subscribers].filter(
      ({ player }) => !maySee(this.#state, player.id),
    )
    this.#drop(strangers, 'room_not_found')
  }

  #drop(sessions: Iterable<Session>, code: 'room_failed' | 'room_closed' | 'room_not_found'): void {
    for (const session of [...sessions]) {
      this.#publisher.drop(session, code)
      this.#deps.dropped(this, session)
    }
  }
}

type DraftAction = Extract<PlayerAction, { type: 'saveDraft' | 'submitFormation' }>

/** The answer to a draft comes when it is stored. The room does not wait for that: who did could tell that there is one (R-DEPLOY-6). */
interface Aside {
  readonly aside: Promise<Outcome>
}

/** Too much waits for the room; to who may not see it, it is not there. */
const busy = (isSeen: boolean): Outcome => refuse(isSeen ? 'busy' : 'room_not_found')

/** A command that the store can be asked about. */
interface Identified {
  readonly player: PlayerId
  readonly id: CommandId
  readonly isDraft: boolean
}

const identified = ({ player, id, action }: Request): Identified | null =>
  id === null ? null : { player: player.id, id, isDraft: action.type === 'saveDraft' }

const isEntryOf = (
  { player, command }: LogEntry,
  { player: { id }, id: asked }: Request,
): boolean => asked !== null && command === asked && player === id
