import { setImmediate as others } from 'node:timers/promises'
import { invariant, type Positions, positionByPosition } from '@junqi/engine'
import type { EndedGame } from '../outbox/ended-game.ts'

type Recorded = Pick<EndedGame, 'record'>

/** Positions that are kept, of all games together: each is a whole state. */
const KEPT = 20_000
/** Actions that are played before everyone else has a turn. */
const PLAYED_AT_ONCE = 200

/** The positions of the finished games that were looked at last. */
export class KeptPositions {
  readonly #most: number
  /** The one that was not asked for the longest first. */
  readonly #kept = new Map<Recorded, Promise<Positions>>()
  #size = 0

  constructor(most = KEPT) {
    this.#most = most
  }

  /** Positions of all games that are kept. */
  get size(): number {
    return this.#size
  }

  /** Asked for by many at once, a game is played once. */
  of(game: Recorded): Promise<Positions> {
    const known = this.#kept.get(game)
    const positions = known ?? play(game)
    if (known === undefined) this.#size += sizeOf(game)
    this.#kept.delete(game)
    this.#kept.set(game, positions)
    this.#dropOldest()
    return positions
  }

  /** The one that was asked for last stays, however long it is. */
  #dropOldest(): void {
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#most || this.#kept.size === 1) return
      this.#kept.delete(oldest)
      this.#size -= sizeOf(oldest)
    }
  }
}

const sizeOf = ({ record }: Recorded): number => record.actions.length + 1

async function play({ record }: Recorded): Promise<Positions> {
  const playing = positionByPosition(record)
  for (;;) {
    const { done, value } = playing.next()
    if (done === true) {
      invariant(value.ok, 'what a log holds can be played')
      return value.value
    }
    if (value % PLAYED_AT_ONCE === 0) await others()
  }
}
