import type { PlayerId } from '@junqi/protocol'
import { type Clock, type NodeStore, type ServiceTime, StoreUnavailableError } from '../ports.ts'

/** Players that the store is asked about at once. */
const ASKED_AT_ONCE = 500

export interface PresenceDeps {
  readonly store: Pick<NodeStore, 'isShared' | 'setConnected' | 'connectedElsewhere'> & {
    readonly clock: Clock
  }
  /** Those who sit in rooms in memory: of nobody else is anything told or kept. */
  readonly seated: { has(player: PlayerId): boolean; keys(): Iterable<PlayerId> }
  /** A seated player is back, or gone since then. */
  tell(player: PlayerId, goneSince: ServiceTime | null): void
  /** A fault of ours. */
  fault(error: unknown): void
}

/**
 * Which players have a connection, to this node or another one. A player may have several.
 * Of other nodes only the store knows; a player who has just sat down is with one of them until it says otherwise.
 */
export class Presence {
  readonly #deps: PresenceDeps
  readonly #here = new Map<PlayerId, number>()
  /** Seated players who had no connection to any other node when the store was asked. */
  readonly #notElsewhere = new Set<PlayerId>()
  readonly #wanted = new Set<PlayerId>()
  #asking: Promise<void> | null = null

  constructor(deps: PresenceDeps) {
    this.#deps = deps
  }

  /** As far as this node knows. */
  isConnected(player: PlayerId): boolean {
    return this.#here.has(player) || this.#isElsewhere(player)
  }

  /** Whether one of them is connected; asks for it. */
  async isAnyConnected(players: readonly PlayerId[]): Promise<boolean> {
    if (players.some((player) => this.#here.has(player))) return true
    return (await this.#deps.store.connectedElsewhere(players)).size > 0
  }

  /** Those of the players who are connected; asks for it. */
  async connectedOf(players: readonly PlayerId[]): Promise<ReadonlySet<PlayerId>> {
    const absent = players.filter((player) => !this.#here.has(player))
    const elsewhere = await this.#deps.store.connectedElsewhere(absent)
    return new Set(players.filter((player) => this.#here.has(player) || elsewhere.has(player)))
  }

  connect(player: PlayerId): void {
    const others = this.#here.get(player) ?? 0
    const isNews = !this.isConnected(player)
    this.#here.set(player, others + 1)
    if (others > 0) return
    this.#notElsewhere.delete(player)
    this.#deps.store.setConnected(player, true)
    if (isNews) this.#deps.tell(player, null)
  }

  disconnect(player: PlayerId): void {
    const { store, tell } = this.#deps
    const others = (this.#here.get(player) ?? 1) - 1
    if (others > 0) {
      this.#here.set(player, others)
      return
    }
    this.#here.delete(player)
    store.setConnected(player, false)
    if (store.isShared) this.ask([player])
    else tell(player, store.clock.now())
  }

  /** Asks about players before a room is shown in which they sit. */
  async learn(players: readonly PlayerId[]): Promise<void> {
    const absent = players.filter((player) => !this.#here.has(player))
    if (absent.length > 0) this.#note(absent, await this.#deps.store.connectedElsewhere(absent))
  }

  /** Something may have changed for these players. */
  ask(players: Iterable<PlayerId>): void {
    if (!this.#deps.store.isShared) return
    for (const player of players) if (this.#isWondered(player)) this.#wanted.add(player)
    if (this.#wanted.size > 0) this.#asking ??= this.#askWhileWanted()
  }

  /** The same for all. */
  askForAll(): void {
    this.ask(this.#deps.seated.keys())
  }

  /** The player sits in no room in memory any more. */
  forget(player: PlayerId): void {
    this.#notElsewhere.delete(player)
  }

  async settled(): Promise<void> {
    await this.#asking
  }

  #isElsewhere(player: PlayerId): boolean {
    return this.#deps.store.isShared && !this.#notElsewhere.has(player)
  }

  #isWondered(player: PlayerId): boolean {
    return this.#deps.seated.has(player) && !this.#here.has(player)
  }

  async #askWhileWanted(): Promise<void> {
    const { store, fault } = this.#deps
    try {
      while (this.#wanted.size > 0) {
        const players = [...this.#wanted].slice(0, ASKED_AT_ONCE)
        for (const player of players) this.#wanted.delete(player)
        const elsewhere = await store.connectedElsewhere(players)
        this.#note(
          players.filter((player) => this.#isWondered(player)),
          elsewhere,
        )
      }
    } catch (error) {
      // All are asked about again before long.
      this.#wanted.clear()
      if (!(error instanceof StoreUnavailableError)) fault(error)
    }
    this.#asking = null
  }

  #note(players: readonly PlayerId[], elsewhere: ReadonlySet<PlayerId>): void {
    const { store, tell } = this.#deps
    for (const player of players) {
      if (this.#here.has(player) || elsewhere.has(player) !== this.#notElsewhere.has(player))
        continue
      if (this.#notElsewhere.delete(player)) tell(player, null)
      else {
        this.#notElsewhere.add(player)
        tell(player, store.clock.now())
      }
    }
  }
}
