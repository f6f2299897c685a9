import {
  FORMATION_PLACES,
  type Formation,
  isDeployable,
  kindOfSymbol,
  PIECES,
  type PieceKind,
  type RuleSet,
  type TerritoryPlace,
} from '@junqi/engine'

/** Why a piece may not stand somewhere; each is a sentence of the catalogue. */
export type Misplacement = 'flag' | 'landmine' | 'bomb' | 'camp'

const indexOf = ({ row, column }: TerritoryPlace): number =>
  FORMATION_PLACES.findIndex((place) => place.row === row && place.column === column)

/** What stands on a place of the own territory; null: it is a camp. */
export function kindAt(formation: Formation, place: TerritoryPlace): PieceKind | null {
  return kindOfSymbol(formation.charAt(indexOf(place)))
}

/** The formation with the pieces of two places exchanged, or why that is not allowed (R-DEPLOY-1 to 4). */
export function swapPlaces(
  ruleSet: RuleSet,
  formation: Formation,
  [one, other]: readonly [TerritoryPlace, TerritoryPlace],
): { readonly formation: Formation } | { readonly problem: Misplacement } {
  const problem =
    misplacement(ruleSet, kindAt(formation, one), other) ??
    misplacement(ruleSet, kindAt(formation, other), one)
  if (problem !== null) return { problem }
  const symbols = [...formation]
  const [i, j] = [indexOf(one), indexOf(other)]
  symbols[i] = formation.charAt(j)
  symbols[j] = formation.charAt(i)
  return { formation: symbols.join('') }
}

/** Why a kind may not stand on a place; null: it may. */
function misplacement(
  ruleSet: RuleSet,
  kind: PieceKind | null,
  place: TerritoryPlace,
): Misplacement | null {
  if (kind === null || indexOf(place) < 0) return 'camp'
  const { role } = PIECES[kind]
  return isDeployable(ruleSet, kind, place) || role === 'officer' ? null : role
}

/** Where the piece of a place may be put so that both exchanged pieces stand well. */
export function placesFor(
  ruleSet: RuleSet,
  formation: Formation,
  from: TerritoryPlace,
): readonly TerritoryPlace[] {
  return FORMATION_PLACES.filter(
    (to) =>
      (to.row !== from.row || to.column !== from.column) &&
      'formation' in swapPlaces(ruleSet, formation, [from, to]),
  )
}
