import { decodeQueued, QueueTable, type Texts } from '../queue-table.ts'

class Kept implements Texts {
  readonly #texts = new Map<string, string>()

  get = (key: string): string | undefined => this.#texts.get(key)
  put = (key: string, text: string): void => void this.#texts.set(key, text)
  remove = (key: string): void => void this.#texts.delete(key)

  all() {
    return [...this.#texts].map(([id, text]) => decodeQueued(id, text))
  }
}

/** The queue of quick play in memory. */
export class MemoryQueue extends QueueTable {
  readonly #tickets: Kept
  readonly #matches: Kept

  constructor() {
    const [tickets, matches, waiting] = [new Kept(), new Kept(), new Kept()]
    super({ tickets, matches, waiting })
    this.#tickets = tickets
    this.#matches = matches
  }

  readQueue() {
    return { tickets: this.#tickets.all(), matches: this.#matches.all() }
  }
}
