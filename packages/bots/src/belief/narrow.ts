import { SEATS } from '@junqi/engine'
import { COUNTS, has, KINDS, setOf } from '../kinds.ts'
import { agreeing } from './clash.ts'
import type { Dossier } from './dossier.ts'
import type { Story } from './story.ts'

/** Takes out of every dossier the kinds that the others leave no room for, until nothing changes. */
export function narrow({ armies, clashes }: Story): void {
  let changed = true
  while (changed) {
    changed = false
    for (const clash of clashes) {
      const [attackers, defenders] = agreeing(clash)
      if (keep(clash.attacker, attackers)) changed = true
      if (keep(clash.defender, defenders)) changed = true
    }
    for (const seat of SEATS) if (countOut(armies[seat])) changed = true
  }
}

/** Whether that changed anything. What would leave nothing (a history that is not whole) is left alone. */
function keep(piece: Dossier, kinds: number): boolean {
  const kept = piece.possible & kinds
  if (kept === piece.possible || kept === 0) return false
  piece.possible = kept
  return true
}

/** An army has so many of each kind (R-DEPLOY-1), no more and no fewer. */
function countOut(army: readonly Dossier[]): boolean {
  if (army.length === 0) return false
  let changed = false
  for (let kind = 0; kind < KINDS; kind++) {
    const only = setOf(kind)
    const able = army.filter(({ possible }) => has(possible, kind))
    const sure = able.filter(({ possible }) => possible === only)
    if (able.length === sure.length) continue
    if (sure.length >= (COUNTS[kind] ?? 0)) {
      for (const piece of able) if (piece.possible !== only && keep(piece, ~only)) changed = true
    } else if (able.length === COUNTS[kind]) {
      for (const piece of able) if (keep(piece, only)) changed = true
    }
  }
  return changed
}
