/** One row of BUDGETS: what was measured, beside its budget. */
export interface Row {
  readonly what: string
  readonly measured: string
  readonly budget: string
  readonly holds: boolean | null
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length >> 1
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? Number.NaN)) / 2
}

/** The value that `share` (0..1) of the values are at most. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function atMost(what: string, value: number, budget: number, unit: string): Row {
  const text = value >= 100 ? value.toFixed(0) : value.toFixed(2)
  return {
    what,
    measured: `${text} ${unit}`,
    budget: `<= ${budget} ${unit}`,
    holds: value <= budget,
  }
}

export function atLeast(what: string, value: number, budget: number, unit: string): Row {
  const text = value >= 100 ? value.toFixed(0) : value.toFixed(2)
  return {
    what,
    measured: `${text} ${unit}`,
    budget: `>= ${budget} ${unit}`,
    holds: value >= budget,
  }
}

export const reported = (what: string, measured: string): Row => ({
  what,
  measured,
  budget: 'report',
  holds: null,
})

export function printRow(row: Row): void {
  const mark = row.holds === null ? ' ' : row.holds ? '+' : '!'
  process.stdout.write(
    `${mark} ${row.what.padEnd(62)} ${row.measured.padStart(16)}   ${row.budget}\n`,
  )
}
