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
  /** For tests: how LMDB is opened, and after how many entries a room's standing is stored. */
  readonly lmdb?: RootDatabaseOptions
  readonly headWindow?: number
}

/** Opens the store of a data folder for this process alone; rejects with a StoreOpenError. */
export async function openLmdbStore(options: LmdbStoreOptions): Promise<LmdbStore> {
  const { path, lock } = await openDataFolder(options.folder)
  try {
    const file = join(path, 'junqi.mdb')
    await checkDataFile(file)
    const tree = new DataTree(file, options.lmdb)
    await checkFormat(tree, file)
    return new LmdbStore({ ...options, tree, release: () => lock.release() })
  } catch (error) {
    await lock.release()
    throw openError(path, error)
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
  await tree.close()
  const writer =
    Number(format) > Number(FORMAT) ? 'a newer version of this server' : 'something else'
  throw new StoreOpenError(
    `The data file ${file} was written by ${writer}; start that one, or name another folder in JUNQI_DATA_DIR.`,
  )
}
