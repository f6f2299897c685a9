import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { getSystemErrorName } from 'node:util'
import { StoreOpenError } from '../store-open-error.ts'
import { FolderLock } from './folder-lock.ts'

export interface DataFolder {
  readonly path: string
  readonly lock: FolderLock
}

/** Makes the folder if it is missing (for its owner alone) and takes it for this process. */
export async function openDataFolder(folder: string): Promise<DataFolder> {
  const path = resolve(folder)
  try {
    await makeFolder(path)
    await probe(join(path, `probe-${process.pid}`))
    return { path, lock: await FolderLock.take(path) }
  } catch (error) {
    throw openError(path, error)
  }
}

/** Not `mkdir` with `recursive`, which never comes back where no folder can be made, as in /proc. */
async function makeFolder(path: string): Promise<void> {
  const parent = dirname(path)
  const hasParent = await stat(parent).then(
    () => true,
    () => false,
  )
  if (!hasParent && parent !== path) await makeFolder(parent)
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/** What LMDB writes when it makes its files, tried out: it dies of a disk that is full just then. */
async function probe(path: string): Promise<void> {
  try {
    await writeFile(path, Buffer.alloc(2 ** 16))
  } finally {
    await rm(path, { force: true })
  }
}

const SENTENCES: Readonly<Record<string, string>> = {
  EACCES: 'cannot be written to: permission is denied',
  EPERM: 'cannot be written to: permission is denied',
  EROFS: 'cannot be written to: its file system is read-only',
  ENOSPC: 'cannot be written to: the disk is full',
  EDQUOT: 'cannot be written to: the disk quota is used up',
  EEXIST: 'is not a folder',
  ENOTDIR: 'is not a folder, or lies below something that is none',
  ENOENT: 'cannot be made where it is named',
}

/** One sentence for what went wrong with a data folder. */
export function openError(path: string, cause: unknown): StoreOpenError {
  if (cause instanceof StoreOpenError) return cause
  const code = codeOf(cause)
  const text = cause instanceof Error ? cause.message : String(cause)
  const sentence = SENTENCES[code] ?? `cannot be opened: ${text}`
  return new StoreOpenError(`The data folder ${path} ${sentence} (see JUNQI_DATA_DIR).`, { cause })
}

/** Node names a system error; LMDB gives its number, or a negative one of its own. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error && 'code' in error)) return ''
  const { code } = error
  return typeof code === 'number' && code > 0 ? getSystemErrorName(-code) : String(code)
}
