import type { PlayerId } from '@junqi/protocol'
import { type Refusal, refusal } from './decision.ts'
import type { LogEntry } from './log-entry.ts'
import type { PlayerCommand } from './room-command.ts'
import { OTHERS_CHANGES, PLAYER_CHANGES } from './room-limits.ts'
import type { RoomState } from './room-state.ts'

/** Nobody has changed the room, or nobody's changes count any more. */
export const NO_CHANGES: RoomState['changes'] = new Map<PlayerId, number>()

/**
 * What somebody could do again and again before play, with the room's log a bit longer each time. To be ready is none of it:
 * it takes something else to be so again.
 */
const REPEATABLE: ReadonlySet<PlayerCommand['type']> = new Set([
  'join',
  'sit',
  'requestSwap',
  'notReady',
] as const)

/** R-ROOM-7: the log of a room is its host's to wear out, and nobody else's. What ends a stay is never refused. */
export function problemOfChanges(
  { host, version, changes }: RoomState,
  { type, player }: PlayerCommand,
): Refusal | null {
  if (player.id === host || !REPEATABLE.has(type)) return null
  if (countOf(changes, player.id) >= PLAYER_CHANGES) return refusal('too_many_changes')
  return version - countOf(changes, host) < OTHERS_CHANGES
    ? null
    : refusal('too_many_changes', WORN)
}

const WORN = 'This room has been changed too often: let its game begin, or make a room of your own.'

const countOf = (changes: RoomState['changes'], player: PlayerId): number =>
  changes.get(player) ?? 0

/** The room after an entry, which counts as its player's until play begins. What others make one do does not. */
export function withChange(
  after: RoomState,
  { player, events }: Pick<LogEntry, 'player' | 'events'>,
): RoomState {
  const isBeforePlay = after.phase === 'lobby' || after.phase === 'deployment'
  if (player === null || !isBeforePlay) return after
  if (player !== after.host && events.every(isForced)) return after
  const changes = new Map(after.changes).set(player, countOf(after.changes, player) + 1)
  return { ...after, changes }
}

/** An answer to somebody else, or that one is ready again after that. */
const isForced = (event: LogEntry['events'][number]): boolean =>
  event.type === 'swapAnswered' || (event.type === 'readyChanged' && event.ready)
