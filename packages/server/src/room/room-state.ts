import {
  type BySeat,
  type Formation,
  type GameState,
  type PerSeat,
  SEATS,
  type Seal,
  type Seat,
  type Viewer,
} from '@junqi/engine'
import type { Invitation, Phase, Player, PlayerId, RoomId, Spectators } from '@junqi/protocol'
import type { ServiceTime } from '../ports.ts'
import type { RoomRules } from './room-event.ts'

export interface Occupant {
  readonly player: Player
  readonly ready: boolean
  /** The lower, the longer seated; a change of seats keeps it. */
  readonly arrival: number
}

export interface Swap {
  readonly swap: number
  readonly by: Seat
  readonly with: Seat
}

/** A room, derived from its log and nothing else. Drafts and presence are kept apart from it. */
export interface RoomState {
  readonly version: number
  readonly phase: Phase
  readonly closed: boolean
  readonly rules: RoomRules
  /** Who may look on while the game runs. */
  readonly spectators: Spectators
  readonly host: PlayerId
  /** As the list of rooms names it: while spectators are behind, who was host when play began. */
  readonly listedHost: PlayerId
  /** null: the room is public. */
  readonly invitation: Invitation | null
  /** Who may see a private room; empty for a public one. */
  readonly members: ReadonlySet<PlayerId>
  readonly seats: BySeat<Occupant | null>
  /** Players seated so far. */
  readonly arrivals: number
  readonly swaps: readonly Swap[]
  /** Requests to swap so far. */
  readonly swapCount: number
  /** Handed in; only while in deployment. */
  readonly formations: PerSeat<Formation>
  readonly bankMs: BySeat<number>
  /** When the running deployment or turn began. */
  readonly startedAt: ServiceTime
  readonly game: GameState | null
  /** null: play has not started, or did before there were seals. */
  readonly seal: Seal | null
  /** The version that began the latest game, with its deployment if it has one; 0: there was none. */
  readonly begunAt: number
  /** The version that started play; null: it has not. */
  readonly gameVersion: number | null
  /** How many entries before play count as each player's (R-ROOM-7, changes.ts); empty once play has begun. */
  readonly changes: ReadonlyMap<PlayerId, number>
  readonly rematch: RoomId | null
  /** With those that have closed. */
  readonly rematches: number
  /** When something must happen by itself; null: the game is over. */
  readonly deadline: ServiceTime | null
}

export function seatOf({ seats }: Pick<RoomState, 'seats'>, player: PlayerId): Seat | null {
  return SEATS.find((seat) => seats[seat]?.player.id === player) ?? null
}

/** Everyone may see a public room, its members a private one. */
export const maySee = (state: RoomState, player: PlayerId | null): boolean =>
  state.invitation === null || (player !== null && state.members.has(player))

/** The engine's viewer for a player: its seat; for everyone else the least there is (F-H1). */
export const viewerOf = (state: RoomState, player: PlayerId | null): Viewer =>
  (player === null ? null : seatOf(state, player)) ?? 'spectator'

export interface Seated {
  readonly seat: Seat
  readonly occupant: Occupant
}

/** Who is host when another leaves: of the people who are still there the longest seated; bots never are. null: nobody. */
export function nextHost(state: RoomState, leaving: PlayerId): Player | null {
  const staying = seated(state).filter(({ seat }) => !hasLeft(state, seat))
  const people = staying
    .map(({ occupant }) => occupant.player)
    .filter(({ bot }) => bot === undefined)
  return people.find(({ id }) => id !== leaving) ?? null
}

/** The taken seats, the longest seated player first. */
export function seated({ seats }: Pick<RoomState, 'seats'>): readonly Seated[] {
  return SEATS.flatMap((seat) => {
    const occupant = seats[seat]
    return occupant === null ? [] : [{ seat, occupant }]
  }).sort((one, other) => one.occupant.arrival - other.occupant.arrival)
}

/** Whether the player on a seat left the running game for good (R-OUT-7). */
export const hasLeft = ({ game }: Pick<RoomState, 'game'>, seat: Seat): boolean =>
  game?.seats[seat]?.out === 'left'

/** Whether the same players have left the running game, in two states of a room. */
export const haveLeftAlike = (
  before: Pick<RoomState, 'game'>,
  after: Pick<RoomState, 'game'>,
): boolean =>
  before.game?.seats === after.game?.seats ||
  SEATS.every((seat) => hasLeft(before, seat) === hasLeft(after, seat))

/** When deployment or the turn ends, as everyone is told; null: nothing is timed. */
export const publicDeadline = (state: RoomState): ServiceTime | null =>
  !state.closed && isTimed(state) ? state.deadline : null

const isTimed = ({ phase }: RoomState): boolean => phase === 'deployment' || phase === 'playing'
