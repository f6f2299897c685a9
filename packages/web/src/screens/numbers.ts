/** A change with its sign, which is shown for nothing too. */
export function formatChange(delta: number): string {
  if (delta === 0) return '±0'
  return delta > 0 ? `+${delta}` : `−${-delta}`
}

export const formatScore = (score: number): string => String(score).replace('-', '−')

/** The skill of a rating that is as good as certain. */
export const formatRating = (ordinal: number): string => ordinal.toFixed(1).replace('-', '−')

export const formatRatingChange = (delta: number): string =>
  formatChange(Math.round(delta * 10) / 10)
