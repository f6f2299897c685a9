import { type FileHandle, open } from 'node:fs/promises'

export interface FileUse {
  /** The highest page that was ever used. */
  readonly lastPage: number
  readonly pageSize: number
}

/** The file grows by so much. */
const STEP = 2 ** 20
/** What a transaction may write besides its records: branches, and the list of free pages. */
const BASE_PAGES = 64
const SMALLEST_PAGE = 4096
/** Bytes of UTF-8 for one unit of a string. */
const LONGEST_CHARACTER = 3
/** What one record may change besides the pages that it fills: its leaf, split, and their parent. */
const RECORD_PAGES = 3

/**
 * Keeps the data file longer than the next transaction can make it. So a full disk is met here,
 * where it refuses a batch and does no harm (lmdb-js overruns a buffer of its own when one of its
 * page writes fails); and a sync costs less when the file does not grow.
 */
export class FileSpace {
  readonly #file: FileHandle
  readonly #use: () => FileUse
  /** Pages that are certainly there and unused. */
  #spare = 0
  /** Bytes that the file has at least. */
  #size = 0

  private constructor(file: FileHandle, use: () => FileUse) {
    this.#file = file
    this.#use = use
  }

  static async open(path: string, use: () => FileUse): Promise<FileSpace> {
    return new FileSpace(await open(path, 'r+'), use)
  }

  /** Rejects with the system's error when the disk has no room for these writes. */
  async reserve(writes: ReadonlyMap<string, string | null>): Promise<void> {
    const pages = pagesFor(writes)
    if (pages > this.#spare) await this.#grow(pages)
    this.#spare -= pages
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  async #grow(pages: number): Promise<void> {
    const { lastPage, pageSize } = this.#use()
    const needed = (lastPage + 1 + pages) * pageSize
    // The file is looked at only when it may be too short: to ask takes a thread and a turn of the event loop.
    if (this.#size < needed) await this.#lengthen(needed)
    this.#spare = Math.floor(this.#size / pageSize) - lastPage - 1
  }

  async #lengthen(needed: number): Promise<void> {
    const { size } = await this.#file.stat()
    if (size < needed) {
      await this.#fill(size, needed)
      // A step for those to come, if the disk has it.
      await this.#fill(needed, needed + STEP).catch(() => {})
    }
    this.#size = (await this.#file.stat()).size
  }

  async #fill(from: number, to: number): Promise<void> {
    const zeros = Buffer.alloc(to - from)
    for (let at = from; at < to; ) {
      const { bytesWritten } = await this.#file.write(zeros, at - from, to - at, at)
      at += bytesWritten
    }
  }
}

/** At most so many pages are newly used by a transaction with these writes. */
function pagesFor(writes: ReadonlyMap<string, string | null>): number {
  let pages = BASE_PAGES
  for (const [key, value] of writes) {
    const bytes = key.length + LONGEST_CHARACTER * (value?.length ?? 0)
    pages += RECORD_PAGES + Math.floor(bytes / SMALLEST_PAGE)
  }
  return pages
}
