import { type GameResult, isScored, type Seat } from '@junqi/engine'
import type { ListedRoom, Phase, Player, PlayerId, RoomId } from '@junqi/protocol'
import type { ServiceTime } from '../ports.ts'
import { isCustom } from './custom-rules.ts'
import { publicDeadline, type RoomState, seated } from './room-state.ts'

/** What who runs the server is told of a room: who is there, and how far it is. Nothing of what is on its board. */
export interface RoomSummary {
  readonly room: RoomId
  readonly phase: Phase
  /** It was closed, or has failed: nothing happens there any more. */
  readonly closed: boolean
  readonly failed: boolean
  readonly private: boolean
  readonly version: number
  readonly preset: ListedRoom['preset']
  readonly custom: boolean
  readonly scored: boolean
  readonly spectators: ListedRoom['spectators']
  readonly host: PlayerId
  readonly seats: readonly SeatSummary[]
  /** Turns completed; null: play has not begun. */
  readonly turn: number | null
  /** When deployment or the turn ends. */
  readonly until: ServiceTime | null
  /** Of a game that has ended. */
  readonly result: GameResult | null
  readonly rematch: RoomId | null
}

export interface SeatSummary {
  readonly seat: Seat
  readonly player: Player | null
  readonly ready: boolean
  readonly connected: boolean
  /** Out of the game, however. */
  readonly out: boolean
}

/**
 * Built field by field from what the list of rooms tells, and from counts (F-H2): what is not named here is not told. No
 * formation, no piece, no draft, and no invitation, which would be a way in.
 */
export function summaryOf(
  room: RoomId,
  state: RoomState,
  known: { readonly hasFailed: boolean; isConnected(player: PlayerId): boolean },
): RoomSummary {
  const { preset, options, ruleSet } = state.rules
  const hasBot = seated(state).some(({ occupant }) => occupant.player.bot !== undefined)
  return {
    room,
    phase: state.phase,
    closed: state.closed,
    failed: known.hasFailed,
    private: state.invitation !== null,
    version: state.version,
    preset,
    custom: isCustom(options),
    scored: isScored({ preset, ruleSet, hasBot }),
    spectators: state.spectators.mode,
    host: state.host,
    seats: ruleSet.seats.map((seat) => {
      const occupant = state.seats[seat]
      return {
        seat,
        player: occupant?.player ?? null,
        ready: occupant?.ready ?? false,
        connected: occupant !== null && known.isConnected(occupant.player.id),
        out: (state.game?.seats[seat]?.out ?? null) !== null,
      }
    }),
    turn: state.game?.turn ?? null,
    until: publicDeadline(state),
    result: state.game?.result ?? null,
    rematch: state.rematch,
  }
}
