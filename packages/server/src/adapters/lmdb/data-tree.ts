import { stat } from 'node:fs/promises'
import { open, type RootDatabase, type RootDatabaseOptions } from 'lmdb'
import { z } from 'zod'
import type { Tree } from './batch.ts'
import { FileSpace, type FileUse } from './file-space.ts'

/**
 * A promise of LMDB must mean "on disk". Without `overlappingSync` a commit writes its pages, syncs
 * them (fdatasync), and then writes the meta page that makes them count through a descriptor that
 * syncs by itself (O_DSYNC); only after that lmdb-js reports the transaction as committed. With it
 * (lmdb-js's default) the promise means "visible" and the sync comes later.
 * Each `write` is one transaction of its own, so lmdb-js need not wait for more of them.
 */
const SYNCED: RootDatabaseOptions = {
  overlappingSync: false,
  eventTurnBatching: false,
  encoding: 'string',
}

/** The one tree of the data file: texts by text keys. */
export class DataTree implements Tree {
  readonly #db: RootDatabase<string, string>
  readonly #space: FileSpace
  readonly #path: string
  readonly #file: string | null

  private constructor(
    db: RootDatabase<string, string>,
    { space, path, file }: { space: FileSpace; path: string; file: string | null },
  ) {
    this.#db = db
    this.#space = space
    this.#path = path
    this.#file = file
  }

  /** `options` are LMDB's own and for tests, which plant a store that does not sync. */
  static async open(path: string, options: RootDatabaseOptions = {}): Promise<DataTree> {
    const db = open<string, string>({ path, ...SYNCED, ...options })
    const space = await FileSpace.open(path, () => useOf(db))
    return new DataTree(db, { space, path, file: await fileAt(path) })
  }

  get(key: string): string | undefined {
    return this.#db.get(key)
  }

  range(start: string): Iterable<{ readonly key: string; readonly value: string }> {
    return this.#db.getRange({ start, end: after(start) })
  }

  last(letter: string): string | undefined {
    const [key] = this.#db.getKeys({ start: after(letter), end: letter, reverse: true, limit: 1 })
    return key
  }

  isEmpty(): boolean {
    return this.#db.getKeysCount({ limit: 1 }) === 0
  }

  async write(writes: ReadonlyMap<string, string | null>): Promise<void> {
    await this.#space.reserve(writes)
    try {
      await this.#db.batch(() => {
        for (const [key, value] of writes) {
          if (value === null) this.#db.remove(key)
          else this.#db.put(key, value)
        }
      })
    } catch (error) {
      throw await causeOf(error)
    }
  }

  async isInPlace(): Promise<boolean> {
    return (await fileAt(this.#path)) === this.#file
  }

  async close(): Promise<void> {
    await this.#db.close()
    await this.#space.close()
  }
}

/** Which file a path leads to; null: none that can be seen. */
async function fileAt(path: string): Promise<string | null> {
  try {
    const { dev, ino } = await stat(path, { bigint: true })
    return `${dev} ${ino}`
  } catch {
    return null
  }
}

function useOf(db: RootDatabase<string, string>): FileUse {
  const { lastPageNumber, pageSize } = fileStats.parse(db.getStats())
  return { lastPage: lastPageNumber, pageSize }
}

const fileStats = z.object({ lastPageNumber: z.int(), pageSize: z.int() })

/** The first text that is after every key with the same first letter. */
function after(start: string): string {
  return String.fromCharCode(start.charCodeAt(0) + 1)
}

/** lmdb-js rejects with "see commitError", a promise that rejects with the cause. */
async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error
  return Promise.resolve(error.commitError).then(
    () => error,
    (cause: unknown) => cause,
  )
}
