import { FORMATION_PLACES, kindOfSymbol } from '@junqi/engine'
import { bookFormations } from '../book.ts'
import { COUNTS, KINDS, numberOf, TRAITS } from '../kinds.ts'

/** How far people are thought to deploy like the book; the rest is any formation at all. */
const LIKE_THE_BOOK = 0.6
/** How much of an officer's habit is also that of the ranks beside it. */
const NEXT_RANK = 0.35

/** How likely each kind is on each place of a formation, before anything has happened: place times kinds plus kind. */
export const PRIOR: Float64Array = makePrior()

function makePrior(): Float64Array {
  const formations = bookFormations()
  const prior = new Float64Array(FORMATION_PLACES.length * KINDS)
  const add = (place: number, kind: number, share: number) => {
    prior[place * KINDS + kind] = (prior[place * KINDS + kind] ?? 0) + share
  }
  for (let place = 0; place < FORMATION_PLACES.length; place++) {
    for (let kind = 0; kind < KINDS; kind++) {
      add(place, kind, ((1 - LIKE_THE_BOOK) * (COUNTS[kind] ?? 0)) / FORMATION_PLACES.length)
    }
    for (const formation of formations) {
      const symbol = kindOfSymbol(formation.charAt(place))
      if (symbol === null) continue
      for (const [kind, share] of habits(numberOf(symbol))) {
        add(place, kind, (LIKE_THE_BOOK * share) / formations.length)
      }
    }
  }
  return prior
}

function habits(kind: number): readonly (readonly [number, number])[] {
  const isOfficer = (other: number) => {
    const traits = TRAITS[other]
    return traits?.role === 'officer' && !traits.engineers
  }
  if (!isOfficer(kind)) return [[kind, 1]]
  const beside = [kind - 1, kind + 1].filter(isOfficer)
  const rest = 1 - NEXT_RANK * beside.length
  return [[kind, rest], ...beside.map((other) => [other, NEXT_RANK] as const)]
}
