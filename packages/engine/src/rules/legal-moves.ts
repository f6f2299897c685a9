import { seatOfPiece } from '../piece.ts'
import type { Seat } from '../seat.ts'
import type { GameState } from '../state.ts'
import type { GameView } from '../view/seat-view.ts'
import { groundOf, type Move } from './ground.ts'
import { mayMove, movesOf, type Standing } from './movement.ts'
import type { RuleSet } from './rule-set.ts'

/** All legal moves of a seat's pieces, whoever's turn it is; a seat that is out, or an ended game, has none. */
export function legalMoves({ ruleSet, pieces, result }: GameState, seat: Seat): readonly Move[] {
  return result === null ? movesOf(groundOf(ruleSet), pieces, seat) : []
}

/** The same from what the seat itself sees: where pieces stand, and its own kinds (R-MOVE-6). */
export function legalMovesInView(ruleSet: RuleSet, view: GameView, seat: Seat): readonly Move[] {
  if (view.result !== null) return []
  return movesOf(groundOf(ruleSet), standingOf(ruleSet, view), seat)
}

export function isLegalMove({ ruleSet, pieces }: GameState, seat: Seat, move: Move): boolean {
  const ground = groundOf(ruleSet)
  const from = ground.board.indexOf.get(move.from)
  const to = ground.board.indexOf.get(move.to)
  if (from === undefined || to === undefined || pieces[from]?.seat !== seat) return false
  return mayMove(ground, pieces, from, to)
}

function standingOf(ruleSet: RuleSet, { pieces }: GameView): (Standing | null)[] {
  const { board } = groundOf(ruleSet)
  const standing: (Standing | null)[] = board.spaces.map(() => null)
  for (const { id, space, kind } of pieces) {
    const index = board.indexOf.get(space)
    if (index !== undefined) standing[index] = { seat: seatOfPiece(id), kind }
  }
  return standing
}
