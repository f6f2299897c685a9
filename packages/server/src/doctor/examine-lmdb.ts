import { open, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { FolderLock } from '../adapters/lmdb/folder-lock.ts'
import { checkLmdbStore, hasLmdbStore } from '../adapters/lmdb/open-lmdb-store.ts'
import { StoreOpenError } from '../adapters/store-open-error.ts'
import { bad, describeTimes, doubtful, type Finding, good } from './finding.ts'

const ABOUT = 'data folder'
const MIB = 2 ** 20
/** Free space below which the server will soon refuse moves, and below which it is worth a word. */
const LEAST_FREE = 64 * MIB
const LITTLE_FREE = 1024 * MIB
const ROUNDS = 20
/** The size of a small commit. */
const COMMIT_BYTES = 8192
const SLOW_SYNC_MS = 50

/**
 * The folder of the lmdb store: who has it, whether it opens, its disk. It is left as it was. `isServed`: a server listens
 * where the settings say, which may be the one that has the folder.
 */
export async function examineLmdb(dataDir: string, isServed: boolean): Promise<readonly Finding[]> {
  const folder = resolve(dataDir)
  const isThere = await isFolder(folder)
  if (isThere === null) return examineParent(folder)
  if (!isThere) return [bad(ABOUT, `${folder} is not a folder`, 'name a folder in JUNQI_DATA_DIR')]
  if (!(await isWritable(folder))) return [unwritable(folder)]
  return [
    await examineContent(folder, isServed),
    await examineSpace(folder),
    await examineSync(folder),
  ]
}

/** The nearest folder that is there, in which the server would make its own. */
async function examineParent(folder: string): Promise<readonly Finding[]> {
  let parent = dirname(folder)
  while ((await isFolder(parent)) === null && parent !== dirname(parent)) parent = dirname(parent)
  if (!(await isFolder(parent)) || !(await isWritable(parent))) return [unwritable(parent)]
  return [good(ABOUT, `${folder} is made at the first start`), await examineSpace(parent)]
}

const unwritable = (folder: string): Finding =>
  bad(
    ABOUT,
    `${folder} cannot be written to by this user`,
    'give it to the user that runs the server, or name another one in JUNQI_DATA_DIR',
  )

async function examineContent(folder: string, isServed: boolean): Promise<Finding> {
  const holder = await FolderLock.holder(folder)
  if (holder !== null) {
    const says = `${folder} is in use by a server (process ${holder})`
    if (isServed) return good(ABOUT, `${says}, so it was not opened`)
    return bad(
      ABOUT,
      `${says}, which does not listen at JUNQI_PORT: another one cannot be started on it`,
      'stop that server, or name another folder in JUNQI_DATA_DIR',
    )
  }
  if (!hasLmdbStore(folder)) return good(ABOUT, `${folder} is free, and holds no games yet`)
  try {
    await checkLmdbStore(folder)
    return good(ABOUT, `${folder} is free, and its data file opens`)
  } catch (error) {
    if (!(error instanceof StoreOpenError)) throw error
    return bad(ABOUT, error.message.replace(/\.$/, ''), 'put it right, and ask again')
  }
}

async function examineSpace(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder)
  return judgeSpace(bavail * bsize)
}

/** `free`: bytes. */
export function judgeSpace(free: number): Finding {
  const says = `${Math.floor(free / MIB)} MiB are free`
  const mend = 'make room, or name a folder on another disk in JUNQI_DATA_DIR'
  if (free < LEAST_FREE) return bad('disk', `only ${says}`, mend)
  return free < LITTLE_FREE ? doubtful('disk', `only ${says}`, mend) : good('disk', says)
}

/** How long a commit takes on this disk. */
async function examineSync(folder: string): Promise<Finding> {
  const path = probeIn(folder)
  try {
    const times = await timeSyncs(path)
    const says = `a write and sync takes ${describeTimes(times)}`
    const isSlow = times.filter((ms) => ms > SLOW_SYNC_MS).length > times.length / 2
    return isSlow
      ? doubtful('sync', says, 'name a folder on a faster disk: every move waits for this')
      : good('sync', says)
  } catch (error) {
    return bad(
      'sync',
      `a write and sync fails (${error})`,
      'see to the disk, or name another folder',
    )
  } finally {
    await rm(path, { force: true })
  }
}

async function timeSyncs(path: string): Promise<readonly number[]> {
  const file = await open(path, 'w', 0o600)
  try {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now()
      await file.write(Buffer.alloc(COMMIT_BYTES), 0, COMMIT_BYTES, 0)
      await file.datasync()
      times.push(performance.now() - start)
    }
    return times
  } finally {
    await file.close()
  }
}

/** null: nothing is there. */
const isFolder = (path: string): Promise<boolean | null> =>
  stat(path).then(
    (found) => found.isDirectory(),
    (error) => (error.code === 'ENOENT' ? null : false),
  )

/** Tried out: permission alone does not tell. */
async function isWritable(folder: string): Promise<boolean> {
  const path = probeIn(folder)
  try {
    await (await open(path, 'w', 0o600)).close()
    return true
  } catch {
    return false
  } finally {
    await rm(path, { force: true })
  }
}

const probeIn = (folder: string): string => join(folder, `probe-${process.pid}`)
