import type { RoomId } from '@junqi/protocol'
import { Alarm } from '../alarm.ts'
import {
  type Clock,
  type DueRoom,
  type RoomStore,
  type ServiceTime,
  StoreUnavailableError,
} from '../ports.ts'
import type { SweepTurns } from './sweep-turns.ts'

/** Rooms that are being served at once. */
const MOST = 256
/** When a room's deadline could not be served, or the store did not answer. */
const RETRY_MS = 1_000
const EVER = Number.MAX_SAFE_INTEGER

export interface SweeperDeps {
  readonly store: Pick<RoomStore, 'due' | 'nextDeadline'> & { readonly clock: Clock }
  readonly turns: SweepTurns
  /** Whether the room is in this node's memory. */
  isOpen(room: RoomId): boolean
  /** Does what is due in a room; false: it could not be done. */
  expire(room: RoomId): Promise<boolean>
  /** What was due was done so long after its deadline. */
  served(lagMs: number): void
  /** A fault of ours. */
  fault(error: unknown): void
}

/** Wakes rooms at their deadlines: one scheduled wake-up for the earliest of all, none for each room. No room waits for another. */
export class Sweeper {
  readonly #deps: SweeperDeps
  readonly #alarm: Alarm
  readonly #underWay = new Map<RoomId, Promise<void>>()
  /** Rooms that could not be served, and when they are tried again. */
  readonly #retries = new Map<RoomId, ServiceTime>()
  #isAsked = false
  #sweep: Promise<void> | null = null
  #isStopped = false

  constructor(deps: SweeperDeps) {
    this.#deps = deps
    this.#alarm = new Alarm(deps.store.clock, () => this.#wake())
  }

  /** Rooms of earlier runs of the server, and of other nodes, are woken as well (F-T2). */
  async start(): Promise<void> {
    this.arm(await this.#deps.store.nextDeadline())
    this.#lookAgain(EVER)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#alarm.cancel()
    await this.#sweep
    await Promise.all(this.#underWay.values())
  }

  /** A room in memory has this deadline. */
  arm(deadline: ServiceTime | null): void {
    if (deadline !== null) this.#wakeAt(deadline + this.#deps.turns.graceMs)
  }

  /** At that time, or when it is this node's turn again. */
  #lookAgain(at: ServiceTime): void {
    const { store, turns } = this.#deps
    const now = store.clock.now()
    this.#wakeAt(Math.max(now + turns.pauseMs, Math.min(at, now + turns.withinMs())))
  }

  #wakeAt(at: ServiceTime): void {
    if (!this.#isStopped && at < EVER) this.#alarm.set(at)
  }

  #wake(): void {
    this.#isAsked = true
    this.#sweep ??= this.#sweepWhileAsked()
  }

  async #sweepWhileAsked(): Promise<void> {
    while (this.#isAsked && !this.#isStopped) {
      this.#isAsked = false
      this.#lookAgain(await this.#serveDue())
    }
    this.#sweep = null
  }

  /** When the next room is to be served; besides, there is a look after each that was. */
  async #serveDue(): Promise<ServiceTime> {
    const { store, turns, fault } = this.#deps
    const now = store.clock.now()
    for (const [room, at] of this.#retries) if (at <= now) this.#retries.delete(room)
    try {
      const until = Math.min(now + turns.aheadMs, EVER)
      // Enough to have one more than those that are under way or wait to be tried again.
      const rooms = await store.due(until, this.#retries.size + MOST + 1)
      const foreignGraceMs = turns.foreignGraceMs()
      let next = EVER
      for (const { room, deadline } of rooms) {
        if (this.#underWay.has(room)) continue
        const graceMs = this.#deps.isOpen(room) ? turns.graceMs : foreignGraceMs
        const at = Math.max(deadline + graceMs, this.#retries.get(room) ?? 0)
        if (at > now) next = Math.min(next, at)
        else if (this.#underWay.size < MOST) this.#serve({ room, deadline })
      }
      return next
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) fault(error)
      return now + RETRY_MS
    }
  }

  #serve({ room, deadline }: DueRoom): void {
    const { store, served } = this.#deps
    const serving = this.#expire(room).then((isDone) => {
      const now = store.clock.now()
      this.#underWay.delete(room)
      if (isDone) served(now - deadline)
      else this.#retries.set(room, now + RETRY_MS)
      this.#lookAgain(now)
    })
    this.#underWay.set(room, serving)
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
