import type { RowName } from './budgets.ts'
import type { Measured, Unmeasured } from './report.ts'

/** How much is measured. */
export interface Scale {
  /** Pairs of a measurement and its yardstick, one after the other. */
  readonly rounds: number
  /** Rooms that play at the same time. */
  readonly rooms: number
  /** Moves of each; the first half warms up. */
  readonly moves: number
  /** Idle connections, and those of the storm. */
  readonly connections: number
  /** Rooms of each step of the ladder. */
  readonly ladder: readonly number[]
}

export const FULL: Scale = {
  rounds: 5,
  rooms: 100,
  moves: 300,
  connections: 10_000,
  ladder: [100, 1000, 10_000],
}

/** Under three minutes: good for seeing that it runs, and for large differences. */
export const QUICK: Scale = {
  rounds: 2,
  rooms: 100,
  moves: 200,
  connections: 1000,
  ladder: [100, 1000],
}

/** Rows that are measured together. */
export interface Group {
  readonly rows: readonly RowName[]
  measure(
    scale: Scale,
    wanted: ReadonlySet<RowName>,
  ): AsyncIterable<Measured | Unmeasured> | Iterable<Measured | Unmeasured>
}
