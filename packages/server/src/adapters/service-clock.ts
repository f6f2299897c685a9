import type { Clock, ServiceTime } from '../ports.ts'
import { WakeUps } from './wake-ups.ts'

/** The longest delay that setTimeout knows. */
const LONGEST_TIMER = 2 ** 31 - 1

/**
 * Service time in a process: it starts where the store says that it stopped, runs by the
 * process's monotonic clock and never looks at the wall clock. While the store takes no writes it
 * stands still, since nobody could have moved (DESIGN 5.5). The clock of one of several nodes is
 * corrected by the store, too (`follow`).
 */
export class ServiceClock implements Clock {
  readonly #wakeUps = new WakeUps()
  readonly #monotonic: () => number
  /** Service time was `#base` when the monotonic clock stood at `#since`; null: it stands still. */
  #base: ServiceTime
  #since: number | null
  /** What was told already, and how far it may run. */
  #told: ServiceTime
  #limit = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #timerAt = Number.POSITIVE_INFINITY

  constructor(start: ServiceTime, monotonic = (): number => performance.now()) {
    this.#monotonic = monotonic
    this.#base = start
    this.#told = start
    this.#since = monotonic()
  }

  now(): ServiceTime {
    return Math.max(this.#told, Math.min(this.#reckoned(), this.#limit))
  }

  schedule(at: ServiceTime, wake: () => void): () => void {
    const cancel = this.#wakeUps.add(at, wake)
    this.#arm()
    return cancel
  }

  get stands(): boolean {
    return this.#since === null || this.#reckoned() >= this.#limit
  }

  /** Time stands still until `resume`. */
  stop(): void {
    if (this.#since === null) return
    this.#base = this.now()
    this.#since = null
    this.#disarm()
  }

  resume(): void {
    if (this.#since !== null) return
    this.#since = this.#monotonic()
    this.#arm()
  }

  /**
   * The store's time was `at` when the monotonic clock stood at `when`: it runs on from there, at most to `limit`.
   * Where it was told to be later already, it waits.
   */
  follow(at: ServiceTime, when: number, limit: ServiceTime): void {
    this.#told = this.now()
    this.#base = at
    this.#since = when
    this.#limit = limit
    this.#disarm()
    this.#arm()
  }

  /** Service time by the monotonic clock alone. */
  #reckoned(): ServiceTime {
    return this.#base + (this.#since === null ? 0 : Math.floor(this.#monotonic() - this.#since))
  }

  /** One timer for the earliest wake-up; it keeps no process alive. */
  #arm(): void {
    const next = this.#wakeUps.next()
    if (next === null || this.#since === null || next >= this.#timerAt) return
    if (next > Math.max(this.#limit, this.#told)) return
    this.#disarm()
    this.#timerAt = next
    const wait = next <= this.#told ? 0 : next - this.#reckoned()
    const delay = Math.min(Math.max(wait, 0), LONGEST_TIMER)
    this.#timer = setTimeout(() => this.#run(), delay)
    this.#timer.unref()
  }

  #disarm(): void {
    clearTimeout(this.#timer)
    this.#timerAt = Number.POSITIVE_INFINITY
  }

  #run(): void {
    this.#disarm()
    try {
      for (let wake = this.#due(); wake !== null; wake = this.#due()) wake()
    } finally {
      this.#arm()
    }
  }

  #due(): (() => void) | null {
    return this.#since === null ? null : this.#wakeUps.take(this.now())
  }
}
