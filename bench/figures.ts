import type { RowName } from './budgets.ts'
import type { Machine } from './machine.ts'
import type { ProfileResults } from './profile.ts'
import type { Row } from './report.ts'
import type { Results } from './results.ts'

/** A row, and the run that it is from. */
export interface Kept extends Row {
  readonly at: string
  readonly isQuick: boolean
}

/** All that the documents tell of measurements: docs/figures.json. */
export interface Figures {
  readonly machine: Machine
  /** In the order of the budgets. */
  readonly rows: Partial<Readonly<Record<RowName, Kept>>>
  /** By store. */
  readonly profiles: Readonly<Record<string, ProfileResults>>
}

/** Takes over what was measured now; what was not stays as it was. */
export function mergeFigures(
  old: Figures | null,
  results: Results,
  profiles: readonly ProfileResults[],
): Figures {
  const { machine, isQuick } = results
  const rows = results.rows
    .filter(({ figure }) => figure !== null)
    .map((row) => [row.row, { ...row, at: machine.at, isQuick }] as const)
  return {
    machine,
    rows: { ...old?.rows, ...Object.fromEntries(rows) },
    profiles: {
      ...old?.profiles,
      ...Object.fromEntries(profiles.map((profile) => [profile.store, profile])),
    },
  }
}

/** The median of a row; one that was never measured throws. */
export function figureOf({ rows }: Figures, row: RowName): number {
  const figure = rows[row]?.figure
  if (!figure) throw new Error(`docs/figures.json has no ${row}: npm run bench -- --row ${row}`)
  return figure.median
}
