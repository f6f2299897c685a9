import { invariant } from '../assert.ts'
import type { Seat } from '../seat.ts'
import type { RuleSet } from './rule-set.ts'

/** The seats that play together with this one, itself among them. */
export function allianceOf(ruleSet: RuleSet, seat: Seat): readonly Seat[] {
  const alliance = ruleSet.alliances.find((seats) => seats.includes(seat))
  invariant(alliance !== undefined, `${seat} is not a seat of this game`)
  return alliance
}

/** The one ally of a seat, or null where it plays alone. */
export function allyOf(ruleSet: RuleSet, seat: Seat): Seat | null {
  return allianceOf(ruleSet, seat).find((other) => other !== seat) ?? null
}
