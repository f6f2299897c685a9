import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RootDatabaseOptions } from 'lmdb'
import type { Rng } from '../../ports.ts'
import { StoreOpenError } from '../store-open-error.ts'
import { FORMAT, KEYS } from './codec.ts'
import { checkDataFile } from './data-file.ts'
import { openDataFolder, openError } from './data-folder.ts'
import { DataTree } from './data-tree.ts'
import { LmdbStore } from './lmdb-store.ts'

export interface LmdbStoreOptions {
  /** Made if it is missing. */
  readonly folder: string
  readonly rng: Rng
  /** Told in one sentence when the data file is no longer where it was: nothing is written then. */
  readonly lost?: (sentence: string) => void
  /** For tests: how LMDB is opened, and after how many entries a room's standing is stored. */
  readonly lmdb?: RootDatabaseOptions
  readonly headWindow?: number
}

/** Whether a data folder has been played in. */
export const hasLmdbStore = (folder: string): boolean => existsSync(fileIn(folder))

const fileIn = (folder: string): string => join(folder, 'junqi.mdb')

/** Opens the store of a data folder for this process alone; rejects with a StoreOpenError. */
export async function openLmdbStore(options: LmdbStoreOptions): Promise<LmdbStore> {
  const { path, lock } = await openDataFolder(options.folder)
  const release = (): Promise<void> => lock.release()
  try {
    const file = fileIn(path)
    const tree = await openTree(file, options.lmdb)
    const lost = (): void => options.lost?.(lostFile(file))
    return new LmdbStore({ ...options, tree, release, lost })
  } catch (error) {
    await release()
    throw openError(path, error)
  }
}

/** Opens the data file of a folder as a start does, and closes it; rejects with a StoreOpenError. */
export async function checkLmdbStore(folder: string): Promise<void> {
  const { path, lock } = await openDataFolder(folder)
  try {
    const tree = await openTree(fileIn(path))
    await tree.close()
  } catch (error) {
    throw openError(path, error)
  } finally {
    await lock.release()
  }
}

const lostFile = (file: string): string =>
  `The data file ${file} was moved or removed while in use, so the server takes no more moves: put it back, or stop the server.`

async function openTree(file: string, lmdb?: RootDatabaseOptions): Promise<DataTree> {
  await checkDataFile(file)
  const tree = await DataTree.open(file, lmdb)
  try {
    await checkFormat(tree, file)
    return tree
  } catch (error) {
    await tree.close()
    throw error
  }
}

async function checkFormat(tree: DataTree, file: string): Promise<void> {
  const format = tree.get(KEYS.format)
  if (format === FORMAT) return
  if (format === undefined && tree.isEmpty()) {
    return tree.write(
      new Map([
        [KEYS.format, FORMAT],
        [KEYS.clock, '0'],
      ]),
    )
  }
  const writer =
    Number(format) > Number(FORMAT) ? 'a newer version of this server' : 'something else'
  throw new StoreOpenError(
    `The data file ${file} was written by ${writer}; start that one, or name another folder in JUNQI_DATA_DIR.`,
  )
}
