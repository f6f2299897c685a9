import { assertNever } from '../assert.ts'
import type { Colour } from '../colour.ts'
import { otherColour } from '../colour.ts'
import type { ColouredKind } from '../layout.ts'
import { PIECES } from '../piece.ts'
import { type PerSeat, SEATS, type Seat } from '../seat.ts'
import type { FlipState } from '../state.ts'
import type { FlipRuleSet } from './rule-set.ts'

/** A piece that a seat has turned up, and whether it was the last that lay face down. */
export interface Flip extends ColouredKind {
  readonly seat: Seat
  readonly isLast: boolean
}

/** The colours that a flip decides (R-FLIP-3); null: they are known already, or still open. */
export function coloursBy(
  ruleSet: FlipRuleSet,
  before: FlipState,
  flip: Flip,
): PerSeat<Colour> | null {
  if (before.colours !== null) return null
  if (isDecided(ruleSet, before, flip)) return coloursOf(ruleSet, flip)
  return flip.isLast ? coloursOf(ruleSet, before.first ?? flip) : null
}

/** Whether the flip gives its colour to its seat. */
function isDecided({ flipColour }: FlipRuleSet, { latest }: FlipState, flip: Flip): boolean {
  switch (flipColour) {
    case 'engineer':
      return PIECES[flip.kind].engineers
    case 'twoInARow':
      return latest[flip.seat] === flip.colour
    case 'first':
      return true
    default:
      return assertNever(flipColour)
  }
}

const coloursOf = (
  { seats }: FlipRuleSet,
  { seat, colour }: Pick<Flip, 'seat' | 'colour'>,
): PerSeat<Colour> =>
  Object.fromEntries(
    seats.map((each) => [each, each === seat ? colour : otherColour(colour)] as const),
  )

/** Whose a colour is; null: that is still open. */
export const seatOfColour = (
  { colours }: Pick<FlipState, 'colours'>,
  colour: Colour,
): Seat | null => colours && (SEATS.find((seat) => colours[seat] === colour) ?? null)
