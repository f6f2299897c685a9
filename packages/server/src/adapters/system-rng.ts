import { randomBytes } from 'node:crypto'
import type { Rng } from '../ports.ts'

/** The operating system's randomness. */
export const systemRng: Rng = {
  bytes: (count) => new Uint8Array(randomBytes(count)),
  /** 53 random bits, as many as a number between 0 and 1 holds. */
  random: () => Number(randomBytes(8).readBigUInt64BE() >> 11n) / 2 ** 53,
}
