import { seatOfPiece } from '../piece.ts'
import { seatOfColour } from '../rules/flip-colour.ts'
import type { Seat } from '../seat.ts'
import type { GameView, PieceView } from './seat-view.ts'

/** Whose piece it is that a viewer sees; null: nobody's, in a flip game, face down or before the colours are known. */
export function ownerOf(
  { flip }: Pick<GameView, 'flip'>,
  { id, colour = null }: Pick<PieceView, 'id' | 'colour'>,
): Seat | null {
  if (flip === undefined) return seatOfPiece(id)
  return colour === null ? null : seatOfColour(flip, colour)
}
