import type { PlayerId } from '@junqi/protocol'
import { type Refusal, refusal } from './decision.ts'
import type { LogEntry } from './log-entry.ts'
import type { PlayerCommand } from './room-command.ts'
import { PLAYER_CHANGES } from './room-limits.ts'
import type { RoomState } from './room-state.ts'

/** Nobody has changed the room, or nobody's changes count any more. */
export const NO_CHANGES: RoomState['changes'] = new Map<PlayerId, number>()

/** What somebody could do again and again before play, with the room's log a bit longer each time. */
const REPEATABLE: ReadonlySet<PlayerCommand['type']> = new Set([
  'join',
  'sit',
  'requestSwap',
  'ready',
  'notReady',
] as const)

/** R-ROOM-7: the log of a room is its host's to wear out, and nobody else's. What ends a stay is never refused. */
export function problemOfChanges(
  state: RoomState,
  { type, player }: PlayerCommand,
): Refusal | null {
  if (player.id === state.host || !REPEATABLE.has(type)) return null
  return (state.changes.get(player.id) ?? 0) < PLAYER_CHANGES ? null : refusal('too_many_changes')
}

/** The room after an entry, which counts as its player's until play begins. */
export function withChange(after: RoomState, { player }: Pick<LogEntry, 'player'>): RoomState {
  const isBeforePlay = after.phase === 'lobby' || after.phase === 'deployment'
  if (player === null || !isBeforePlay) return after
  const count = (after.changes.get(player) ?? 0) + 1
  return { ...after, changes: new Map([...after.changes, [player, count]]) }
}
