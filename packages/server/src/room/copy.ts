import { invariant } from '@junqi/engine'
import type { RoomId } from '@junqi/protocol'
import type {
  AppendRequest,
  LobbyEntry,
  RoomStore,
  ServiceTime,
  StoredEntry,
  ToldEntry,
} from '../ports.ts'
import { isListedAlike, listingOf } from './listing.ts'
import { type EntryBody, encodeEntry, type LogEntry, parseEntry } from './log-entry.ts'
import type { Step } from './publisher.ts'
import { type Replayed, replay } from './replay.ts'
import { evolveRoom } from './room-reducer.ts'
import type { RoomState } from './room-state.ts'

/** A step, and its entry as the store has it. */
export interface StoredStep extends Step {
  readonly data: string
}

/** What the store has, seen from a copy. */
export type Tail =
  /** The copy's own last entry, and these after it. */
  | { readonly type: 'news'; readonly entries: readonly StoredEntry[] }
  /** Another entry in its place, or none: the store has lost what the copy knows (F-C4). */
  | { readonly type: 'lost'; readonly replayed: Replayed }
  /** No such room any more. */
  | { readonly type: 'gone' }

/** A node's copy of a room: where the log leads as far as the node knows it. The log in the store is the truth. */
export class RoomCopy {
  readonly #room: RoomId
  readonly #store: Pick<RoomStore, 'read'>
  #state: RoomState
  /** The last entry: by it the store and the node see whether they speak of the same log. */
  #data: string
  /** When it was made. */
  #at: ServiceTime
  #listing: LobbyEntry | null

  constructor(room: RoomId, store: Pick<RoomStore, 'read'>, { log, state, data }: Replayed) {
    invariant(state !== null && data !== null, 'a room begins with its first entry')
    this.#room = room
    this.#store = store
    this.#state = state
    this.#data = data
    this.#at = timeOf(log)
    this.#listing = listingOf(state)
  }

  get state(): RoomState {
    return this.#state
  }

  /** The next entry, and the room after it: a bug shows here, before anything is stored. */
  next(given: EntryBody): StoredStep {
    // The clocks of nodes agree to milliseconds only; in a log time does not go back.
    const at = Math.max(given.at, this.#at)
    const version = this.#state.version + 1
    const { player, command, events } = given
    const entry = { version, at, player, command, events }
    return this.#step(entry, encodeEntry(entry))
  }

  /** The same for an entry that the store has. */
  read(stored: StoredEntry): StoredStep {
    return this.#step(parseEntry(stored), stored.data)
  }

  /** Whether the store had that entry after the copy's own last one. */
  isFollowedBy({ version, previous }: ToldEntry): boolean {
    return version === this.#state.version + 1 && previous === this.#data
  }

  #step(entry: LogEntry, data: string): StoredStep {
    return { before: this.#state, entry, data, after: evolveRoom(this.#state, entry) }
  }

  requestOf({ before, entry, data, after }: StoredStep): AppendRequest {
    const { player, command } = entry
    const isEnd = after.phase === 'finished' && before.phase !== 'finished'
    return {
      room: this.#room,
      expectedVersion: before.version,
      previous: this.#data,
      data,
      command: player === null || command === null ? null : { player, id: command },
      deadline: after.deadline,
      lobby: isListedAlike(before, after) ? this.#listing : listingOf(after),
      ended: isEnd ? JSON.stringify(after.game?.result) : null,
    }
  }

  /** Takes an entry over that the store has. */
  take({ before, entry, data, after }: StoredStep): void {
    this.#state = after
    this.#data = data
    this.#at = entry.at
    if (!isListedAlike(before, after)) this.#listing = listingOf(after)
  }

  /** Takes another log over whole. */
  startOver({ log, state, data }: Replayed): void {
    invariant(state !== null && data !== null, 'a room begins with its first entry')
    this.#state = state
    this.#data = data
    this.#at = timeOf(log)
    this.#listing = listingOf(state)
  }

  /** Looks at what the store has from the copy's last entry on. */
  async tail(): Promise<Tail> {
    const [last, ...entries] = await this.#store.read(this.#room, this.#state.version - 1)
    if (last?.data === this.#data) return { type: 'news', entries }
    const replayed = replay(await this.#store.read(this.#room, 0))
    if (replayed.fault !== null) throw replayed.fault
    return replayed.log.length === 0 ? { type: 'gone' } : { type: 'lost', replayed }
  }
}

/** Of the last entry. */
const timeOf = (log: readonly LogEntry[]): ServiceTime => log.at(-1)?.at ?? 0
