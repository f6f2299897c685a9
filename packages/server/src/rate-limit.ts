/** How much of something is allowed: `burst` at once, then `perSecond`. */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/**
 * A token bucket as one number: the time at which it will be full again. A bucket never touched is 0.
 * (The generic cell rate algorithm: each take moves that time on by one interval.)
 */
export type Bucket = number

/** So much of what is sent, begun, costs as much as a message or a request. */
const BYTES_PER_TOKEN = 16_384

/** What so many bytes cost besides the message or request that they answer. */
export const extraTokens = (bytes: number): number =>
  Math.max(Math.ceil(bytes / BYTES_PER_TOKEN) - 1, 0)

/** Milliseconds by which sums of fractions may be wrong: nobody has to wait for them. */
const ROUNDING_MS = 1e-3

/** Takes one token. `waitMs` 0: taken; else the bucket is unchanged and has a token after that time. */
export function take(
  bucket: Bucket,
  rate: Rate,
  now: number,
): { readonly bucket: Bucket; readonly waitMs: number } {
  const interval = 1000 / rate.perSecond
  const full = Math.max(bucket, now) + interval
  const waitMs = Math.ceil(full - now - rate.burst * interval - ROUNDING_MS)
  return waitMs > 0 ? { bucket, waitMs } : { bucket: full, waitMs: 0 }
}

/** Takes tokens for what was done already, whether they are there or not: the next one comes only after those. */
export function charge(
  bucket: Bucket,
  rate: Rate,
  { now, tokens }: { readonly now: number; readonly tokens: number },
): Bucket {
  return Math.max(bucket, now) + (tokens * 1000) / rate.perSecond
}

/** Buckets by key. Those that are full again are forgotten, so that it holds only who was busy of late. */
export class RateLimiter {
  readonly #rate: Rate
  readonly #now: () => number
  readonly #limit: number
  readonly #buckets = new Map<string, Bucket>()
  #sweepAt: number

  /** `limit`: how many keys it may hold; beyond it the longest known go first. */
  constructor(rate: Rate, now: () => number, limit = 100_000) {
    this.#rate = rate
    this.#now = now
    this.#limit = limit
    this.#sweepAt = 1000
  }

  get size(): number {
    return this.#buckets.size
  }

  /** Takes one token of the key: 0, or how many milliseconds to wait for one. */
  take(key: string): number {
    const now = this.#now()
    const { bucket, waitMs } = take(this.#buckets.get(key) ?? 0, this.#rate, now)
    if (waitMs === 0) this.#keep(key, bucket, now)
    return waitMs
  }

  /** Takes tokens of the key for what was done already. */
  charge(key: string, tokens: number): void {
    const now = this.#now()
    this.#keep(key, charge(this.#buckets.get(key) ?? 0, this.#rate, { now, tokens }), now)
  }

  /** Of a token that was taken for nothing. */
  giveBack(key: string): void {
    this.charge(key, -1)
  }

  #keep(key: string, bucket: Bucket, now: number): void {
    this.#buckets.set(key, bucket)
    if (this.#buckets.size >= this.#sweepAt) this.#sweep(now)
  }

  /** Runs when the map has doubled since the last time, so that a take stays cheap. */
  #sweep(now: number): void {
    for (const [key, bucket] of this.#buckets) if (bucket <= now) this.#buckets.delete(key)
    for (const key of this.#buckets.keys()) {
      if (this.#buckets.size < this.#limit) break
      this.#buckets.delete(key)
    }
    this.#sweepAt = Math.min(this.#limit, Math.max(1000, this.#buckets.size * 2))
  }
}
