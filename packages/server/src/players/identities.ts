import { err, ok, type Result } from '@junqi/engine'
import type { Player } from '@junqi/protocol'
import { type Refusal, refusal } from '../http/refusal.ts'
import type { Clock, PlayerId } from '../ports.ts'
import type { Accounts } from './accounts.ts'
import { sentenceOfBan } from './ban.ts'
import type { Bans } from './bans.ts'
import type { IdentityProvider, TokenProblem } from './identity-provider.ts'

export interface IdentitiesDeps {
  readonly accounts: Pick<Accounts, 'authenticate'>
  /** null: only the server's own tokens count. */
  readonly provider: Pick<IdentityProvider, 'authenticate'> | null
  /** Whether guests may come in. */
  readonly guests: boolean
  readonly bans: Pick<Bans, 'of'>
  /** What a ban's end is told by. */
  readonly serviceClock: Pick<Clock, 'now'>
}

const WHY: Readonly<Record<TokenProblem['type'], Refusal>> = {
  wrong: refusal(
    'unauthorized',
    'The token is none that the identity provider made for this server.',
  ),
  expired: refusal('unauthorized', 'The token has ended: sign in again.'),
  unavailable: refusal(
    'unavailable',
    'The keys of the identity provider cannot be had just now; try again.',
  ),
}

function refusalFor(problem: TokenProblem): Refusal {
  const why = WHY[problem.type]
  return problem.type === 'unavailable' ? { ...why, retryAfterMs: problem.retryAfterMs } : why
}

/** Who somebody is, by whichever kind of token: the server's own, or the identity provider's. */
export class Identities {
  readonly #deps: IdentitiesDeps

  constructor(deps: IdentitiesDeps) {
    this.#deps = deps
  }

  async identify(token: string): Promise<Result<Player, Refusal>> {
    const player = await this.#bearer(token)
    if (!player.ok) return player
    const refused = this.refusalOf(player.value.id)
    return refused === null ? player : err(refused)
  }

  /** Why a player is let in nowhere, whatever token it has; null: it is. */
  refusalOf(player: PlayerId): Refusal | null {
    const { bans, serviceClock } = this.#deps
    const ban = bans.of(player)
    return ban && refusal('banned', sentenceOfBan(ban, serviceClock.now()))
  }

  async #bearer(token: string): Promise<Result<Player, Refusal>> {
    const { provider } = this.#deps
    if (provider === null || !isJwt(token)) return this.#ownPlayer(token)
    const player = await provider.authenticate(token)
    return player.ok ? player : err(refusalFor(player.error))
  }

  async #ownPlayer(token: string): Promise<Result<Player, Refusal>> {
    const player = await this.#deps.accounts.authenticate(token)
    if (player === null) return err(refusal('unauthorized'))
    return this.#deps.guests || player.bot !== undefined ? ok(player) : err(refusal('no_guests'))
  }
}

/** Three parts; a token of the server's own has two. */
const isJwt = (token: string): boolean => token.split('.').length === 3
