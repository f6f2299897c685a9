import type { PlayerId } from '@junqi/protocol'
import { hasLeft, type RoomState, seatOf } from './room-state.ts'

/** How a player may follow a room: as it is, as it was some moves ago, or not at all (R-ROOM-1). */
export type Watch = 'live' | 'delayed' | 'none'

/** How many moves spectators are behind; null: no game runs, or they are not behind. */
export const delayOf = ({ spectators, phase }: RoomState): number | null =>
  phase === 'playing' && spectators.mode === 'delayed' ? spectators.moves : null

export function watchOf(state: RoomState, player: PlayerId | null): Watch {
  if (!isRunning(state) || state.spectators.mode === 'public') return 'live'
  if (player !== null && isAtTable(state, player)) return 'live'
  if (state.spectators.mode === 'none') return 'none'
  return delayOf(state) === null ? 'live' : 'delayed'
}

/**
 * Whether the player is counted and heard among those who look on. Where they are behind, who left is not before the end:
 * it would tell at once what they are to be told later (R-ROOM-2).
 */
export const looksOn = (state: RoomState, player: PlayerId): boolean =>
  !isAtTable(state, player) && (delayOf(state) === null || seatOf(state, player) === null)

/** From deployment to the end. */
export const isRunning = ({ phase }: Pick<RoomState, 'phase'>): boolean =>
  phase === 'deployment' || phase === 'playing'

/** Whether the player has a seat that it did not leave. Who is out sits there still; who left is a spectator (R-OUT-6). */
export function isAtTable(state: RoomState, player: PlayerId): boolean {
  const seat = seatOf(state, player)
  return seat !== null && !hasLeft(state, seat)
}
