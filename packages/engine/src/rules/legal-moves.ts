import { type Piece, seatOfPiece } from '../piece.ts'
import type { Seat } from '../seat.ts'
import type { GameState } from '../state.ts'
import type { GameView, Move } from '../view/seat-view.ts'
import { type Ground, groundOf } from './ground.ts'
import { destinations, gaitOf, occupancyFor } from './movement.ts'
import type { RuleSet } from './rule-set.ts'

/** All legal moves of a seat's pieces, whoever's turn it is; a seat that is out, or an ended game, has none. */
export function legalMoves({ ruleSet, pieces, result }: GameState, seat: Seat): readonly Move[] {
  return result === null ? movesOf(ruleSet, pieces, seat) : []
}

/** The same from what the seat itself sees: where pieces stand, and its own kinds (R-MOVE-6). */
export function legalMovesInView(ruleSet: RuleSet, view: GameView, seat: Seat): readonly Move[] {
  if (view.result !== null) return []
  return movesOf(ruleSet, standingOf(ruleSet, view), seat)
}

export function isLegalMove({ ruleSet, pieces }: GameState, seat: Seat, move: Move): boolean {
  const ground = groundOf(ruleSet)
  const from = ground.board.indexOf.get(move.from)
  const to = ground.board.indexOf.get(move.to)
  if (from === undefined || to === undefined) return false
  const piece = pieces[from]
  if (piece?.seat !== seat) return false
  const gait = gaitOf(piece.kind, ruleSet)
  return destinations(ground, occupancyFor(ground, pieces, seat), { from, gait }).includes(to)
}

/** A piece as far as its mover knows it. */
type Standing = Pick<Piece, 'seat'> & { readonly kind: Piece['kind'] | 'hidden' }

function movesOf(
  ruleSet: RuleSet,
  pieces: readonly (Standing | null)[],
  seat: Seat,
): readonly Move[] {
  const ground = groundOf(ruleSet)
  const occupancy = occupancyFor(ground, pieces, seat)
  const moves: Move[] = []
  for (let from = 0; from < pieces.length; from++) {
    const piece = pieces[from]
    if (piece === null || piece === undefined || piece.seat !== seat) continue
    if (piece.kind === 'hidden') continue
    const gait = gaitOf(piece.kind, ruleSet)
    for (const to of destinations(ground, occupancy, { from, gait })) {
      moves.push(moveBetween(ground, from, to))
    }
  }
  return moves
}

const moveBetween = ({ board }: Ground, from: number, to: number): Move => ({
  from: board.spaces[from] ?? '',
  to: board.spaces[to] ?? '',
})

function standingOf(ruleSet: RuleSet, { pieces }: GameView): (Standing | null)[] {
  const { board } = groundOf(ruleSet)
  const standing: (Standing | null)[] = board.spaces.map(() => null)
  for (const { id, space, kind } of pieces) {
    const index = board.indexOf.get(space)
    if (index !== undefined) standing[index] = { seat: seatOfPiece(id), kind }
  }
  return standing
}
