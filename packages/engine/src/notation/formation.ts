import { FORMATION_PLACES } from '../board/territory.ts'
import { err, ok, type Result } from '../result.ts'
import { problemOfArmy } from '../rules/deployment.ts'
import type { Formation } from '../state.ts'

/** How many spaces each row of a formation has (R-DEPLOY-5). */
const ROW_LENGTHS = [1, 2, 3, 4, 5, 6].map(
  (row) => FORMATION_PLACES.filter((place) => place.row === row).length,
)
const ROWS = new RegExp(`^${ROW_LENGTHS.map((length) => `([^/]{${length}})`).join('/?')}$`)

/** Reads a formation, with `/` allowed between rows (R-DEPLOY-5). Where the pieces may stand is for `checkFormation`. */
export function parseFormation(text: string): Result<Formation, string> {
  const formation = ROWS.test(text) ? text.replaceAll('/', '') : text
  const problem = problemOfArmy(formation)
  return problem === null ? ok(formation) : err(problem)
}

/** The formation with `/` between its rows, as people read it. */
export const formatFormation = (formation: Formation): string =>
  formation.replace(ROWS, ROW_LENGTHS.map((_, i) => `$${i + 1}`).join('/'))
