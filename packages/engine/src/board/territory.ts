import type { SpaceKind } from './board.ts'

/** A place in an army's territory as its owner sees it (R-BOARD-1): row 1 is the front, column 1 its left. */
export interface TerritoryPlace {
  readonly row: number
  readonly column: number
}

export const COLUMNS = [1, 2, 3, 4, 5]
const ROWS = [1, 2, 3, 4, 5, 6]
const CAMPS = new Set(['2,2', '2,4', '3,3', '4,2', '4,4'])
const HEADQUARTERS = new Set(['6,2', '6,4'])

export const TERRITORY_PLACES: readonly TerritoryPlace[] = ROWS.flatMap((row) =>
  COLUMNS.map((column) => ({ row, column })),
)

/** What a place of a territory is (R-BOARD-1). */
export function placeKind({ row, column }: TerritoryPlace): SpaceKind {
  const place = `${row},${column}`
  if (CAMPS.has(place)) return 'camp'
  return HEADQUARTERS.has(place) ? 'headquarters' : 'post'
}

/** The 25 places of a formation: front row first, left to right, camps left out (R-DEPLOY-5). */
export const FORMATION_PLACES = TERRITORY_PLACES.filter((place) => placeKind(place) !== 'camp')

/** Whether two places of one territory are linked (R-BOARD-2). */
export function arePlacesLinked(one: TerritoryPlace, other: TerritoryPlace): boolean {
  const rows = Math.abs(one.row - other.row)
  const columns = Math.abs(one.column - other.column)
  if (rows + columns === 1) return true
  return rows === 1 && columns === 1 && (placeKind(one) === 'camp' || placeKind(other) === 'camp')
}
