import type { PlayerId, ServerMessage } from '@junqi/protocol'

type MutesMessage = Extract<ServerMessage, { readonly type: 'mutes' }>

/** Whom the player does not hear, as the server tells it. */
export class Mutes {
  readonly #listeners = new Set<(players: ReadonlySet<PlayerId>) => void>()
  #players: ReadonlySet<PlayerId> = new Set()

  get players(): ReadonlySet<PlayerId> {
    return this.#players
  }

  listen(listener: (players: ReadonlySet<PlayerId>) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  receive({ players }: MutesMessage): void {
    this.#players = new Set(players)
    for (const listener of this.#listeners) listener(this.#players)
  }
}
