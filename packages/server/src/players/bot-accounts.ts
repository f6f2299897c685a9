import { createHmac } from 'node:crypto'
import type { BotLevel, Player } from '@junqi/protocol'
import type { Clock, PlayerStore } from '../ports.ts'
import { isSameSecret } from '../same-secret.ts'
import { hashToken, playerIdOf, tokenOf } from './token.ts'

/** The accounts of bots. Only who has the deployer's bot key makes them. */
export class BotAccounts {
  readonly #key: string
  readonly #store: PlayerStore
  readonly #clock: Pick<Clock, 'now'>

  constructor(deps: {
    readonly key: string
    readonly store: PlayerStore
    readonly clock: Pick<Clock, 'now'>
  }) {
    this.#key = deps.key
    this.#store = deps.store
    this.#clock = deps.clock
  }

  /** Compared by hashes: unlike a token's, the length of a key is the deployer's. */
  isKey(offered: string): boolean {
    return isSameSecret(hashToken(this.#key), hashToken(offered))
  }

  /**
   * The bot of this name and level. Id and token follow from the key, so whoever has the key gets the same account however
   * often it asks: a bot that starts anew needs no file to be who it was, and goes on with its games.
   */
  async account(
    name: string,
    bot: BotLevel,
  ): Promise<{ readonly player: Player; readonly token: string }> {
    const id = playerIdOf(this.#derive('id', name, bot))
    const token = tokenOf(id, this.#derive('token', name, bot))
    const createdAt = this.#clock.now()
    await this.#store.createPlayer({ id, name, bot, tokenHash: hashToken(token), createdAt })
    return { player: { id, name, bot }, token }
  }

  #derive(what: 'id' | 'token', name: string, bot: BotLevel): Uint8Array {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([what, bot, name]))
      .digest()
  }
}
