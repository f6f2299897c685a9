/** What a slow reader may be behind before it is brought up to date in one step. */
const MAX_BEHIND = 256

/** Tells each reader everything in order, or, if it is too far behind, only how things are now. */
export class Feed<T> {
  readonly #listeners = new Set<(item: T) => void>()
  readonly #readers = new Set<Reader<T>>()
  #ended = false

  /** `catchUp` makes the one item that stands for all that a slow reader missed. */
  push(item: T, catchUp: () => T): void {
    for (const listener of this.#listeners) listener(item)
    for (const reader of this.#readers) reader.push(item, catchUp)
  }

  listen(listener: (item: T) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** From now on; `first`, if there is one, comes before everything else. */
  read(first: readonly T[]): AsyncIterableIterator<T> {
    const reader = new Reader<T>(first, () => this.#readers.delete(reader))
    if (this.#ended) reader.end()
    else this.#readers.add(reader)
    return reader
  }

  end(): void {
    this.#ended = true
    this.#listeners.clear()
    for (const reader of this.#readers) reader.end()
    this.#readers.clear()
  }
}

/** One `for await` loop. */
class Reader<T> implements AsyncIterableIterator<T> {
  readonly #onReturn: () => void
  #queue: T[]
  #ended = false
  #waiting: ((result: IteratorResult<T, undefined>) => void)[] = []

  constructor(first: readonly T[], onReturn: () => void) {
    this.#queue = [...first]
    this.#onReturn = onReturn
  }

  push(item: T, catchUp: () => T): void {
    const waiting = this.#waiting.shift()
    if (waiting !== undefined) waiting({ done: false, value: item })
    else if (this.#queue.length >= MAX_BEHIND) this.#queue = [catchUp()]
    else this.#queue.push(item)
  }

  end(): void {
    this.#ended = true
    for (const waiting of this.#waiting) waiting({ done: true, value: undefined })
    this.#waiting = []
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const [item] = this.#queue.splice(0, 1)
    if (item !== undefined) return Promise.resolve({ done: false, value: item })
    if (this.#ended) return Promise.resolve({ done: true, value: undefined })
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  return(): Promise<IteratorResult<T, undefined>> {
    this.#queue = []
    this.#onReturn()
    this.end()
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
