import { isDeepStrictEqual } from 'node:util'
import type { Formation } from '@junqi/engine'
import type { PlayerId, RoomId } from '@junqi/protocol'
import { listingOf } from '../../packages/server/src/room/listing.ts'
import { CLOSED_KEPT_MS } from '../../packages/server/src/room/room-limits.ts'
import {
  type ExpectedDraft,
  expectedDrafts,
  type Log,
  type Logs,
  stateAt,
} from '../support/audit.ts'
import type { Acknowledged, Sent } from '../support/ledger.ts'

/** What is kept beside a room's log. */
export interface Standing {
  /** In the index of what is due; null: it is not there. */
  readonly deadline: number | null
  /** In the lobby list; null: it is not there. */
  readonly line: string | null
  /** Of its game, to be handed on; null: none is kept. */
  readonly end: string | null
  readonly isFailed: boolean
  readonly drafts: ReadonlyMap<PlayerId, Formation>
}

/** A room as it is stored, all at one moment. */
export interface StoredRoom extends Standing {
  readonly log: Log
}

/** What is read from the store, past the server. */
export interface Records {
  room(room: RoomId): Promise<StoredRoom>
  /** Of a room whose log cannot be read, too. */
  standing(room: RoomId): Promise<Standing>
}

/** The rooms, and those that follow on them. */
export async function readRooms(
  records: Records,
  rooms: Iterable<RoomId>,
): Promise<ReadonlyMap<RoomId, StoredRoom>> {
  const stored = new Map<RoomId, StoredRoom>()
  const open = [...rooms]
  for (let room = open.pop(); room !== undefined; room = open.pop()) {
    if (stored.has(room)) continue
    const { log, ...rest } = await records.room(room)
    stored.set(room, { log, ...rest })
    for (const event of log.flatMap(({ events }) => events)) {
      if (event.type === 'rematchCreated') open.push(event.room)
    }
  }
  return stored
}

/** The last entry is the latest time that is known of a store, and need not be of now. */
const UNKNOWN_MS = 60_000

/** Closed rooms as they were last read. The server removes a room some time after it was closed (R-ROOM-6, F-C6). */
export class ClosedRooms {
  readonly #closed = new Map<RoomId, StoredRoom>()

  /** Takes note of those that are closed; what was noted stands for those that are not there any more, if their time is over. */
  complete(read: ReadonlyMap<RoomId, StoredRoom>): ReadonlyMap<RoomId, StoredRoom> {
    const latest = Math.max(...[...read.values()].map(({ log }) => log.at(-1)?.at ?? 0))
    const rooms = new Map(read)
    for (const [room, stored] of read) {
      if (isClosed(stored)) this.#closed.set(room, stored)
      const noted = this.#closed.get(room)
      const closedAt = noted?.log.at(-1)?.at ?? Number.POSITIVE_INFINITY
      const isRemoved = latest - closedAt > CLOSED_KEPT_MS - UNKNOWN_MS
      if (stored.log.length === 0 && noted !== undefined && isRemoved) rooms.set(room, noted)
    }
    return rooms
  }
}

const isClosed = ({ log }: StoredRoom): boolean =>
  log.at(-1)?.events.some(({ type }) => type === 'roomClosed') ?? false

/** What is wrong with what is kept beside a log: whatever follows from the log has to (F-C7), and no room that lives is without a deadline (F-T6). */
export function wrongIndexes(room: RoomId, stored: StoredRoom): readonly string[] {
  const state = stateAt(stored.log)
  const result = state?.game?.result ?? null
  const expected = {
    deadline: state?.deadline ?? null,
    line: state === null ? null : listingOf(state),
    // Gone when it was handed on.
    end: result === null || stored.end === null ? null : JSON.stringify(result),
    isFailed: false,
  }
  const { deadline, line, end, isFailed } = stored
  return isDeepStrictEqual({ deadline, line, end, isFailed }, expected)
    ? []
    : [
        `${room} is kept as ${JSON.stringify({ deadline, line, end, isFailed })}, and its log says ${JSON.stringify(expected)}`,
      ]
}

/** What of the ledger bears on drafts that were read between two moments. */
export interface DraftBooks {
  /** Before the store was read. */
  readonly acknowledged: readonly Acknowledged[]
  /** Not answered then, or sent since. */
  readonly open: readonly Sent[]
}

/** Drafts of which their players were told that they are kept, and that are not. */
export function lostDrafts(
  { acknowledged, open }: DraftBooks,
  rooms: ReadonlyMap<RoomId, StoredRoom>,
): readonly string[] {
  const logs: Logs = new Map([...rooms].map(([room, { log }]) => [room, log]))
  const isThere = ({ room, player, formations }: ExpectedDraft): boolean => {
    const draft = rooms.get(room)?.drafts.get(player)
    return draft !== undefined && formations.includes(draft)
  }
  return expectedDrafts({ acknowledged, unanswered: open }, logs)
    .filter((expected) => !isThere(expected))
    .map(({ room, player }) => `a draft of ${player} in ${room}`)
}
