import type { Quota } from '../ports.ts'
import { type Rate, RateLimiter } from '../rate-limit.ts'

/** The quotas of a single process, in its memory and by a clock that runs while the store fails. */
export class Buckets {
  readonly #now: () => number
  readonly #limiters = new Map<string, RateLimiter>()

  constructor(now = (): number => performance.now()) {
    this.#now = now
  }

  take(quota: Quota, key: string, rate: Rate): number {
    const name = `${quota} ${rate.perSecond} ${rate.burst}`
    const limiter = this.#limiters.get(name) ?? new RateLimiter(rate, this.#now)
    this.#limiters.set(name, limiter)
    return limiter.take(key)
  }
}
