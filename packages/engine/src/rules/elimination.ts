import { SEATS, type Seat } from '../seat.ts'
import type { GameState } from '../state.ts'
import { groundOf } from './ground.ts'
import { seatsWithMoves } from './movement.ts'
import type { RuleSet } from './rule-set.ts'

/** The seats still in that have no legal move: they go out together (R-OUT-3). */
export function seatsWithoutMoves({ ruleSet, pieces, seats }: GameState): Seat[] {
  const able = seatsWithMoves(groundOf(ruleSet), pieces, ruleSet)
  return SEATS.filter((seat) => seats[seat]?.out === null && !able.has(seat))
}

/** Whether so many skipped turns put a seat out (R-OUT-1, R-OUT-4). */
export const isForfeit = (timeouts: number, { timeoutForfeit }: RuleSet): boolean =>
  timeoutForfeit !== null && timeouts >= timeoutForfeit

/** Whether a seat may resign, in its own turn (R-OUT-5). */
export const mayResign = ({ moves, ruleSet }: GameState): boolean => moves >= ruleSet.resignFromMove
