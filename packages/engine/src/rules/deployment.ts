import { assertNever, invariant } from '../assert.ts'
import { FORMATION_PLACES, placeKind, type TerritoryPlace } from '../board/territory.ts'
import {
  kindOfSymbol,
  nameOfKind,
  PIECE_KINDS,
  PIECE_SYMBOLS,
  PIECES,
  type PieceKind,
  type PieceTraits,
} from '../piece.ts'
import type { Formation } from '../state.ts'
import type { RuleSet } from './rule-set.ts'

/** What is wrong with a formation by R-DEPLOY, in one sentence, or null. */
export function checkFormation(ruleSet: RuleSet, formation: Formation): string | null {
  const problem = problemOfArmy(formation)
  if (problem !== null) return problem
  for (const [i, place] of FORMATION_PLACES.entries()) {
    const kind = kindOfSymbol(formation.charAt(i))
    const misplaced = kind && problemOfPlace(ruleSet, PIECES[kind], place)
    if (misplaced) return `${misplaced}, not in row ${place.row}, column ${place.column}`
  }
  return null
}

/** Whether it is a whole army: 25 symbols, as many of each as an army has (R-DEPLOY-1, R-DEPLOY-5). */
export function problemOfArmy(formation: Formation): string | null {
  const size = FORMATION_PLACES.length
  if (formation.length !== size || [...formation].some((s) => kindOfSymbol(s) === null)) {
    return `a formation is ${size} of the symbols ${PIECE_SYMBOLS.join('')}, front row first`
  }
  for (const kind of PIECE_KINDS) {
    const { symbol, count } = PIECES[kind]
    const found = formation.split(symbol).length - 1
    if (found !== count) {
      const piece = `the symbol ${symbol} (${nameOfKind(kind)})`
      return `a formation has ${count} of ${piece}; this one has ${found}`
    }
  }
  return null
}

/** Whether a kind may be deployed on a place (R-DEPLOY-2 to R-DEPLOY-4). */
export const isDeployable = (ruleSet: RuleSet, kind: PieceKind, place: TerritoryPlace): boolean =>
  problemOfPlace(ruleSet, PIECES[kind], place) === null

/** Where a kind must not stand: R-DEPLOY-2 (flag), R-DEPLOY-3 (landmines), R-DEPLOY-4 (bombs). */
function problemOfPlace(
  ruleSet: RuleSet,
  { role }: PieceTraits,
  place: TerritoryPlace,
): string | null {
  switch (role) {
    case 'flag':
      return placeKind(place) === 'headquarters' ? null : 'the flag is in a headquarters'
    case 'landmine':
      return place.row >= 5 ? null : 'landmines are in rows 5 and 6'
    case 'bomb':
      return place.row > 1 || ruleSet.bombFrontRow ? null : 'bombs are not in the front row'
    case 'officer':
      return null
    default:
      return assertNever(role)
  }
}

/**
 * A valid formation, each as likely as any other (R-DEPLOY-7); `random` gives numbers from 0 up to 1.
 * Flag, landmines and bombs choose first, in this order: what they take leaves the next as many places.
 */
export function randomFormation(ruleSet: RuleSet, random: () => number): Formation {
  const free = FORMATION_PLACES.map((place, i) => ({ place, i }))
  const symbols: string[] = []
  for (const kind of [...PIECE_KINDS].reverse()) {
    const traits = PIECES[kind]
    for (let n = 0; n < traits.count; n++) {
      const allowed = free.filter(({ place }) => problemOfPlace(ruleSet, traits, place) === null)
      const chosen = allowed[Math.floor(random() * allowed.length)]
      invariant(chosen !== undefined, `no place left for a ${kind}`)
      symbols[chosen.i] = traits.symbol
      free.splice(free.indexOf(chosen), 1)
    }
  }
  return symbols.join('')
}
