import type { Machine } from './machine.ts'
import type { Row } from './report.ts'

/** What a run keeps as JSON. */
export interface Results {
  readonly machine: Machine
  readonly isQuick: boolean
  readonly rows: readonly Row[]
}
