import type { Layout } from '../layout.ts'
import type { Piece } from '../piece.ts'
import { boardOf } from '../rules/ground.ts'
import { mayKnow, mayKnowFormation, mayKnowLayout } from '../rules/visibility.ts'
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
    ...viewFlip(state),
  }
}

/** The pieces on the board as a viewer sees them, in the order of their spaces. */
export function viewPieces(state: GameState, viewer: Viewer): PieceView[] {
  const { spaces } = boardOf(state.ruleSet)
  return state.pieces.flatMap((piece, index) =>
    piece === null ? [] : [viewPiece(piece, spaces[index] ?? '', mayKnow(viewer, piece, state))],
  )
}

function viewPiece({ id, kind, colour }: Piece, space: string, known: boolean): PieceView {
  if (colour === undefined) return { id, space, kind: known ? kind : 'hidden' }
  return known ? { id, space, kind, colour } : { id, space, kind: 'hidden', colour: null }
}

/** Of a flip game all but what lies face down is public. */
function viewFlip(state: GameState): Pick<GameView, 'flip'> {
  if (state.flip === null) return {}
  const { colours, first, latest, removed } = state.flip
  return { flip: { colours, first, latest, removed, ...viewLayout(state) } }
}

/** R-FLIP-1, R-END-6. */
export const viewLayout = (state: GameState): { readonly layout: Layout | null } => ({
  layout: mayKnowLayout(state) ? state.layout : null,
})

export const viewFormations = (state: GameState, viewer: Viewer): GameView['formations'] =>
  bySeat((seat) => (mayKnowFormation(viewer, seat, state) ? state.formations[seat] : null))
