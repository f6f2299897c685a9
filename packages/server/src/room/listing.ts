import { InvariantError, PRESET_NAMES, SEATS } from '@junqi/engine'
import { PHASES, player, playerId, type RoomId } from '@junqi/protocol'
import { z } from 'zod'
import type { LobbyEntry } from '../ports.ts'
import type { RoomState } from './room-state.ts'

const line = z.strictObject({
  phase: z.enum(PHASES),
  preset: z.enum(PRESET_NAMES),
  /** The host overrode some of the preset's rules. */
  custom: z.boolean(),
  host: playerId,
  seats: z.array(z.strictObject({ seat: z.enum(SEATS), player: player.nullable() })),
})
type Line = z.infer<typeof line>

/** A public room that has not ended, in the list of rooms. */
export type ListedRoom = Readonly<Line> & { readonly room: RoomId }

/** A room's line in the list; null: it is not listed. Private rooms never are (F-S4). */
export function listingOf(state: RoomState): LobbyEntry | null {
  if (state.invitation !== null || state.closed || state.phase === 'finished') return null
  const { preset, options, ruleSet } = state.rules
  const listed: Line = {
    phase: state.phase,
    preset,
    custom: Object.keys(options).length > 0,
    host: state.host,
    seats: ruleSet.seats.map((seat) => ({ seat, player: state.seats[seat]?.player ?? null })),
  }
  return JSON.stringify(listed)
}

/** Whether two states of a room have the same line. */
export const isListedAlike = (one: RoomState, other: RoomState): boolean =>
  one.seats === other.seats &&
  one.phase === other.phase &&
  one.rules === other.rules &&
  one.host === other.host &&
  one.closed === other.closed

export function parseListing(room: RoomId, entry: LobbyEntry): ListedRoom {
  const parsed = line.safeParse(JSON.parse(entry))
  if (!parsed.success) throw new InvariantError('a line of the lobby list is not of its form')
  return { room, ...parsed.data }
}
