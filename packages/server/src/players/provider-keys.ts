import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import type { Logger } from '../logger.ts'
import type { Clock } from '../ports.ts'

/** Keys that are older are fetched again, so that one which the provider withdraws is not believed for longer. */
const FRESH_MS = 600_000
/** Between two requests, whatever tokens come in and however the first one ended. */
const KEYS_PAUSE_MS = 10_000
const ANSWER_MS = 3000

/** The provider does not give its keys, or cannot be asked again yet, and those that are known do not tell whether a token is good. */
export class ProviderUnavailableError extends Error {
  override readonly name = 'ProviderUnavailableError'
  /** After which it may be asked again. */
  readonly retryAfterMs: number

  constructor(retryAfterMs: number) {
    super('the keys of the identity provider cannot be had')
    this.retryAfterMs = retryAfterMs
  }
}

/** Why keys could not be fetched. Of Node's `fetch failed` the cause tells more. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '')
}

/**
 * The public keys of an identity provider. They are fetched when somebody needs them, and never once for each token; while
 * the provider does not answer, those that are known go on to count.
 */
export class ProviderKeys {
  readonly #remote
  readonly #clock: Pick<Clock, 'now'>
  readonly #logger: Logger
  #fetchedAt: number | null = null
  #askedAt = Number.NEGATIVE_INFINITY
  #isDown = false
  #asking: Promise<void> | null = null

  constructor(url: string, deps: { readonly clock: Pick<Clock, 'now'>; readonly logger: Logger }) {
    // When to fetch is decided here: of itself it would ask a provider that is down anew for each token.
    this.#remote = createRemoteJWKSet(new URL(url), {
      timeoutDuration: ANSWER_MS,
      cacheMaxAge: Number.POSITIVE_INFINITY,
      cooldownDuration: Number.POSITIVE_INFINITY,
    })
    this.#clock = deps.clock
    this.#logger = deps.logger
  }

  /** The key that a token names. Rejects with an error of `jose` where there is none, or with ProviderUnavailableError. */
  readonly keyFor: JWTVerifyGetKey = async (header, token) => {
    const cameAt = this.#clock.now()
    if (this.#isStale()) await this.#ask()
    if (this.#fetchedAt === null) throw this.#unavailable()
    try {
      return await this.#remote(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
    }
    // The provider may have made it since.
    await this.#ask()
    try {
      return await this.#remote(header, token)
    } catch (error) {
      const wasLookedFor = !this.#isDown && this.#fetchedAt >= cameAt
      if (wasLookedFor || !(error instanceof errors.JWKSNoMatchingKey)) throw error
      throw this.#unavailable()
    }
  }

  #unavailable(): ProviderUnavailableError {
    const sinceMs = this.#clock.now() - this.#askedAt
    return new ProviderUnavailableError(Math.max(1, Math.ceil(KEYS_PAUSE_MS - sinceMs)))
  }

  #isStale(): boolean {
    return this.#fetchedAt === null || this.#clock.now() - this.#fetchedAt >= FRESH_MS
  }

  /** Fetches the keys, unless that was tried just now. */
  async #ask(): Promise<void> {
    const now = this.#clock.now()
    if (this.#asking === null && now - this.#askedAt >= KEYS_PAUSE_MS) {
      this.#askedAt = now
      this.#asking = this.#fetch(now).finally(() => {
        this.#asking = null
      })
    }
    await this.#asking
  }

  async #fetch(now: number): Promise<void> {
    try {
      await this.#remote.reload()
      this.#fetchedAt = now
      this.#isDown = false
    } catch (error) {
      this.#isDown = true
      this.#logger.warn({ reason: reasonOf(error) }, 'the identity provider does not give its keys')
    }
  }
}
