import type { Piece } from '../piece.ts'
import { boardOf } from '../rules/ground.ts'
import { mayKnow, mayKnowFormation } from '../rules/visibility.ts'
import { bySeat } from '../seat.ts'
import type { GameState } from '../state.ts'
import type { GameView, PieceView } from './seat-view.ts'
import type { Viewer } from './viewer.ts'

/** A game as one viewer sees it now. Built field by field: what is not named here is not seen. */
export function viewGame(state: GameState, viewer: Viewer): GameView {
  return {
    pieces: viewPieces(state, viewer),
    seats: state.seats,
    first: state.first,
    toMove: state.toMove,
    turn: state.turn,
    moves: state.moves,
    quiet: state.quiet,
    skipped: state.skipped,
    offer: state.offer,
    offers: state.offers,
    result: state.result,
    formations: viewFormations(state, viewer),
  }
}

/** The pieces on the board as a viewer sees them, in the order of their spaces. */
export function viewPieces(state: GameState, viewer: Viewer): PieceView[] {
  const { spaces } = boardOf(state.ruleSet)
  return state.pieces.flatMap((piece, index) =>
    piece === null ? [] : [viewPiece(piece, spaces[index] ?? '', mayKnow(viewer, piece, state))],
  )
}

const viewPiece = ({ id, kind }: Piece, space: string, known: boolean): PieceView => ({
  id,
  space,
  kind: known ? kind : 'hidden',
})

export const viewFormations = (state: GameState, viewer: Viewer): GameView['formations'] =>
  bySeat((seat) => (mayKnowFormation(viewer, seat, state) ? state.formations[seat] : null))
