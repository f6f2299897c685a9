/** Two-sided 95 %. */
const Z = 1.959964

/** From and to, each between 0 and 1. */
export type Interval = readonly [low: number, high: number]

/**
 * Wilson's 95 % interval of a rate of points a game. Draws count half; they vary less than wins and
 * losses of the same rate would, so that the interval is rather too wide than too narrow.
 */
export function wilson(points: number, games: number): Interval {
  if (games === 0) return [0, 1]
  const rate = points / games
  const spread = Z * Math.sqrt((rate * (1 - rate) + Z ** 2 / (4 * games)) / games)
  const middle = rate + Z ** 2 / (2 * games)
  const scale = 1 + Z ** 2 / games
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)]
}
