import { ofSeat, SEATS, type Seat } from '../seat.ts'
import type { GameState } from '../state.ts'
import type { RuleSet } from './rule-set.ts'
import { isContested } from './turn-order.ts'

/**
 * The seats that have no legal move and go out together in the next round of R-OUT-3: none any more
 * when at most one alliance has a seat in, for a winner is never put out.
 */
export function stuckSeats(
  { ruleSet, seats }: Pick<GameState, 'ruleSet' | 'seats'>,
  canMove: (seat: Seat) => boolean,
): readonly Seat[] {
  const stuck = SEATS.filter((seat) => ofSeat(seats, seat)?.out === null && !canMove(seat))
  return stuck.length > 0 && isContested(ruleSet, seats) ? stuck : []
}

/** Whether so many skipped turns put a seat out (R-OUT-1, R-OUT-4). */
export const isForfeit = (timeouts: number, { timeoutForfeit }: RuleSet): boolean =>
  timeoutForfeit !== null && timeouts >= timeoutForfeit

/** Whether a seat may resign, in its own turn (R-OUT-5). */
export const mayResign = ({ moves, ruleSet }: GameState): boolean => moves >= ruleSet.resignFromMove
