import { type BySeat, bySeat, type GameView, SEATS } from '@junqi/engine'
import { COUNTS, has, KINDS, TRAITS } from '../kinds.ts'
import type { Dossier } from './dossier.ts'
import { PRIOR } from './prior.ts'
import type { Story } from './story.ts'

/** How likely each piece of an army is of each kind: place times kinds plus kind. The rows add up to 1. */
export type Odds = Float64Array

/** Rounds of scaling: rows to 1, columns to what an army has. */
const ROUNDS = 12
/** Below this nothing that is possible falls. */
const LEAST = 1e-9

/** How likely every piece of every army is of every kind, by all that is known. */
export function oddsOf(story: Story, view: GameView): BySeat<Odds> {
  const odds = bySeat((seat) => firstOdds(story.armies[seat], view.seats[seat]?.turns ?? 0))
  for (const seat of SEATS) balance(odds[seat], story.armies[seat])
  if (weighClashes(story, odds)) {
    for (const seat of SEATS) balance(odds[seat], story.armies[seat])
  }
  return odds
}

/** What the place, the possible kinds and the behaviour of each piece say. */
function firstOdds(army: readonly Dossier[], turns: number): Odds {
  const odds = new Float64Array(army.length * KINDS)
  for (const piece of army) {
    for (let kind = 0; kind < KINDS; kind++) {
      if (!has(piece.possible, kind)) continue
      const at = piece.place * KINDS + kind
      odds[at] = (PRIOR[at] ?? 0) * habit(piece, kind, turns) + LEAST
    }
  }
  return odds
}

/** Pieces that stay are rather landmines; those that attack the unknown rather strong, or engineers at the back. */
function habit(piece: Dossier, kind: number, turns: number): number {
  const traits = TRAITS[kind]
  if (traits === undefined) return 0
  if (!traits.moves) return piece.moves === 0 && piece.attacks === 0 ? 1 + turns / 30 : 1
  if (piece.attacks === 0) return 1
  if (traits.role === 'bomb') return 0.5
  return traits.rank >= 4 ? 1 : traits.engineers ? 0.6 : 0.5
}

/** What attacks between two pieces that are both unknown say of each, by the odds of the other. */
function weighClashes({ clashes }: Story, odds: BySeat<Odds>): boolean {
  let weighed = false
  for (const { attacker, defender, fits } of clashes) {
    if (isSure(attacker) && isSure(defender)) continue
    const [own, other] = [odds[attacker.seat], odds[defender.seat]]
    const [rowA, rowD] = [attacker.place * KINDS, defender.place * KINDS]
    const byAttacker = new Float64Array(KINDS)
    const byDefender = new Float64Array(KINDS)
    for (let a = 0; a < KINDS; a++) {
      for (let d = 0; d < KINDS; d++) {
        if (fits[a * KINDS + d] !== 1) continue
        byAttacker[a] = (byAttacker[a] ?? 0) + (other[rowD + d] ?? 0)
        byDefender[d] = (byDefender[d] ?? 0) + (own[rowA + a] ?? 0)
      }
    }
    weigh(own, attacker, byAttacker)
    weigh(other, defender, byDefender)
    weighed = true
  }
  return weighed
}

const isSure = ({ possible }: Dossier): boolean => (possible & (possible - 1)) === 0

function weigh(odds: Odds, { place, possible }: Dossier, by: Float64Array): void {
  for (let kind = 0; kind < KINDS; kind++) {
    if (!has(possible, kind)) continue
    const at = place * KINDS + kind
    // A chance is 1 at most. What LEAST has added to it would double with each clash of the same two pieces.
    odds[at] = (odds[at] ?? 0) * Math.min(by[kind] ?? 0, 1) + LEAST
  }
}

/** Scales rows and columns in turn; ends with the rows, so that every piece is of some kind. */
function balance(odds: Odds, army: readonly Dossier[]): void {
  if (army.length === 0) return
  for (let round = 0; round < ROUNDS; round++) {
    for (let kind = 0; kind < KINDS; kind++) scaleColumn(odds, kind, COUNTS[kind] ?? 0)
    for (let place = 0; place < army.length; place++) scaleRow(odds, place)
  }
}

function scaleColumn(odds: Odds, kind: number, count: number): void {
  let sum = 0
  for (let at = kind; at < odds.length; at += KINDS) sum += odds[at] ?? 0
  if (sum === 0) return
  for (let at = kind; at < odds.length; at += KINDS) odds[at] = ((odds[at] ?? 0) * count) / sum
}

function scaleRow(odds: Odds, place: number): void {
  const start = place * KINDS
  let sum = 0
  for (let at = start; at < start + KINDS; at++) sum += odds[at] ?? 0
  if (sum === 0) return
  for (let at = start; at < start + KINDS; at++) odds[at] = (odds[at] ?? 0) / sum
}
