/** Jobs that run one after the other, in the order they came; so many may wait. */
export class Mailbox {
  readonly #capacity: number
  readonly #emptied: () => void
  readonly #waiting: (() => Promise<void>)[] = []
  #running: Promise<void> | null = null

  /** `emptied` is called whenever nothing is waiting or running any more. */
  constructor(capacity: number, emptied: () => void) {
    this.#capacity = capacity
    this.#emptied = emptied
  }

  get isFull(): boolean {
    return this.#waiting.length >= this.#capacity
  }

  get isEmpty(): boolean {
    return this.#running === null
  }

  /** Runs a job after those before it. The caller looks at `isFull` first, unless the job must not be lost. */
  run<T>(job: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => job().then(resolve, reject))
      this.#running ??= this.#drain()
    })
  }

  /** Resolves when nothing is waiting or running. */
  async settled(): Promise<void> {
    while (this.#running !== null) await this.#running
  }

  async #drain(): Promise<void> {
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift())
      await job()
    this.#running = null
    this.#emptied()
  }
}
