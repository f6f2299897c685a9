import { setImmediate } from 'node:timers/promises'
import { WakeUps } from '../../src/adapters/wake-ups.ts'
import type { Clock, ServiceTime } from '../../src/ports.ts'

/** Service time that passes only when a test says so. */
export class FakeClock implements Clock {
  readonly #wakeUps = new WakeUps()
  #now: ServiceTime

  constructor(start: ServiceTime = 1_000_000) {
    this.#now = start
  }

  now(): ServiceTime {
    return this.#now
  }

  schedule(at: ServiceTime, wake: () => void): () => void {
    return this.#wakeUps.add(at, wake)
  }

  /** When the next wake-up is due; null: none is scheduled. */
  nextWakeUp(): ServiceTime | null {
    return this.#wakeUps.next()
  }

  /**
   * Lets time pass, and runs what becomes due in its order, each at its own time.
   * After each, whatever its promises set off runs first (the memory store answers at once).
   */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds
    await setImmediate()
    for (;;) {
      const next = this.#wakeUps.next()
      if (next === null || next > end) break
      this.#now = Math.max(this.#now, next)
      this.#wakeUps.take(this.#now)?.()
      await setImmediate()
    }
    this.#now = end
    await setImmediate()
  }
}
