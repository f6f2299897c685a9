import type { IncomingMessage } from 'node:http'
import { err, ok, type Result } from '@junqi/engine'
import type { Player } from '@junqi/protocol'
import type { Config } from '../config.ts'
import type { Identities } from '../players/identities.ts'
import type { Clock } from '../ports.ts'
import { extraTokens, RateLimiter } from '../rate-limit.ts'
import { credentialsOf } from './credentials.ts'
import { isMisnamed, MISNAMED } from './host-name.ts'
import { type Peer, peerOf } from './peer.ts'
import { type Refusal, refusal, tooMany } from './refusal.ts'

/** Somebody who may ask. */
export interface Visitor {
  readonly peer: Peer
  /** The page that asks: none (a program), the server's own, or another that is allowed. */
  readonly origin: 'none' | 'own' | 'allowed'
}

/** How soon whoever is sent away from a node may look for another one, or for the same again. */
const COME_BACK_MS = 2_000

export const CLOSED: Refusal = {
  ...refusal('unavailable', 'This node takes no players now: it is drained, or about to stop.'),
  retryAfterMs: COME_BACK_MS,
}

/** What is asked of everyone before anything else, over HTTP and before the 101 alike. */
export class Door {
  readonly #config: Config
  readonly #identities: Pick<Identities, 'identify' | 'refusalOf'>
  readonly #requests: RateLimiter
  readonly #replays: RateLimiter
  #isClosed = false

  constructor(
    config: Config,
    deps: {
      readonly identities: Pick<Identities, 'identify' | 'refusalOf'>
      readonly clock: Clock
    },
  ) {
    this.#config = config
    this.#identities = deps.identities
    const now = () => deps.clock.now()
    this.#requests = new RateLimiter(config.limits.requests, now)
    this.#replays = new RateLimiter(config.limits.replays, now)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** From now on everyone is told to come back later. */
  close(): void {
    this.#isClosed = true
  }

  /** Everyone may ask again. */
  open(): void {
    this.#isClosed = false
  }

  admit(request: IncomingMessage): Result<Visitor, Refusal> {
    if (this.#isClosed) return err(CLOSED)
    const counted = this.count(request)
    if (!counted.ok) return counted
    const peer = counted.value
    if (isMisnamed(request, this.#config)) return err(MISNAMED)
    const origin = this.#origin(request, peer)
    return origin === null ? err(refusal('forbidden_origin')) : ok({ peer, origin })
  }

  /** Counts a request of its address. All that is asked for what is the same for everyone, like the page. */
  count(request: IncomingMessage): Result<Peer, Refusal> {
    const peer = peerOf(request, this.#config.trustedProxies)
    const waitMs = this.#requests.take(peer.address)
    return waitMs > 0 ? err(tooMany(waitMs)) : ok(peer)
  }

  /** What somebody whose request was counted was answered: large answers count as many. */
  weigh({ address }: Peer, bytes: number): void {
    const tokens = extraTokens(bytes)
    if (tokens > 0) this.#requests.charge(address, tokens)
  }

  /**
   * Lets who was admitted read a finished game whole, and counts it before: of many at once each counts. null: there is
   * none, which costs nothing; when the rate is used up it makes no difference.
   */
  async replay<Found>(
    { peer }: Visitor,
    read: () => Promise<Result<Found, Refusal> | null>,
  ): Promise<Result<Found, Refusal>> {
    const waitMs = this.#replays.take(peer.address)
    if (waitMs > 0) return err(tooMany(waitMs))
    const found = await read()
    if (found !== null) return found
    this.#replays.giveBack(peer.address)
    return err(refusal('room_not_found'))
  }

  /** The player whose token came along; null: no token came. A token that lets nobody in is refused. */
  async identify(
    request: IncomingMessage,
    visitor: Visitor,
  ): Promise<Result<Player | null, Refusal>> {
    const credentials = credentialsOf(request)
    if (credentials === null) return ok(null)
    if (credentials.source === 'cookie' && !mayUseCookie(request, visitor)) {
      return err(refusal('forbidden_origin', 'The cookie counts on the pages of this server only.'))
    }
    return this.#identities.identify(credentials.token)
  }

  /** Why a player who showed who it is may not come in all the same, as things are at this moment; null: it may. */
  refusalOf(player: Player): Refusal | null {
    return this.#isClosed ? CLOSED : this.#identities.refusalOf(player.id)
  }

  /** Exact comparison, nothing in between (F-U1); null: an origin that may not ask. */
  #origin(request: IncomingMessage, peer: Peer): Visitor['origin'] | null {
    const { origin, host } = request.headers
    if (origin === undefined) return 'none'
    if (origin === `${peer.secure ? 'https' : 'http'}://${host}`) return 'own'
    return this.#config.origins.has(origin) ? 'allowed' : null
  }
}

/** The browser sends a cookie by itself, so only a page of this server may make it act. */
function mayUseCookie(request: IncomingMessage, visitor: Visitor): boolean {
  const isReading = request.method === 'GET' || request.method === 'HEAD'
  const onlyReads = isReading && request.headers.upgrade === undefined
  return visitor.origin === 'own' || (visitor.origin === 'none' && onlyReads)
}
