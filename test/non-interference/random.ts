/** A seeded stream of numbers from 0 up to 1 (mulberry32): the same seed, the same test. */
export type Random = () => number

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A whole number from 0 up to `limit`. */
export const below = (random: Random, limit: number): number => Math.floor(random() * limit)

export function pick<T>(random: Random, items: readonly [T, ...T[]]): T
export function pick<T>(random: Random, items: readonly T[]): T | undefined
export function pick<T>(random: Random, items: readonly T[]): T | undefined {
  return items[below(random, items.length)]
}

export const chance = (random: Random, share: number): boolean => random() < share
