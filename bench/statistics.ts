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

export const sum = (values: readonly number[]): number =>
  values.reduce((one, other) => one + other, 0)

/** The middle of what was measured in each round, and the least and the most. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

export const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  low: Math.min(...values),
  high: Math.max(...values),
})
