import type { Clock, ServiceTime } from './ports.ts'

/** One wake-up of a clock: the earliest of those that were set, until it comes. */
export class Alarm {
  readonly #clock: Clock
  readonly #wake: () => void
  #at: ServiceTime | null = null
  #cancel = (): void => {}

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock
    this.#wake = wake
  }

  /** For that time, unless one is set before it. */
  set(time: ServiceTime): void {
    if (this.#at !== null && this.#at <= time) return
    this.#cancel()
    this.#at = time
    this.#cancel = this.#clock.schedule(time, () => {
      this.#at = null
      this.#wake()
    })
  }

  cancel(): void {
    this.#cancel()
    this.#at = null
  }
}
