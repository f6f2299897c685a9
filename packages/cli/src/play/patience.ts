import { inputFailure } from '../failure.ts'

/** How long the server may leave something undone; a turn that runs out takes 5 seconds. */
const LONGEST_MS = 60_000

/** Waits, but neither for ever nor after something went wrong. */
export class Patience {
  readonly #failed: Promise<never>
  #reject: (failure: Error) => void = () => {}

  constructor() {
    this.#failed = new Promise((_, reject) => {
      this.#reject = reject
    })
    // Whoever waits hears of it; between two waits nobody does.
    this.#failed.catch(() => {})
  }

  /** Ends every wait, now and later. Only the first failure counts. */
  fail(failure: Error): void {
    this.#reject(failure)
  }

  async wait<T>(promise: Promise<T>, what: string): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const stalled = new Promise<never>((_, reject) => {
      const sentence = `${what}: nothing came of it within ${LONGEST_MS / 1000} seconds`
      timer = setTimeout(() => reject(inputFailure(sentence)), LONGEST_MS)
    })
    try {
      return await Promise.race([this.#failed, promise, stalled])
    } finally {
      clearTimeout(timer)
    }
  }
}
