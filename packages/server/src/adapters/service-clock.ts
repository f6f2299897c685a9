import type { Clock, ServiceTime } from '../ports.ts'
import { WakeUps } from './wake-ups.ts'

/** The longest delay that setTimeout knows. */
const LONGEST_TIMER = 2 ** 31 - 1

/**
 * Service time of a single process: it starts where the store says that it stopped, runs by the
 * process's monotonic clock and never looks at the wall clock. While the store takes no writes it
 * stands still, since nobody could have moved (DESIGN 5.5).
 */
export class ServiceClock implements Clock {
  readonly #wakeUps = new WakeUps()
  readonly #monotonic: () => number
  /** Service time was `#base` when the monotonic clock stood at `#since`; null: it stands still. */
  #base: ServiceTime
  #since: number | null
  #timer: NodeJS.Timeout | undefined
  #timerAt = Number.POSITIVE_INFINITY

  constructor(start: ServiceTime, monotonic = (): number => performance.now()) {
    this.#monotonic = monotonic
    this.#base = start
    this.#since = monotonic()
  }

  now(): ServiceTime {
    const ran = this.#since === null ? 0 : this.#monotonic() - this.#since
    return this.#base + Math.floor(ran)
  }

  schedule(at: ServiceTime, wake: () => void): () => void {
    const cancel = this.#wakeUps.add(at, wake)
    this.#arm()
    return cancel
  }

  get stands(): boolean {
    return this.#since === null
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

  /** One timer for the earliest wake-up; it keeps no process alive. */
  #arm(): void {
    const next = this.#wakeUps.next()
    if (next === null || this.#since === null || next >= this.#timerAt) return
    this.#disarm()
    this.#timerAt = next
    const delay = Math.min(Math.max(next - this.now(), 0), LONGEST_TIMER)
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
