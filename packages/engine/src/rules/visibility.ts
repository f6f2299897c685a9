import type { Piece } from '../piece.ts'
import type { Seat } from '../seat.ts'
import type { GameState } from '../state.ts'
import type { Viewer } from '../view/viewer.ts'
import { allyOf } from './alliance.ts'
import type { RuleSet } from './rule-set.ts'

/** What visibility depends on: public facts alone. */
export type Sight = Pick<GameState, 'ruleSet' | 'seats' | 'result'>

/**
 * Whether a viewer may know the kind of a piece on the board: the only answer to that question.
 * R-SEE-2 (shown to everyone), R-SEE-4 and R-END-6 (everything open), R-SEE-1 and R-OUT-6 (its own).
 */
export function mayKnow(
  viewer: Viewer,
  piece: Pick<Piece, 'seat' | 'shown'>,
  sight: Sight,
): boolean {
  if (piece.shown || seesAll(sight)) return true
  // R-FLIP-1: what lies face down is nobody's.
  return piece.seat !== null && seesArmy(viewer, piece.seat, sight)
}

/** Whether anyone may know what lay where as a flip game started: once it is over (R-FLIP-1, R-END-6). */
export const mayKnowLayout = (sight: Sight): boolean => sight.result !== null

/** Whether anyone may know what opens the commitments of a game: once it is over (R-SEAL-2). */
export const mayKnowSalts = (sight: Sight): boolean => sight.result !== null

/** Whether a viewer may know what a seat deployed: every kind it ever had, fallen ones too. */
export function mayKnowFormation(viewer: Viewer, seat: Seat, sight: Sight): boolean {
  if (seesAll(sight)) return true
  const status = viewer === 'spectator' ? null : sight.seats[viewer]
  if (viewer === 'spectator' || status === null || status.out === 'left') return false
  if (viewer === seat) return true
  return seesAllyInPlay(viewer, seat, sight.ruleSet) && keepsSight(viewer, sight)
}

/** R-SEE-4 and R-END-6. */
const seesAll = ({ ruleSet, result }: Sight): boolean =>
  result !== null || ruleSet.visibility === 'allOpen'

/** R-SEE-1 for seats in play, R-OUT-6 for those that are out. */
function seesArmy(viewer: Viewer, owner: Seat, sight: Sight): boolean {
  if (viewer === 'spectator' || !keepsSight(viewer, sight)) return false
  if (viewer === owner || seesAllyInPlay(viewer, owner, sight.ruleSet)) return true
  const isOut = sight.seats[viewer]?.out !== null
  return isOut && sight.ruleSet.eliminatedView === 'ally' && isAlly(viewer, owner, sight.ruleSet)
}

/** Whether a seat sees more than spectators do. */
function keepsSight(seat: Seat, { ruleSet, seats }: Sight): boolean {
  const status = seats[seat]
  if (status === null || status.out === 'left') return false
  return status.out === null || ruleSet.eliminatedView !== 'public'
}

const isAlly = (seat: Seat, other: Seat, ruleSet: RuleSet) => allyOf(ruleSet, seat) === other

const seesAllyInPlay = (viewer: Seat, owner: Seat, ruleSet: RuleSet) =>
  ruleSet.visibility === 'allyOpen' && isAlly(viewer, owner, ruleSet)
