import type { RoomId } from '@junqi/protocol'
import { Alarm } from '../alarm.ts'
import { type Clock, type RoomStore, type ServiceTime, StoreUnavailableError } from '../ports.ts'
import { atMost } from '../room/at-most.ts'
import { type FaultLog, traceOf } from '../room/fault-log.ts'
import type { RoomObserver } from '../room/observer.ts'
import type { EndConsumer } from './consumer.ts'
import { type DrainTurns, NEVER } from './drain-turns.ts'
import { readEndedGame } from './ended-game.ts'

/** Ends that are looked at besides those that wait, and that are handed on at once. */
const LOOKED_AT = 256
const AT_ONCE = 4
/** Until an end is tried again, twice as long after each failure up to the most. */
const FIRST_RETRY_MS = 1_000
const MOST_RETRY_MS = 300_000

export interface DrainDeps {
  readonly store: Pick<RoomStore, 'outbox' | 'settle' | 'read' | 'isFailed'> & {
    readonly clock: Clock
  }
  readonly consumers: readonly EndConsumer[]
  readonly turns: DrainTurns
  readonly log: FaultLog
  readonly observer: Pick<RoomObserver, 'handedOn' | 'notHandedOn' | 'endsWaiting'>
  /** Milliseconds since 1970, by this node's calendar. */
  readonly date: () => number
  /** This node has handed the game on. */
  done(room: RoomId): void
}

/** An end that this node does not take up before a time. */
interface Wait {
  readonly at: ServiceTime
  readonly failures: number
}

/**
 * Hands the ends of games on to whoever lives in other partitions (DESIGN 4): all that stand in the outbox, from earlier
 * runs and from other nodes too. An end leaves it when every consumer has taken it, so that nothing is lost by a kill.
 */
export class OutboxDrain {
  readonly #deps: DrainDeps
  readonly #alarm: Alarm
  /** Ends that this node wrote and has not taken up. */
  readonly #own = new Set<RoomId>()
  readonly #waits = new Map<RoomId, Wait>()
  #isAsked = false
  #draining: Promise<void> | null = null
  #isStopped = false

  constructor(deps: DrainDeps) {
    this.#deps = deps
    this.#alarm = new Alarm(deps.store.clock, () => this.#wake())
  }

  start(): void {
    this.#wake()
  }

  /** Resolves when what is in hand was taken, or not. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#alarm.cancel()
    await this.#draining
  }

  /** This node wrote the end of the room's game. */
  ended(room: RoomId): void {
    this.#own.add(room)
    this.#wakeIn(this.#deps.turns.soonMs())
  }

  #wakeIn(milliseconds: number): void {
    if (this.#isStopped || milliseconds >= NEVER) return
    this.#alarm.set(this.#deps.store.clock.now() + milliseconds)
  }

  #wake(): void {
    this.#isAsked = true
    this.#draining ??= this.#drainWhileAsked()
  }

  async #drainWhileAsked(): Promise<void> {
    while (this.#isAsked && !this.#isStopped) {
      this.#isAsked = false
      this.#wakeIn(await this.#drain())
    }
    this.#draining = null
  }

  /** How long to wait for the next look, unless an end comes before. */
  async #drain(): Promise<number> {
    const { store, log, observer } = this.#deps
    try {
      const known = [...this.#own, ...this.#waits.keys()]
      const limit = known.length + LOOKED_AT
      const rooms = (await store.outbox(limit)).map(({ room }) => room)
      observer.endsWaiting(rooms.length)
      this.#forget(known, new Set(rooms))
      const due = this.#dueOf(rooms)
      await atMost(AT_ONCE, due, (room) => this.#handOn(room))
      const isMore = due.length > 0 && rooms.length === limit
      return isMore ? 0 : this.#untilNext()
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) log.error(traceOf(error), 'outbox fault')
      return FIRST_RETRY_MS
    }
  }

  /** What another node has settled: known before the look, and not in it. */
  #forget(known: readonly RoomId[], pending: ReadonlySet<RoomId>): void {
    for (const room of known) {
      if (pending.has(room)) continue
      this.#own.delete(room)
      this.#waits.delete(room)
    }
  }

  #dueOf(rooms: readonly RoomId[]): readonly RoomId[] {
    const now = this.#deps.store.clock.now()
    return rooms.filter((room) => {
      const isOwn = this.#own.delete(room)
      const graceMs = isOwn ? 0 : this.#deps.turns.foreignGraceMs()
      const wait = this.#waits.get(room) ?? { at: now + graceMs, failures: 0 }
      this.#waits.set(room, wait)
      return wait.at <= now
    })
  }

  #untilNext(): number {
    const now = this.#deps.store.clock.now()
    const waits = [...this.#waits.values()].map(({ at }) => Math.max(at - now, 0))
    return Math.min(this.#deps.turns.withinMs(), ...waits)
  }

  async #handOn(room: RoomId): Promise<void> {
    if (this.#isStopped) return
    const { store } = this.#deps
    try {
      const isTaken = (await store.isFailed(room)) ? await this.#void(room) : await this.#take(room)
      if (!isTaken) return
      await store.settle(room)
      this.#waits.delete(room)
      this.#deps.done(room)
    } catch (error) {
      this.#later(room, 'log', error)
    }
  }

  async #take(room: RoomId): Promise<boolean> {
    const { store, log, date } = this.#deps
    const now = { date: date(), service: store.clock.now() }
    const game = await readEndedGame(store, room, now)
    if (game !== null) return this.#offer(room, (consumer) => consumer.take(game))
    // F-C7: what the log does not say is not so.
    log.warn({ room }, 'an end without a game was dropped')
    return true
  }

  #void(room: RoomId): Promise<boolean> {
    this.#deps.log.warn({ room }, 'the game of a failed room is void')
    return this.#offer(room, (consumer) => consumer.takeVoid(room))
  }

  /** Whether all consumers have taken it. One that fails keeps none of the others from it. */
  async #offer(room: RoomId, offer: (consumer: EndConsumer) => Promise<void>): Promise<boolean> {
    let isTaken = true
    for (const consumer of this.#deps.consumers) {
      try {
        await offer(consumer)
        this.#deps.observer.handedOn(consumer.name)
      } catch (error) {
        isTaken = false
        this.#later(room, consumer.name, error)
      }
    }
    return isTaken
  }

  /** Loud, and less often the longer it lasts; never given up. A store that is away is no failure. */
  #later(room: RoomId, consumer: string, error: unknown): void {
    const { store, log, observer } = this.#deps
    const isFault = !(error instanceof StoreUnavailableError)
    const failures = (this.#waits.get(room)?.failures ?? 0) + (isFault ? 1 : 0)
    const pause = Math.min(FIRST_RETRY_MS * 2 ** Math.max(failures - 1, 0), MOST_RETRY_MS)
    this.#waits.set(room, { at: store.clock.now() + pause, failures })
    observer.notHandedOn(consumer)
    if (!isFault) return
    const told = { room, consumer, failures, ...traceOf(error) }
    log.error(told, 'the end of a game was not taken')
  }
}
