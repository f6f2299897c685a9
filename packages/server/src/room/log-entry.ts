import { InvariantError } from '@junqi/engine'
import { type CommandId, commandId, type PlayerId, playerId } from '@junqi/protocol'
import { z } from 'zod'
import type { ServiceTime, StoredEntry } from '../ports.ts'
import { type RoomEvent, roomEvent } from './room-event.ts'

/** What one accepted command did to a room. */
export interface EntryBody {
  readonly at: ServiceTime
  /** Who sent the command; null: a clock. */
  readonly player: PlayerId | null
  readonly command: CommandId | null
  readonly events: readonly RoomEvent[]
}

export interface LogEntry extends EntryBody {
  readonly version: number
}

const entryBody = z.strictObject({
  at: z.number().int().nonnegative(),
  player: playerId.nullable(),
  command: commandId.nullable(),
  events: z.array(roomEvent),
})

/** The text that the store keeps. Made from events that were decided and evolved: not checked again. */
export function encodeEntry({ at, player, command, events }: EntryBody): string {
  return JSON.stringify({ at, player, command, events })
}

/** Reads an entry back. What it does not know is a bug, which fails the room: it never passes through (F-H3). */
export function parseEntry({ version, data }: StoredEntry): LogEntry {
  const parsed = entryBody.safeParse(jsonOf(data))
  // No details: they could tell what the entry holds.
  if (!parsed.success) throw new InvariantError(`entry ${version} of the log is not of its form`)
  return { version, ...parsed.data }
}

function jsonOf(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return null
  }
}
