/** Jobs that run one after the other, in the order they came; so many may wait. */
export class Mailbox {
  readonly #capacity: number
  readonly #emptied: () => void
  /** Jobs that wait, and the one that runs. */
  #count = 0
  /** Resolves when the last of them is done. */
  #last: Promise<void> = Promise.resolve()

  /** `emptied` is called whenever nothing is waiting or running any more. */
  constructor(capacity: number, emptied: () => void) {
    this.#capacity = capacity
    this.#emptied = emptied
  }

  get isFull(): boolean {
    return this.#count > this.#capacity
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** Runs a job after those before it. The caller looks at `isFull` first, unless the job must not be lost. */
  run<T>(job: () => Promise<T>): Promise<T> {
    this.#count++
    const done = this.#count === 1 ? job() : this.#last.then(job)
    const next = (): void => this.#next()
    this.#last = done.then(next, next)
    return done
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
