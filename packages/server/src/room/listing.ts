import { InvariantError, isScored } from '@junqi/engine'
import { type ListedRoom, listedRoom, type RoomId } from '@junqi/protocol'
import type { LobbyEntry } from '../ports.ts'
import { isCustom } from './custom-rules.ts'
import { type RoomState, seated } from './room-state.ts'

/** Lines that were written before lists had such a column have none. */
const line = listedRoom.omit({ room: true }).extend({
  scored: listedRoom.shape.scored.default(false),
  spectators: listedRoom.shape.spectators.default('public'),
})
type Line = Omit<ListedRoom, 'room'>

/** A room's line in the list; null: it is not listed. Private rooms never are (F-S4). */
export function listingOf(state: RoomState): LobbyEntry | null {
  const { phase } = state
  if (state.invitation !== null || state.closed || phase === 'finished') return null
  const { preset, options, ruleSet } = state.rules
  const hasBot = seated(state).some(({ occupant }) => occupant.player.bot !== undefined)
  const listed: Line = {
    phase,
    preset,
    custom: isCustom(options),
    scored: isScored({ preset, ruleSet, hasBot }),
    spectators: state.spectators.mode,
    host: state.listedHost,
    seats: ruleSet.seats.map((seat) => ({ seat, player: state.seats[seat]?.player ?? null })),
  }
  return JSON.stringify(listed)
}

/** Whether two states of a room have the same line. */
export const isListedAlike = (one: RoomState, other: RoomState): boolean =>
  one.seats === other.seats &&
  one.phase === other.phase &&
  one.rules === other.rules &&
  one.spectators === other.spectators &&
  one.listedHost === other.listedHost &&
  one.closed === other.closed

export function parseListing(room: RoomId, entry: LobbyEntry): ListedRoom {
  const parsed = line.safeParse(JSON.parse(entry))
  if (!parsed.success) throw new InvariantError('a line of the lobby list is not of its form')
  return { room, ...parsed.data }
}
