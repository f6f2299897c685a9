import type { Player } from '@junqi/protocol'
import type { Clock, PlayerStore, Rng } from '../ports.ts'
import { isSameSecret } from '../same-secret.ts'
import { claimedPlayer, hashToken, makePlayerId, makeToken } from './token.ts'

/** Players whose tokens were found right of late; so a reconnect need not ask the store. */
const REMEMBERED = 20_000
const NOBODY = '0'.repeat(64)

type AccountStore = Pick<PlayerStore, 'createPlayer' | 'findPlayer'>

/** Who somebody is: makes guests, and knows them again by their tokens. */
export class Accounts {
  readonly #store: AccountStore
  readonly #rng: Rng
  readonly #clock: Clock
  readonly #known = new Map<string, Player>()

  constructor(deps: { readonly store: AccountStore; readonly rng: Rng; readonly clock: Clock }) {
    this.#store = deps.store
    this.#rng = deps.rng
    this.#clock = deps.clock
  }

  /** Makes a guest. The token is told here and never again: only its hash is kept. */
  async createGuest(name: string): Promise<{ readonly player: Player; readonly token: string }> {
    const id = makePlayerId(this.#rng)
    const token = makeToken(id, this.#rng)
    const createdAt = this.#clock.now()
    await this.#store.createPlayer({ id, name, tokenHash: hashToken(token), createdAt })
    return { player: { id, name }, token }
  }

  /** Whose token this is; null: nobody's. Changes nothing that a wrong token could spoil (F-R4). */
  async authenticate(token: string): Promise<Player | null> {
    const id = claimedPlayer(token)
    if (id === null) return null
    const hash = hashToken(token)
    const known = this.#known.get(hash)
    if (known !== undefined) return known
    const record = await this.#store.findPlayer(id)
    if (!isSameSecret(hash, record?.tokenHash ?? NOBODY) || record === null) return null
    const { name, bot } = record
    const player = { id, name, ...(bot !== undefined && { bot }) }
    this.#remember(hash, player)
    return player
  }

  #remember(hash: string, player: Player): void {
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < REMEMBERED) break
      this.#known.delete(oldest)
    }
    this.#known.set(hash, player)
  }
}
