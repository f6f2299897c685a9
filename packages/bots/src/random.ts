import { invariant } from '@junqi/engine'
import type { Random } from './brain.ts'

/** Numbers from 0 up to 1 from a seed (mulberry32), so that games can be played again. */
export function randomFrom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

/** One of the items, each as likely as any other. */
export function pick<T>(items: readonly T[], random: Random): T {
  const item = items[Math.floor(random() * items.length)]
  invariant(item !== undefined, 'nothing to pick from')
  return item
}
