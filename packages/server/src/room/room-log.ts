import { ok } from '@junqi/engine'
import type { PlayerId, RoomId } from '@junqi/protocol'
import {
  type AppendRequest,
  type AppendResult,
  type Store,
  type StoredEntry,
  StoreUnavailableError,
  type ToldEntry,
} from '../ports.ts'
import { Audience, type AudienceDeps } from './audience.ts'
import { RoomCopy, type StoredStep, type Tail } from './copy.ts'
import { refuse } from './decision.ts'
import { Drafts } from './drafts.ts'
import type { FaultLog } from './fault-log.ts'
import { ledTo } from './led-to.ts'
import { type EntryBody, parseEntry } from './log-entry.ts'
import type { RoomObserver } from './observer.ts'
import type { Asker } from './publisher.ts'
import type { Replayed } from './replay.ts'
import { type Accepted, isEntryOf, type Outcome, type Request } from './request.ts'
import type { RoomState } from './room-state.ts'

/** Why a room is served no more, as who may see it is told: it failed, is not there any more, or is to be opened anew. */
export type End = 'room_failed' | 'room_not_found' | 'unavailable'

/** The store gave no answer, and had written the entry all the same. */
interface Found {
  readonly type: 'found'
  readonly accepted: Accepted
}

export interface RoomLogDeps extends Omit<AudienceDeps, 'clock'> {
  readonly store: Store
  readonly faults: FaultLog
  readonly observer: RoomObserver
  append(request: AppendRequest): Promise<AppendResult>
  /** After each entry, whoever wrote it. */
  changed(before: RoomState): void
  /** This node wrote the entry. */
  wrote(before: RoomState): void
  /** The room failed, or was removed from the store. */
  gone(): void
}

/** A room's log as this node has it: writes it, catches up with it, and tells those who watch here what is in it. */
export class RoomLog {
  readonly audience: Audience
  readonly drafts: Drafts
  readonly #room: RoomId
  readonly #deps: RoomLogDeps
  readonly #copy: RoomCopy
  /** The store may hold more than the copy, or something else. */
  #isBehind = false
  #end: End | null

  constructor(room: RoomId, deps: RoomLogDeps, replayed: Replayed) {
    this.#room = room
    this.#deps = deps
    this.#copy = new RoomCopy(room, deps.store, replayed)
    this.audience = new Audience(room, { ...deps, clock: deps.store.clock })
    this.audience.open(this.state, replayed.log)
    this.drafts = new Drafts(room, deps.store)
    this.#end = replayed.fault === null ? null : 'room_failed'
  }

  get state(): RoomState {
    return this.#copy.state
  }

  /** null: the room is served. */
  get end(): End | null {
    return this.#end
  }

  get isBehind(): boolean {
    return this.#isBehind
  }

  /** To be caught up before anything is decided. */
  fallBehind(): void {
    this.#isBehind = true
  }

  stop(end: 'room_failed' | 'room_not_found'): void {
    this.#end = end
    this.audience.drop(end === 'room_failed' ? 'room_failed' : 'room_closed')
    this.#deps.gone()
  }

  /** It leaves memory. Who still holds it is to open the room again. */
  retire(): void {
    this.#end ??= 'unavailable'
  }

  /** Evolves first, where a bug shows; then the entry becomes durable; only then it is so (F-C1). null: decide again. */
  async commit(body: EntryBody, request: Request | null): Promise<Outcome | null> {
    const { observer, wrote } = this.#deps
    const step = this.#copy.next(body)
    const appended = await this.#append(step, request)
    switch (appended.type) {
      case 'appended': {
        const accepted = this.#adopt(step, request)
        wrote(step.before)
        return ok(accepted)
      }
      case 'duplicate':
        return this.#acceptedBefore(appended.version, request)
      case 'conflict':
        observer.conflicted()
        this.#isBehind = true
        return null
      case 'found':
        wrote(step.before)
        return ok(appended.accepted)
    }
  }

  #append(step: StoredStep, request: Request | null): Promise<AppendResult | Found> {
    const appended = this.#deps.append(this.#copy.requestOf(step))
    return appended.catch((error: unknown) => this.#lookAfter(error, request))
  }

  /** Whether an entry was written that the store gave no answer to is unknown: look (F-C2). */
  async #lookAfter(error: unknown, request: Request | null): Promise<Found> {
    if (!(error instanceof StoreUnavailableError)) throw error
    const accepted = await this.catchUp(request)
    if (accepted === null) throw error
    this.#deps.observer.unanswered()
    return { type: 'found', accepted }
  }

  /** The first result of a command; another node may have given it. */
  async #acceptedBefore(version: number, request: Request | null): Promise<Outcome> {
    const found = version > this.state.version ? await this.catchUp(request) : null
    if (found !== null) return ok(found)
    const again = request === null ? null : await this.answerAgain(request)
    return again ?? ok({ version, isAnnounced: false })
  }

  /** To an id that made an entry before: the same answer, or that another command has it. null: it made none. */
  async answerAgain({ player, id, action }: Request): Promise<Outcome | null> {
    const stored = id && (await this.#deps.store.accepted(this.#room, player.id, id))
    if (stored === null) return null
    if (!ledTo(action, parseEntry(stored).events)) return refuse('id_used')
    return ok({ version: stored.version, isAnnounced: false })
  }

  /**
   * Reads what the store has more than the copy, or instead of it. Of a request found there, what it led to. What is
   * written while it is read may be missing, so whoever hears of that meanwhile makes it fall behind again.
   */
  async catchUp(request: Request | null): Promise<Accepted | null> {
    this.#isBehind = false
    const [tail, isFailed] = await Promise.all([
      this.#copy.tail(),
      this.#deps.store.isFailed(this.#room),
    ])
    if (!isFailed) return this.#take(tail, request)
    this.stop('room_failed')
    return null
  }

  /** Takes over those of the entries that follow on what the copy has, and spares itself to read them. */
  adoptTold(told: readonly ToldEntry[]): void {
    for (const entry of told) {
      if (this.#copy.isFollowedBy(entry)) this.#adopt(this.#copy.read(entry), null)
    }
  }

  /** Reads what the store has more than the copy, where nothing else is to be expected. */
  async follow(): Promise<void> {
    this.#isBehind = false
    await this.#take(await this.#copy.tail(), null)
  }

  async #take(tail: Tail, request: Request | null): Promise<Accepted | null> {
    let found: Accepted | null = null
    if (tail.type === 'news') found = this.#adoptAll(tail.entries, request)
    else if (tail.type === 'lost') await this.#startOver(tail.replayed)
    else this.stop('room_not_found')
    return found
  }

  #adoptAll(entries: readonly StoredEntry[], request: Request | null): Accepted | null {
    let found: Accepted | null = null
    for (const stored of entries) {
      const step = this.#copy.read(stored)
      const isRequested = request !== null && isEntryOf(step.entry, request)
      const accepted = this.#adopt(step, isRequested ? request : null)
      if (isRequested) found = accepted
    }
    return found
  }

  /** Makes a durable entry the state of the room, and tells everyone. */
  #adopt(step: StoredStep, request: Request | null): Accepted {
    this.#copy.take(step)
    const asker = this.#askerOf(request)
    this.audience.tell(step, asker)
    this.#deps.changed(step.before)
    return { version: step.entry.version, isAnnounced: asker !== null }
  }

  /** The socket that gets the entry as its answer: a subscriber's that sent a command with an id. */
  #askerOf(request: Request | null): Asker | null {
    if (request === null || request.session === null || request.id === null) return null
    const { session, id } = request
    return this.audience.isLive(session) ? { session, re: id } : null
  }

  /** The store has lost what the copy knows. The copy is dropped, the viewers are brought back (F-C4). */
  async #startOver(replayed: Replayed): Promise<void> {
    const { faults, observer, changed } = this.#deps
    const { state: before } = this
    // Read before anything is changed: all are brought back, or none yet.
    const drafts = await this.drafts.readAll(this.#playersShownDrafts(replayed))
    this.#copy.startOver(replayed)
    const versions = { version: this.state.version, known: before.version }
    faults.warn({ room: this.#room, ...versions }, 'the store has lost entries of a room')
    observer.resynced()
    this.audience.startOver(this.state, replayed.log, drafts)
    changed(before)
  }

  #playersShownDrafts({ state }: Replayed): Iterable<PlayerId> {
    return state?.game === null ? this.audience.players : []
  }
}
