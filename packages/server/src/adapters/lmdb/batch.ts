import type { RoomId } from '../../ports.ts'
import { type EntryHeader, encodeEntry, type Head, KEYS } from './codec.ts'

/** Reads texts by their keys. */
export interface Reader {
  get(key: string): string | undefined
}

/** What the data file holds, as committed. */
export interface Committed extends Reader {
  /** The records whose keys are at least `start` and begin with its first letter, in order. */
  range(start: string): Iterable<{ readonly key: string; readonly value: string }>
  /** The last key that begins with a letter. */
  last(letter: string): string | undefined
}

/** The data file. */
export interface Tree extends Committed {
  /** Resolves when all of it is on disk; else rejects, and nothing of it has happened. Null: remove. */
  write(writes: ReadonlyMap<string, string | null>): Promise<void>
  /** Whether its path still leads to it: what is written to a file that was removed is lost with it. */
  isInPlace(): Promise<boolean>
  close(): Promise<void>
}

/** The changes of one transaction, seen over what is committed. */
export class Batch implements Reader {
  readonly #committed: Committed
  readonly #writes = new Map<string, string | null>()
  /** The sequence of the first entry of this batch. */
  readonly start: number
  readonly entries: EntryHeader[] = []
  /** Rooms as they stand after this batch; null: removed. */
  readonly heads = new Map<RoomId, Head | null>()
  /** Rooms that were marked failed (true), or removed and so no longer are. */
  readonly failures = new Map<RoomId, boolean>()
  /** Rooms whose L record this batch brings up to date. */
  readonly saved = new Set<RoomId>()

  constructor(committed: Committed, start: number) {
    this.#committed = committed
    this.start = start
  }

  /** The sequence that the next entry gets. */
  get next(): number {
    return this.start + this.entries.length
  }

  /** By key what to store; null: remove. */
  get writes(): ReadonlyMap<string, string | null> {
    return this.#writes
  }

  get(key: string): string | undefined {
    const written = this.#writes.get(key)
    return written === undefined ? this.#committed.get(key) : (written ?? undefined)
  }

  put(key: string, value: string): void {
    this.#writes.set(key, value)
  }

  remove(key: string): void {
    this.#writes.set(key, null)
  }

  removeAll(prefix: string): void {
    for (const { key } of this.#committed.range(prefix)) {
      if (!key.startsWith(prefix)) break
      this.remove(key)
    }
    for (const key of this.#writes.keys()) if (key.startsWith(prefix)) this.remove(key)
  }

  append(header: EntryHeader, data: string): void {
    this.put(KEYS.entry(this.next), encodeEntry(header, data))
    this.entries.push(header)
  }
}
