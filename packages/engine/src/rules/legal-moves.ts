import type { SpaceId } from '../board/board.ts'
import type { Seat } from '../seat.ts'
import type { GameState } from '../state.ts'
import { ownerOf } from '../view/piece-owner.ts'
import type { GameView } from '../view/seat-view.ts'
import { canPlayOn, type FlipTable, flipMoves, flipsOn, flipTableOf } from './flip-moves.ts'
import { groundOf, type Move } from './ground.ts'
import { hasMove, mayMove, movesOf, type Standing } from './movement.ts'
import { isFlipGame, type RuleSet } from './rule-set.ts'

/** All legal moves of a seat's pieces, whoever's turn it is; a seat that is out, or an ended game, has none. */
export function legalMoves(state: GameState, seat: Seat): readonly Move[] {
  if (state.result !== null) return []
  const table = flipTableOf(state)
  if (table !== null) return flipMoves(table, seat)
  return movesOf(groundOf(state.ruleSet), state.pieces, seat)
}

/** The spaces whose pieces a seat may turn up in a flip game, whoever's turn it is (R-FLIP-2). */
export function legalFlips(state: GameState, seat: Seat): readonly SpaceId[] {
  const table = state.result === null ? flipTableOf(state) : null
  return table === null ? [] : flipsOn(table, seat)
}

/** The same from what the seat itself sees: where pieces stand, and its own kinds (R-MOVE-6). */
export function legalMovesInView(ruleSet: RuleSet, view: GameView, seat: Seat): readonly Move[] {
  if (view.result !== null) return []
  const table = flipTableInView(ruleSet, view)
  if (table !== null) return flipMoves(table, seat)
  return movesOf(groundOf(ruleSet), standingOf(ruleSet, view), seat)
}

/** `legalFlips` from a view. */
export function legalFlipsInView(ruleSet: RuleSet, view: GameView, seat: Seat): readonly SpaceId[] {
  const table = view.result === null ? flipTableInView(ruleSet, view) : null
  return table === null ? [] : flipsOn(table, seat)
}

export function isLegalMove(state: GameState, seat: Seat, move: Move): boolean {
  const { ruleSet, pieces } = state
  const ground = groundOf(ruleSet)
  const from = ground.board.indexOf.get(move.from)
  const to = ground.board.indexOf.get(move.to)
  if (from === undefined || to === undefined || pieces[from]?.seat !== seat) return false
  if (state.flip === null) return mayMove(ground, pieces, from, to)
  return legalMoves(state, seat).some((legal) => legal.from === move.from && legal.to === move.to)
}

/** Tells of each seat whether it has anything to play (R-OUT-3, R-FLIP-9). What all seats share is looked at once. */
export function actionTest(state: GameState): (seat: Seat) => boolean {
  const table = flipTableOf(state)
  if (table !== null) return (seat) => canPlayOn(table, seat)
  const { ruleSet, pieces } = state
  const ground = groundOf(ruleSet)
  return (seat) => hasMove(ground, pieces, seat)
}

function standingOf(ruleSet: RuleSet, view: GameView): (Standing | null)[] {
  const { board } = groundOf(ruleSet)
  const standing: (Standing | null)[] = board.spaces.map(() => null)
  for (const piece of view.pieces) {
    const index = board.indexOf.get(piece.space)
    if (index !== undefined) standing[index] = { seat: ownerOf(view, piece), kind: piece.kind }
  }
  return standing
}

function flipTableInView(ruleSet: RuleSet, view: GameView): FlipTable | null {
  const { flip, seats } = view
  if (flip === undefined || !isFlipGame(ruleSet)) return null
  const pieces = standingOf(ruleSet, view).map((piece) => {
    if (piece === null) return null
    const { seat, kind } = piece
    return kind === 'hidden' ? 'faceDown' : { seat, kind }
  })
  return { ruleSet, flip, seats, pieces }
}
