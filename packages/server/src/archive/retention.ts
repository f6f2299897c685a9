import { SEATS } from '@junqi/engine'
import type { RoomId } from '@junqi/protocol'
import {
  type ArchiveStore,
  type Clock,
  type IndexedGame,
  type RoomStore,
  type ScoreStore,
  StoreUnavailableError,
} from '../ports.ts'
import { type FaultLog, traceOf } from '../room/fault-log.ts'
import { LISTS, parseSummary, placeOfAge } from './summary.ts'

const DAY_MS = 24 * 3_600_000
const SWEEP_MS = 3_600_000
const AT_ONCE = 100

export interface RetentionDeps {
  readonly store: Pick<ArchiveStore, 'listGames' | 'dropGame'> &
    Pick<ScoreStore, 'forgetAdded'> &
    Pick<RoomStore, 'remove'> & { readonly clock: Clock }
  /** null: for ever. */
  readonly days: number | null
  /** The room is not in the store any more. */
  readonly removed: (room: RoomId) => void
  readonly log: FaultLog
}

/**
 * Removes finished games that are older than they are kept, log and all. By service time, which no wrong clock sets forward.
 * The log goes first: what is half done when a node dies is still in the index, and is done by whoever sweeps next. Nodes
 * that sweep at once do each other no harm.
 */
export class Retention {
  readonly #deps: RetentionDeps
  #cancel = (): void => {}
  #sweeping: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(deps: RetentionDeps) {
    this.#deps = deps
  }

  start(): void {
    if (this.#deps.days !== null) this.#sweeping = this.#run()
  }

  /** Resolves when what is in hand is removed. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    await this.#sweeping
  }

  async #run(): Promise<void> {
    const { log, store } = this.#deps
    try {
      await this.#sweep()
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) log.error(traceOf(error), 'archive fault')
    }
    if (this.#isStopped) return
    this.#cancel = store.clock.schedule(store.clock.now() + SWEEP_MS, () => {
      this.#sweeping = this.#run()
    })
  }

  async #sweep(): Promise<void> {
    const { store, days } = this.#deps
    const end = placeOfAge(Math.max(store.clock.now() - (days ?? 0) * DAY_MS, 0))
    while (!this.#isStopped) {
      const oldest = await store.listGames(LISTS.ages, '', AT_ONCE)
      const over = oldest.filter(({ place }) => place < end)
      for (const { game } of over) await this.#remove(game)
      if (over.length < AT_ONCE) return
    }
  }

  async #remove(game: IndexedGame): Promise<void> {
    if (this.#isStopped) return
    const { store, removed } = this.#deps
    const { room, seats } = parseSummary(game)
    await store.remove(room)
    for (const seat of SEATS) {
      if (seats[seat] !== undefined) await store.forgetAdded(seats[seat].id, room)
    }
    await store.dropGame(room)
    removed(room)
  }
}
