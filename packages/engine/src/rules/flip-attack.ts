import { assertNever } from '../assert.ts'
import type { SpaceKind } from '../board/board.ts'
import { type Colour, otherColour } from '../colour.ts'
import { PIECES, type PieceKind, type PieceTraits } from '../piece.ts'
import type { FlipState } from '../state.ts'
import { type Side, sideOf } from './flip-side.ts'
import type { FlipRuleSet } from './rule-set.ts'

/** Both sides of an attack, the attacker's first. */
export interface Sides {
  readonly own: Side
  readonly enemy: Side
}

/** Of who plays a colour. */
export const sidesOf = (flip: Pick<FlipState, 'removed'>, colour: Colour): Sides => ({
  own: sideOf(flip, colour),
  enemy: sideOf(flip, otherColour(colour)),
})

/** Whether nobody may attack a kind on such a space, because it is a headquarters (R-FLIP-5). */
export const isSafeOn = (space: SpaceKind | undefined, kind: PieceKind): boolean =>
  space === 'headquarters' && PIECES[kind].moves

/** Whether a kind may attack another one in the flip game, where both lie open (R-FLIP-6, R-FLIP-7, R-FLIP-8). */
export function mayAttack(
  ruleSet: FlipRuleSet,
  [attacker, defender]: readonly [PieceKind, PieceKind],
  sides: Sides,
): boolean {
  const [a, d] = [PIECES[attacker], PIECES[defender]]
  switch (d.role) {
    case 'landmine':
      return mayAttackLandmine(ruleSet, a, sides)
    case 'flag':
      return mayAttackFlag(ruleSet, a, sides)
    case 'officer':
    case 'bomb':
      return true
    default:
      return assertNever(d.role)
  }
}

/** R-FLIP-6. */
function mayAttackLandmine({ flipMines }: FlipRuleSet, a: PieceTraits, { own }: Sides): boolean {
  if (a.engineers) return true
  if (flipMines === 'engineers') return false
  return a.role === 'bomb' || (own.engineers === 0 && own.bombs === 0 && isSmallest(a, own))
}

/** R-FLIP-7. */
function mayAttackFlag({ flipFlag }: FlipRuleSet, a: PieceTraits, { own, enemy }: Sides): boolean {
  if (enemy.landmines > 0 || a.role !== 'officer') return false
  switch (flipFlag) {
    case 'smallest':
      return isSmallest(a, own)
    case 'engineer':
      return a.engineers
    case 'any':
      return true
    default:
      return assertNever(flipFlag)
  }
}

const isSmallest = ({ role, rank }: PieceTraits, { smallest }: Side): boolean =>
  role === 'officer' && rank === smallest
