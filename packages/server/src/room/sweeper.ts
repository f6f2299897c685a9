import type { RoomId } from '@junqi/protocol'
import { type Clock, type RoomStore, type ServiceTime, StoreUnavailableError } from '../ports.ts'

/** Rooms that are woken together. */
const BATCH = 64
/** When a room's deadline could not be served, or the store did not answer. */
const RETRY_MS = 1_000

export interface SweeperDeps {
  readonly store: Pick<RoomStore, 'due' | 'nextDeadline'> & { readonly clock: Clock }
  /** Does what is due in a room. Whether its deadline is another now. */
  expire(room: RoomId): Promise<boolean>
  /** A fault of ours. */
  fault(error: unknown): void
}

/** Wakes rooms at their deadlines: one scheduled wake-up for the earliest of all, none for each room. */
export class Sweeper {
  readonly #deps: SweeperDeps
  #armedAt: ServiceTime | null = null
  #cancel = (): void => {}
  #sweep: Promise<void> | null = null
  #isStopped = false

  constructor(deps: SweeperDeps) {
    this.#deps = deps
  }

  /** Rooms of earlier runs of the server are woken as well (F-T2). */
  async start(): Promise<void> {
    this.arm(await this.#deps.store.nextDeadline())
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    await this.#sweep
  }

  /** There is a deadline at this time. */
  arm(at: ServiceTime | null): void {
    if (at === null || this.#isStopped) return
    if (this.#armedAt !== null && this.#armedAt <= at) return
    this.#cancel()
    this.#armedAt = at
    this.#cancel = this.#deps.store.clock.schedule(at, () => this.#wake())
  }

  #wake(): void {
    this.#armedAt = null
    // A sweep that is under way looks for the next deadline at its end.
    this.#sweep ??= this.#expireDue().then((next) => {
      this.#sweep = null
      this.arm(next)
    })
  }

  /** When to sweep again. */
  async #expireDue(): Promise<ServiceTime | null> {
    const { store, expire, fault } = this.#deps
    try {
      const due = await store.due(store.clock.now(), BATCH)
      const moved = await Promise.all(due.map(({ room }) => expire(room)))
      const next = await store.nextDeadline()
      const isStuck = due.length > 0 && !moved.includes(true)
      return isStuck ? store.clock.now() + RETRY_MS : next
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) fault(error)
      return store.clock.now() + RETRY_MS
    }
  }
}
