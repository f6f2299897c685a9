import { createHmac } from 'node:crypto'
import { err, ok, type Result } from '@junqi/engine'
import type { Player } from '@junqi/protocol'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { ProviderConfig } from '../config.ts'
import type { Logger } from '../logger.ts'
import type { Clock, PlayerId, PlayerStore } from '../ports.ts'
import { isSameSecret } from '../same-secret.ts'
import { ProviderKeys, ProviderUnavailableError } from './provider-keys.ts'
import { providerName } from './provider-name.ts'
import { hashToken, playerIdOf } from './token.ts'

/** Signatures that only the provider can make: with a shared secret whoever can check one can make one. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]
/** What a token that says who somebody is may call itself; a provider signs others too, such as of a logout (RFC 8725, 3.11). */
const TYPES: ReadonlySet<string> = new Set(['jwt', 'at+jwt', 'application/at+jwt'])
/** How far the provider's clock may be from this one. */
const LEEWAY_SECONDS = 30
/** Players who came in of late, by name, so that a request need not ask the store. */
const REMEMBERED = 20_000

/** Kinds of keys or tokens that the library for them fails at, and that are told of in the log. */
const WARNINGS = 10

/** Why a token of the provider lets nobody in. */
export type TokenProblem =
  | { readonly type: 'wrong' | 'expired' }
  | { readonly type: 'unavailable'; readonly retryAfterMs: number }

const WRONG: TokenProblem = { type: 'wrong' }

export interface ProviderDeps {
  readonly store: Pick<PlayerStore, 'createPlayer' | 'findPlayer' | 'renamePlayer'>
  /** 32 bytes that stay the same for the life of the store: ids follow from them. */
  readonly secret: Uint8Array
  readonly clock: Pick<Clock, 'now'>
  readonly serviceClock: Pick<Clock, 'now'>
  /** Milliseconds since 1970, by which tokens end. */
  readonly date: () => number
  readonly logger: Logger
}

/** The players of the deployer's identity provider: known by its tokens (JWT), for as long as those are good. */
export class IdentityProvider {
  readonly #config: ProviderConfig
  readonly #deps: ProviderDeps
  readonly #keys: ProviderKeys
  readonly #known = new Map<PlayerId, string>()
  readonly #warned = new Set<string>()

  constructor(config: ProviderConfig, deps: ProviderDeps) {
    this.#config = config
    this.#deps = deps
    this.#keys = new ProviderKeys(config.jwksUrl, deps)
  }

  /** Whose token this is. */
  async authenticate(token: string): Promise<Result<Player, TokenProblem>> {
    const claims = await this.#verify(token)
    if (!claims.ok) return claims
    const sub: unknown = claims.value.sub
    if (typeof sub !== 'string' || sub === '') return err(WRONG)
    const identity = JSON.stringify([this.#config.issuer, sub])
    const id = playerIdOf(createHmac('sha256', this.#deps.secret).update(identity).digest())
    const name = providerName(claims.value, id)
    const isTheirs = this.#known.get(id) === name || (await this.#keep(id, name, identity))
    return isTheirs ? ok({ id, name }) : err(WRONG)
  }

  async #verify(token: string): Promise<Result<JWTPayload, TokenProblem>> {
    const { issuer, audience } = this.#config
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.#keys.keyFor, {
        issuer,
        audience: [...audience],
        algorithms: ALGORITHMS,
        clockTolerance: LEEWAY_SECONDS,
        currentDate: new Date(this.#deps.date()),
        requiredClaims: ['exp', 'sub'],
      })
      const { typ = 'jwt' }: { readonly typ?: unknown } = protectedHeader
      const isTheirs = typeof typ === 'string' && TYPES.has(typ.toLowerCase())
      return isTheirs ? ok(payload) : err(WRONG)
    } catch (error) {
      return err(this.#problemOf(error))
    }
  }

  /** Whatever a token or a key does to the library, who brought it is not let in, and the server has no fault. */
  #problemOf(error: unknown): TokenProblem {
    if (error instanceof ProviderUnavailableError) {
      return { type: 'unavailable', retryAfterMs: error.retryAfterMs }
    }
    if (!(error instanceof errors.JOSEError)) this.#warn(error)
    else this.#deps.logger.debug({ code: error.code, reason: error.message }, 'token refused')
    return error instanceof errors.JWTExpired ? { type: 'expired' } : WRONG
  }

  /** Once for each cause, such as a key of the provider that cannot be used. */
  #warn(error: unknown): void {
    const cause = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    if (this.#warned.has(cause) || this.#warned.size >= WARNINGS) return
    this.#warned.add(cause)
    this.#deps.logger.warn({ cause }, 'a token, or the key that it names, cannot be used')
  }

  /** The account, made at the first time. false: somebody else has this id, which one in 2^60 would. */
  async #keep(id: PlayerId, name: string, identity: string): Promise<boolean> {
    const { store, serviceClock } = this.#deps
    const tokenHash = hashToken(identity)
    const found = await store.findPlayer(id)
    if (found === null)
      await store.createPlayer({ id, name, tokenHash, createdAt: serviceClock.now() })
    const record = found ?? (await store.findPlayer(id))
    if (record === null || !isSameSecret(record.tokenHash, tokenHash)) return false
    if (record.name !== name) await store.renamePlayer(id, name)
    this.#remember(id, name)
    return true
  }

  #remember(id: PlayerId, name: string): void {
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < REMEMBERED) break
      this.#known.delete(oldest)
    }
    this.#known.set(id, name)
  }
}
