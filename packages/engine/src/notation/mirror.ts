import { COLUMNS, FORMATION_PLACES } from '../board/territory.ts'
import type { Formation } from '../state.ts'

/** The place in a formation from which each place of its mirror image is taken. */
const MIRRORED = FORMATION_PLACES.map(({ row, column }) =>
  FORMATION_PLACES.findIndex(
    (place) => place.row === row && place.column === COLUMNS.length + 1 - column,
  ),
)

/** The formation with left and right changed: allowed wherever the formation is, and its own mirror's mirror (R-BOARD-1). */
export const mirrorFormation = (formation: Formation): Formation =>
  MIRRORED.map((from) => formation.charAt(from)).join('')
