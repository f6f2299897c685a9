import type { PlayerId } from '@junqi/protocol'

/** Which players have a connection. A player may have several. */
export class Presence {
  readonly #sessions = new Map<PlayerId, number>()

  isConnected(player: PlayerId): boolean {
    return this.#sessions.has(player)
  }

  /** Whether it is the player's first. */
  connect(player: PlayerId): boolean {
    const others = this.#sessions.get(player) ?? 0
    this.#sessions.set(player, others + 1)
    return others === 0
  }

  /** Whether it was the player's last. */
  disconnect(player: PlayerId): boolean {
    const others = (this.#sessions.get(player) ?? 1) - 1
    if (others > 0) this.#sessions.set(player, others)
    else this.#sessions.delete(player)
    return others === 0
  }
}
