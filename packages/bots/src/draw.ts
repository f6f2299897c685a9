import { FLAG, KINDS } from './kinds.ts'
import { chance, type Mind } from './mind.ts'
import { VALUES } from './values.ts'

/** Below this much of what the opponents have on the board, a draw is welcome. */
const BEHIND = 0.75

/** Whether a draw is no loss: behind in what the armies are worth, or nothing has come of a long time. */
export function mayAgreeToDraw(mind: Mind): boolean {
  const { quietMoveLimit } = mind.sight.ruleSet
  const isDead = quietMoveLimit !== null && mind.sight.view.quiet > quietMoveLimit * 0.7
  return isDead || ownStrength(mind) < BEHIND * strongestOpponents(mind)
}

const ownStrength = (mind: Mind): number =>
  strength(mind, mind.seat) + (mind.ally === null ? 0 : strength(mind, mind.ally))

/** The strongest alliance against this seat. */
function strongestOpponents(mind: Mind): number {
  const { alliances } = mind.sight.ruleSet
  const sums = alliances
    .filter((alliance) => !alliance.includes(mind.seat))
    .map((alliance) => alliance.reduce((sum, seat) => sum + strength(mind, seat), 0))
  return Math.max(0, ...sums)
}

/** What an army on the board is worth beside its flag, as far as it can be told. */
function strength(mind: Mind, seat: Mind['seat']): number {
  let sum = 0
  for (const piece of mind.story.armies[seat]) {
    if (piece.space < 0) continue
    for (let kind = 0; kind < KINDS; kind++) {
      if (kind !== FLAG) sum += chance(mind, piece, kind) * (VALUES[kind] ?? 0)
    }
  }
  return sum
}
