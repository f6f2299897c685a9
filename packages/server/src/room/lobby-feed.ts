import { err, ok, type Result } from '@junqi/engine'
import {
  encodeServerMessage,
  type ListedRoom,
  type LobbyFilters,
  type RoomId,
} from '@junqi/protocol'
import { Alarm } from '../alarm.ts'
import {
  type Clock,
  type LobbyEntry,
  type NodeStore,
  type RoomStore,
  type ServiceTime,
  StoreUnavailableError,
} from '../ports.ts'
import { type Bucket, type Rate, take } from '../rate-limit.ts'
import type { Session } from '../socket/session.ts'
import { type Refusal, refusal } from './decision.ts'
import { isListedAlike, parseListing } from './listing.ts'
import { passes } from './lobby-filter.ts'
import { type Group, LobbyGroups } from './lobby-groups.ts'
import { KNOWN_ROOMS, sharedOut } from './lobby-share.ts'
import type { RoomState } from './room-state.ts'

/** What changes within that time goes in one frame. Of a store that nodes share a list is dear: it has 64 parts. */
const ALONE_MS = 250
const SHARED_MS = 1_000
/** What is going to happen next to what was told first is waited for so long. */
const JOIN_MS = 50
/** How often the list is read without a hint: one from another node may be lost (F-C3). */
const SLOW_MS = 10_000
/** How often other nodes are told at most. */
const TELL_MS = 500
/** How often a room's line is told anew: who changes its room all the time is no burden to all who watch (F-M1). */
const LINE_RATE: Rate = { perSecond: 0.5, burst: 8 }

export interface LobbyFeedDeps {
  readonly store: Pick<RoomStore, 'lobby'> &
    Pick<NodeStore, 'isShared' | 'tellLobby'> & { readonly clock: Clock }
  /** Whether a session has not closed. */
  isOpen(session: Session): boolean
  /** A fault of ours. */
  fault(error: unknown): void
}

interface Line {
  readonly entry: LobbyEntry
  readonly listed: ListedRoom
}

/** A line as those who watch know it. */
interface ToldLine extends Line {
  readonly bucket: Bucket
}

/** The newest first. */
type Lines = ReadonlyMap<RoomId, Line>

/** The list of public rooms for those who watch it: read once for all of them, told whole and then by differences. */
export class LobbyFeed {
  readonly #deps: LobbyFeedDeps
  readonly #alarm: Alarm
  readonly #groups = new LobbyGroups<Lines>()
  /** As it was last read, and of it what may be told already. */
  #lines: Lines = new Map()
  #told: ReadonlyMap<RoomId, ToldLine> = new Map()
  /** When something that was not told may be; null: all was told. */
  #heldUntil: ServiceTime | null = null
  #reading: Promise<void> | null = null
  /** Changes heard of so far, and those that the lines have. */
  #changes = 0
  #seen = 0
  #readAt: ServiceTime = Number.NEGATIVE_INFINITY
  #toldAt: ServiceTime = Number.NEGATIVE_INFINITY
  #cancelTell: (() => void) | null = null
  #isStopped = false

  constructor(deps: LobbyFeedDeps) {
    this.#deps = deps
    this.#alarm = new Alarm(deps.store.clock, () => void this.#readAgain())
  }

  stop(): void {
    this.#isStopped = true
    this.#alarm.cancel()
    this.#cancelTell?.()
  }

  /** Calls `accepted` and then sends the list. Rejects when the store does not answer. */
  async watch(
    session: Session,
    filters: LobbyFilters,
    accepted: () => void,
  ): Promise<Result<null, Refusal>> {
    if (this.#groups.size === 0) await this.#read()
    if (!this.#groups.admits(session, filters)) {
      return err(refusal('busy', 'Too many different filters are in use; `{}` is never refused.'))
    }
    accepted()
    // It may have closed while the list was read, and nobody would take it out again.
    if (this.#deps.isOpen(session)) this.#show(session, filters)
    return ok(null)
  }

  /** The list without filters, with all that this node did before. Rejects when the store does not answer. */
  async list(): Promise<readonly ListedRoom[]> {
    const asked = this.#changes
    await this.#read()
    // It may have been under way already.
    if (this.#seen < asked) await this.#read()
    return [...shownOf(this.#lines, {}).values()].map(({ listed }) => listed)
  }

  #show(session: Session, filters: LobbyFilters): void {
    const { shown } = this.#groups.join(session, filters, () => shownOf(this.#told, filters))
    const rooms = [...shown.values()].map(({ listed }) => listed)
    session.send(encodeServerMessage({ type: 'lobby', rooms }))
    this.#wakeForNext()
  }

  unwatch(session: Session): void {
    this.#groups.leave(session)
    if (this.#groups.size === 0) this.#alarm.cancel()
  }

  /** This node wrote an entry, or the first one of a room. */
  wrote(before: RoomState | null, after: RoomState): void {
    if (after.invitation !== null) return
    if (before === null || !isListedAlike(before, after)) this.touched()
  }

  /** This node did something that changes the list. */
  touched(): void {
    this.changed()
    if (this.#deps.store.isShared) this.#tellOthers()
  }

  /** The list may be another one now. */
  changed(): void {
    this.#changes += 1
    if (this.#groups.size > 0 && this.#reading === null) this.#wakeForNext()
  }

  #wakeForNext(): void {
    const { isShared, clock } = this.#deps.store
    const pause = isShared ? SHARED_MS : ALONE_MS
    const isBehind = this.#changes !== this.#seen
    const next = Math.min(this.#heldUntil ?? Number.POSITIVE_INFINITY, this.#readAt + SLOW_MS)
    this.#wakeAt(isBehind ? Math.max(this.#readAt + pause, clock.now() + JOIN_MS) : next)
  }

  #tellOthers(): void {
    const { store } = this.#deps
    if (this.#cancelTell !== null || this.#isStopped) return
    const tell = (): void => {
      this.#cancelTell = null
      this.#toldAt = store.clock.now()
      store.tellLobby()
    }
    const at = this.#toldAt + TELL_MS
    if (at <= store.clock.now()) tell()
    else this.#cancelTell = store.clock.schedule(at, tell)
  }

  #wakeAt(at: ServiceTime): void {
    if (!this.#isStopped) this.#alarm.set(Math.max(at, this.#deps.store.clock.now()))
  }

  async #readAgain(): Promise<void> {
    try {
      await this.#read()
    } catch (error) {
      this.#changes += 1
      if (!(error instanceof StoreUnavailableError)) this.#deps.fault(error)
    }
    if (this.#groups.size > 0) this.#wakeForNext()
  }

  /** Those who ask meanwhile get the same answer. */
  #read(): Promise<void> {
    this.#reading ??= this.#take().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async #take(): Promise<void> {
    const { store } = this.#deps
    const changes = this.#changes
    this.#readAt = store.clock.now()
    const lines = await store.lobby(KNOWN_ROOMS)
    this.#seen = changes
    this.#lines = new Map(lines.map(({ room, entry }) => [room, this.#lineOf(room, entry)]))
    this.#heldUntil = null
    this.#told = new Map([...this.#lines].map(([room, line]) => [room, this.#toTell(room, line)]))
    for (const group of this.#groups) this.#tell(group)
  }

  #lineOf(room: RoomId, entry: LobbyEntry): Line {
    const known = this.#lines.get(room)
    return known?.entry === entry ? known : { entry, listed: parseListing(room, entry) }
  }

  /** The line, or the one before it as long as it is too soon. */
  #toTell(room: RoomId, line: Line): ToldLine {
    const known = this.#told.get(room)
    if (known === undefined) return { ...line, bucket: 0 }
    if (known.entry === line.entry) return known
    const now = this.#deps.store.clock.now()
    const { bucket, waitMs } = take(known.bucket, LINE_RATE, now)
    if (waitMs === 0) return { ...line, bucket }
    this.#heldUntil = Math.min(this.#heldUntil ?? Number.POSITIVE_INFINITY, now + waitMs)
    return known
  }

  #tell(group: Group<Lines>): void {
    const before = group.shown
    const after = shownOf(this.#told, group.filters)
    group.shown = after
    const put = [...after].filter(([room, line]) => before.get(room)?.entry !== line.entry)
    const removed = [...before.keys()].filter((room) => !after.has(room))
    if (put.length === 0 && removed.length === 0) return
    const frame = encodeServerMessage({
      type: 'lobbyChanged',
      put: put.map(([, { listed }]) => listed),
      removed,
    })
    for (const session of group.sessions) session.send(frame)
  }
}

/** What passes the filters, shared out among hosts. */
function shownOf(lines: Lines, filters: LobbyFilters): Lines {
  const passing = [...lines.values()].filter(({ listed }) => passes(listed, filters))
  return new Map(sharedOut(passing).map((line) => [line.listed.room, line]))
}
