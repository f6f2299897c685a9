import type { RoomId } from '@junqi/protocol'
import { type Clock, type RoomStore, type ServiceTime, StoreUnavailableError } from '../ports.ts'

/** Rooms that are being served at once. */
const MOST = 256
/** When a room's deadline could not be served, or the store did not answer. */
const RETRY_MS = 1_000
const EVER = Number.MAX_SAFE_INTEGER

export interface SweeperDeps {
  readonly store: Pick<RoomStore, 'due' | 'nextDeadline'> & { readonly clock: Clock }
  /** Does what is due in a room; false: it could not be done. */
  expire(room: RoomId): Promise<boolean>
  /** A fault of ours. */
  fault(error: unknown): void
}

/** Wakes rooms at their deadlines: one scheduled wake-up for the earliest of all, none for each room. No room waits for another. */
export class Sweeper {
  readonly #deps: SweeperDeps
  readonly #underWay = new Map<RoomId, Promise<void>>()
  /** Rooms that could not be served, and when they are tried again. */
  readonly #retries = new Map<RoomId, ServiceTime>()
  #armedAt: ServiceTime | null = null
  #cancel = (): void => {}
  #isAsked = false
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
    await Promise.all(this.#underWay.values())
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
    this.#isAsked = true
    this.#sweep ??= this.#sweepWhileAsked()
  }

  async #sweepWhileAsked(): Promise<void> {
    while (this.#isAsked && !this.#isStopped) {
      this.#isAsked = false
      const next = await this.#serveDue()
      this.arm(next)
    }
    this.#sweep = null
  }

  /** When to sweep again; besides, that is done after each room that was served. */
  async #serveDue(): Promise<ServiceTime | null> {
    const { store, fault } = this.#deps
    const now = store.clock.now()
    for (const [room, at] of this.#retries) if (at <= now) this.#retries.delete(room)
    try {
      // Enough to have one more than those that are under way or wait to be tried again.
      const rooms = await store.due(EVER, this.#retries.size + MOST + 1)
      let next: ServiceTime | null = null
      for (const { room, deadline } of rooms) {
        if (this.#underWay.has(room)) continue
        const at = this.#retries.get(room) ?? deadline
        if (at > now) next = Math.min(next ?? at, at)
        else if (this.#underWay.size < MOST) this.#serve(room)
      }
      return next
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) fault(error)
      return now + RETRY_MS
    }
  }

  #serve(room: RoomId): void {
    const served = this.#expire(room).then((isDone) => {
      const now = this.#deps.store.clock.now()
      this.#underWay.delete(room)
      if (!isDone) this.#retries.set(room, now + RETRY_MS)
      this.arm(now)
    })
    this.#underWay.set(room, served)
  }

  async #expire(room: RoomId): Promise<boolean> {
    try {
      return await this.#deps.expire(room)
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) this.#deps.fault(error)
      return false
    }
  }
}
