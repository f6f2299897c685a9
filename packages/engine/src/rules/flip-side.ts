import type { Colour } from '../colour.ts'
import { PIECE_KINDS, PIECES, type PieceKind, type PieceTraits } from '../piece.ts'
import type { Seat } from '../seat.ts'
import type { FlipState } from '../state.ts'

/** What is left of a colour, face-down pieces counted: what attacks have removed is public, so is this. */
export interface Side {
  readonly engineers: number
  readonly bombs: number
  readonly landmines: number
  readonly officers: number
  /** The rank of its smallest officers; 0: it has none. */
  readonly smallest: number
}

export function sideOf({ removed }: Pick<FlipState, 'removed'>, colour: Colour): Side {
  const left = (wanted: (traits: PieceTraits) => boolean): PieceKind[] =>
    PIECE_KINDS.filter((kind) => wanted(PIECES[kind]) && countLeft(removed[colour], kind) > 0)
  const count = (wanted: (traits: PieceTraits) => boolean): number =>
    left(wanted).reduce((sum, kind) => sum + countLeft(removed[colour], kind), 0)
  const ranks = left(({ role }) => role === 'officer').map((kind) => PIECES[kind].rank)
  return {
    engineers: count(({ engineers }) => engineers),
    bombs: count(({ role }) => role === 'bomb'),
    landmines: count(({ role }) => role === 'landmine'),
    officers: count(({ role }) => role === 'officer'),
    smallest: ranks.length === 0 ? 0 : Math.min(...ranks),
  }
}

const countLeft = (removed: readonly PieceKind[], kind: PieceKind): number =>
  PIECES[kind].count - removed.filter((each) => each === kind).length

/** R-FLIP-9: a side with neither an officer nor a bomb left. Before the colours are known there are no sides. */
export function isBare(flip: FlipState, seat: Seat): boolean {
  const colour = flip.colours?.[seat]
  if (colour === undefined) return false
  const { officers, bombs } = sideOf(flip, colour)
  return officers + bombs === 0
}
