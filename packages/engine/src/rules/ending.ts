import { invariant } from '../assert.ts'
import type { Seat } from '../seat.ts'
import type { EliminationReason, GameResult, GameState } from '../state.ts'
import { allyOf } from './alliance.ts'
import { isAgreed } from './draw-offer.ts'
import { hasSeatIn, isContested, seatsIn } from './turn-order.ts'

const draw = (reason: GameResult['reason']): GameResult => ({ winners: [], reason })

/** A leaver with an ally still in ends the game for everyone (R-OUT-7, `endsGame`). */
export function endsByLeaving({ ruleSet, seats }: GameState, leaver: Seat): boolean {
  const ally = allyOf(ruleSet, leaver)
  return ruleSet.leaving === 'endsGame' && ally !== null && seats[ally]?.out === null
}

/** R-END-1, R-END-2: when at most one alliance has a seat in. */
function resultOfLast(
  { ruleSet, seats }: GameState,
  lastElimination: EliminationReason | null,
): GameResult {
  const alliance = ruleSet.alliances.find((each) => hasSeatIn(each, seats))
  if (alliance === undefined) return draw('noMoves')
  invariant(lastElimination !== null, 'one alliance alone, and nobody went out')
  // R-END-7.
  return { winners: ruleSet.seats.filter((s) => alliance.includes(s)), reason: lastElimination }
}

/** The result of the game, if it has ended: R-END-1 to R-END-5, in this order. */
export function resultOf(
  state: GameState,
  lastElimination: EliminationReason | null,
): GameResult | null {
  const { ruleSet, seats, quiet, moves, skipped } = state
  if (!isContested(ruleSet, seats)) return resultOfLast(state, lastElimination)
  // R-END-3, R-END-4, R-END-5.
  if (ruleSet.quietMoveLimit !== null && quiet >= ruleSet.quietMoveLimit) return draw('quietMoves')
  if (ruleSet.maxMoves !== null && moves >= ruleSet.maxMoves) return draw('maxMoves')
  if (skipped > 0 && skipped >= 3 * seatsIn(seats).length) return draw('abandoned')
  return isAgreed(state) ? draw('agreed') : null
}
