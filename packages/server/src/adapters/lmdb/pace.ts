import { performance } from 'node:perf_hooks'

/** From this share of its time in use the event loop has none to spare. */
const BUSY = 0.6
/** Milliseconds from the begin of a commit to that of the next, when the loop is busy. */
const SPACING = 5

export interface Load {
  /** Milliseconds of a monotonic clock. */
  now(): number
  /** The share of its time that the event loop was in use since the last `mark`. */
  use(): number
  mark(): void
}

/**
 * When the next commit may begin. A commit costs a quarter of a millisecond of CPU, for one job or a
 * hundred. As long as the loop has time to spare it begins at once, which answers soonest; a busy
 * loop waits a little and puts more jobs in it.
 */
export class Pace {
  readonly #load: Load
  #begun = Number.NEGATIVE_INFINITY

  constructor(load: Load = eventLoopLoad()) {
    this.#load = load
  }

  /** A commit begins. */
  begin(): void {
    this.#begun = this.#load.now()
    this.#load.mark()
  }

  /** Milliseconds until the next may begin; 0 or less: now. */
  wait(): number {
    return this.#load.use() > BUSY ? this.#begun + SPACING - this.#load.now() : 0
  }
}

function eventLoopLoad(): Load {
  let mark = performance.eventLoopUtilization()
  return {
    now: () => performance.now(),
    use: () => performance.eventLoopUtilization(mark).utilization,
    mark: () => {
      mark = performance.eventLoopUtilization()
    },
  }
}
