/** Jobs that run one after the other, in the order they came. */
export class Mailbox {
  readonly #emptied: () => void
  /** Jobs that wait, and the one that runs. */
  #count = 0
  /** Resolves when the last of them is done. */
  #last: Promise<void> = Promise.resolve()

  /** `emptied` is called whenever nothing is waiting or running any more. */
  constructor(emptied: () => void) {
    this.#emptied = emptied
  }

  /** How many wait; the caller looks at it before it adds one, unless that must not be lost. */
  get waiting(): number {
    return Math.max(this.#count - 1, 0)
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** Runs a job after those before it. */
  run<T>(job: () => Promise<T>): Promise<T> {
    this.#count++
    const done = this.#count === 1 ? job() : this.#last.then(job)
    const next = (): void => this.#next()
    this.#last = done.then(next, next)
    return done
  }

  /** Resolves when what waits now is done, whatever comes after it. */
  passed(): Promise<void> {
    return this.#last
  }

  /** Resolves when nothing is waiting or running. */
  async settled(): Promise<void> {
    while (!this.isEmpty) await this.#last
  }

  #next(): void {
    this.#count--
    if (this.isEmpty) this.#emptied()
  }
}
