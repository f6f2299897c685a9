import type { StoredEntry } from '../ports.ts'
import { type LogEntry, parseEntry } from './log-entry.ts'
import { evolveRoom } from './room-reducer.ts'
import type { RoomState } from './room-state.ts'

/** A log as far as it can be replayed. */
export interface Replayed {
  readonly log: readonly LogEntry[]
  /** null: not even its first entry can be. */
  readonly state: RoomState | null
  /** The last of those entries, as the store has it. */
  readonly data: string | null
  /** What is wrong with the entry after those; null: nothing is. */
  readonly fault: unknown
}

export function replay(stored: readonly StoredEntry[]): Replayed {
  const log: LogEntry[] = []
  let [state, data]: [RoomState | null, string | null] = [null, null]
  for (const item of stored) {
    try {
      const entry = parseEntry(item)
      state = evolveRoom(state, entry)
      data = item.data
      log.push(entry)
    } catch (fault) {
      return { log, state, data, fault }
    }
  }
  return { log, state, data, fault: null }
}
