import type { RoomId } from '@junqi/protocol'
import { type EndedGame, readEndedGame } from '../outbox/ended-game.ts'
import { type Clock, LogDamagedError, type RoomStore } from '../ports.ts'

/** Games that are kept in memory once they were asked for: to read one is to read its whole log. */
const KEPT_GAMES = 64
/** Entries in which the end stands, if there is one: after it come only those who join and a rematch. */
const AFTER_THE_END = 300

export interface FinishedDeps {
  readonly store: Pick<RoomStore, 'read' | 'version' | 'isFailed'> & {
    readonly clock: Pick<Clock, 'now'>
  }
  /** Milliseconds since 1970. */
  readonly date: () => number
}

interface Kept {
  readonly version: number
  readonly game: Promise<EndedGame | null>
}

/**
 * Finished games, from their logs. Of a game that is asked for again and again the log is read once, and of one that has
 * not ended as little as tells so: reading costs little, whoever reads.
 */
export class FinishedGames {
  readonly #deps: FinishedDeps
  /** The one that was not asked for the longest first. */
  readonly #kept = new Map<RoomId, Kept>()

  constructor(deps: FinishedDeps) {
    this.#deps = deps
  }

  /** null: there is no such game, it has not ended, or its room has failed: all one. */
  async find(room: RoomId): Promise<EndedGame | null> {
    const { store } = this.#deps
    const [version, isFailed] = await Promise.all([store.version(room), store.isFailed(room)])
    if (version === 0 || isFailed) return null
    const kept = this.#kept.get(room)
    if (kept?.version === version) {
      this.#keep(room, kept)
      return kept.game
    }
    const game = this.#read(room, version)
    this.#keep(room, { version, game })
    const found = await game.catch((error: unknown) => {
      this.#forget(room, game)
      throw error
    })
    if (found === null) this.#forget(room, game)
    return found
  }

  async #read(room: RoomId, version: number): Promise<EndedGame | null> {
    const { store, date } = this.#deps
    try {
      const tail = await store.read(room, Math.max(version - AFTER_THE_END, 0))
      if (!tail.some(({ data }) => data.includes('"gameEnded"'))) return null
      return await readEndedGame(store, room, { date: date(), service: store.clock.now() })
    } catch (error) {
      if (error instanceof LogDamagedError) return null
      throw error
    }
  }

  #keep(room: RoomId, kept: Kept): void {
    this.#kept.delete(room)
    this.#kept.set(room, kept)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT_GAMES) break
      this.#kept.delete(oldest)
    }
  }

  #forget(room: RoomId, game: Kept['game']): void {
    if (this.#kept.get(room)?.game === game) this.#kept.delete(room)
  }
}
