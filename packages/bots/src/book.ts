import {
  checkFormation,
  FORMATION_PLACES,
  type Formation,
  invariant,
  kindOfSymbol,
  PIECES,
  parseFormation,
  type RuleSet,
} from '@junqi/engine'
import type { Random } from './brain.ts'
import { pick } from './random.ts'

/**
 * Sound formations: the flag behind landmines, bombs where they reach the railroads, strong officers
 * on the flanks with room to come out, engineers kept for later. Row 1 first (R-DEPLOY-5).
 */
const BOOK: readonly Formation[] = [
  '83247/6B9/5237/1B6/4L315/LFL12',
  '72439/5B6/8314/6B2/3L517/LFL12',
  '93527/86B/4173/B62/513L4/21LFL',
  '63428/7B9/5164/3B7/2L135/LF12L',
  '82635/9B7/4271/5B3/6L143/LFL21',
  '75243/8B9/6317/5B1/4L263/LFL21',
  '42836/B79/3715/6B2/513L4/21LFL',
].map((text) => {
  const parsed = parseFormation(text)
  invariant(parsed.ok, `${text} is no formation`)
  return parsed.value
})

/** At most so many pairs of officers change places. */
const SWAPS = 5

/** All formations of the book, each as it is and mirrored. */
export const bookFormations = (): readonly Formation[] =>
  BOOK.flatMap((formation) => [formation, mirrored(formation)])

/** A formation of the book, changed a little so that it cannot be learnt by heart. */
export function formationFromBook(ruleSet: RuleSet, random: Random): Formation {
  let formation = pick(bookFormations(), random)
  for (let swaps = Math.floor(random() * (SWAPS + 1)); swaps > 0; swaps--) {
    const swapped = withSwap(formation, random)
    if (checkFormation(ruleSet, swapped) === null) formation = swapped
  }
  return formation
}

/** Left and right exchanged. */
function mirrored(formation: Formation): Formation {
  const indexAt = new Map(FORMATION_PLACES.map(({ row, column }, i) => [`${row},${column}`, i]))
  return FORMATION_PLACES.map(({ row, column }) =>
    formation.charAt(indexAt.get(`${row},${6 - column}`) ?? -1),
  ).join('')
}

/** Two officers that are as good as each other, or nearly, have changed places. */
function withSwap(formation: Formation, random: Random): Formation {
  const symbols = [...formation]
  const i = Math.floor(random() * symbols.length)
  const partners = [...symbols.keys()].filter((j) => areAlike(symbols[i], symbols[j]))
  if (partners.length === 0) return formation
  const j = pick(partners, random)
  return symbols
    .map((symbol, at) => (at === i ? symbols[j] : at === j ? symbols[i] : symbol))
    .join('')
}

function areAlike(one = '', other = ''): boolean {
  const [a, b] = [kindOfSymbol(one), kindOfSymbol(other)]
  if (a === null || b === null || a === b) return false
  const [first, second] = [PIECES[a], PIECES[b]]
  if (first.role !== 'officer' || second.role !== 'officer') return false
  return Math.abs(first.rank - second.rank) === 1 && first.engineers === second.engineers
}
