import { BUDGETS, type Budget, type RowName } from './budgets.ts'
import { type Spread, spreadOf } from './statistics.ts'

/** What was measured of a row, in each round. */
export interface Measured {
  readonly row: RowName
  /** In the unit of the row. */
  readonly figures: readonly number[]
  /** Multiples of its yardstick, of the same rounds; empty for a row that has none. */
  readonly ratios: readonly number[]
  /** What the reader has to know of this measurement. */
  readonly note: string | null
}

/** A row that could not be measured here. */
export interface Unmeasured {
  readonly row: RowName
  readonly why: string
}

export type Verdict = 'met' | 'not met' | 'report' | 'not measured'

/** A row as it is printed and kept. */
export interface Row {
  readonly row: RowName
  readonly what: string
  readonly unit: string
  readonly yardstick: string | null
  readonly figure: Spread | null
  readonly ratio: Spread | null
  /** Pairs, where there is a yardstick. */
  readonly rounds: number
  readonly budget: string
  readonly verdict: Verdict
  readonly note: string | null
}

export const measured = (
  row: RowName,
  figures: readonly number[],
  ratios: readonly number[] = [],
  note: string | null = null,
): Measured => ({ row, figures, ratios, note })

/** Compares with the budget: the medians count. */
export function judge(result: Measured | Unmeasured): Row {
  const { row } = result
  const budget: Budget = BUDGETS[row]
  const known = { row, what: budget.what, unit: budget.unit, yardstick: budget.yardstick }
  if ('why' in result) {
    const verdict = 'not measured'
    const nothing = { figure: null, ratio: null, rounds: 0 }
    return { ...known, ...nothing, budget: budgetText(budget), verdict, note: result.why }
  }
  const figure = spreadOf(result.figures)
  const ratio = result.ratios.length === 0 ? null : spreadOf(result.ratios)
  return {
    ...known,
    figure,
    ratio,
    rounds: result.figures.length,
    budget: budgetText(budget),
    verdict: verdictOf(budget, (ratio ?? figure).median),
    note: result.note,
  }
}

function verdictOf({ is, limit, isReport }: Budget, value: number): Verdict {
  if (isReport || is === null) return 'report'
  return (is === 'at most' ? value <= limit : value >= limit) ? 'met' : 'not met'
}

function budgetText({ is, limit, unit, yardstick }: Budget): string {
  if (is === null) return 'report'
  return `${is === 'at most' ? '<=' : '>='} ${limit} ${yardstick === null ? unit : `x ${yardstick}`}`
}

/** Three digits that count, and no more. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '-'
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

export const formatFigure = ({ figure, unit }: Row): string =>
  figure === null ? '-' : `${formatNumber(figure.median)} ${unit}`

export const formatSpread = (spread: Spread): string =>
  `${formatNumber(spread.median)} (${formatNumber(spread.low)}..${formatNumber(spread.high)})`

export function formatRow(row: Row): string {
  const { ratio, figure } = row
  const compared = ratio === null ? '' : `${formatSpread(ratio)} x`
  const of = figure !== null && ratio === null && row.rounds > 1 ? formatSpread(figure) : compared
  const columns = [
    row.verdict.padEnd(12),
    row.row.padEnd(17),
    row.what.padEnd(54),
    formatFigure(row).padStart(16),
    of.padStart(26),
    `  ${row.budget}`,
  ]
  return columns.join(' ') + (row.note === null ? '' : `   [${row.note}]`)
}
