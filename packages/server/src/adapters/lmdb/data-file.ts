import { open } from 'node:fs/promises'
import { StoreOpenError } from '../store-open-error.ts'

/** Where LMDB's meta pages (0 and 1) keep what is looked at here; see `MDB_meta` in its mdb.c. */
const MAGIC = { offset: 24, value: 0xbeefc0de }
const PAGE_SIZE_OFFSET = 48
const LAST_PAGE_OFFSET = 144
const META_LENGTH = 168

/** Pages freed in the transaction that made them are never written: so much may lack at the end. */
const SLACK = 2 ** 20

/**
 * LMDB maps its file, and a broken one kills the process instead of failing to open. So a file that
 * is none of LMDB's, or has lost its end, is refused here, with a sentence.
 */
export async function checkDataFile(path: string): Promise<void> {
  const file = await open(path, 'a+', 0o600)
  try {
    const { size } = await file.stat()
    if (size === 0) return
    const meta = Buffer.alloc(META_LENGTH)
    await file.read(meta, 0, META_LENGTH, 0)
    const pageSize = meta.readUInt32LE(PAGE_SIZE_OFFSET)
    const isMeta = meta.readUInt32LE(MAGIC.offset) === MAGIC.value
    if (!isMeta || size < 2 * pageSize) throw damaged(path, 'is not one of this server’s')
    const second = Buffer.alloc(META_LENGTH)
    await file.read(second, 0, META_LENGTH, pageSize)
    if (second.readUInt32LE(MAGIC.offset) !== MAGIC.value) throw damaged(path, 'is damaged')
    const lastPages = [meta, second].map((page) => Number(page.readBigUInt64LE(LAST_PAGE_OFFSET)))
    const needed = (Math.max(...lastPages) + 1) * pageSize
    if (size < needed - SLACK) throw damaged(path, 'has lost its end')
    if (size < needed) await file.truncate(needed)
  } finally {
    await file.close()
  }
}

function damaged(path: string, how: string): StoreOpenError {
  return new StoreOpenError(
    `The data file ${path} ${how}; put a good copy in its place, or name another folder in JUNQI_DATA_DIR.`,
  )
}
