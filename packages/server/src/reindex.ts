import { resolve } from 'node:path'
import { hasLmdbStore } from './adapters/lmdb/open-lmdb-store.ts'
import { StoreOpenError } from './adapters/store-open-error.ts'
import { type Derived, deriveIndex } from './archive/derive-index.ts'
import { loadConfig } from './config.ts'
import { makeLogger } from './logger.ts'
import { openStore } from './open-store.ts'
import { StoreUnavailableError } from './ports.ts'
import { StartError } from './start.ts'

/** Makes the archive's index anew from the logs of the store that an environment names; rejects with a StartError. */
export async function reindexArchive(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Derived> {
  const config = loadConfig(env)
  if (!config.ok) throw new StartError(config.error)
  const { store: kind, dataDir } = config.value
  if (kind === 'memory')
    throw new StartError('JUNQI_STORE="memory" keeps nothing of which an index could be made.')
  // Else a folder whose name is misspelt would be made, and found to be in order.
  if (kind === 'lmdb' && !hasLmdbStore(dataDir))
    throw new StartError(
      `${resolve(dataDir)} holds no games: name the folder of the server in JUNQI_DATA_DIR.`,
    )
  try {
    const store = await openStore(config.value, makeLogger('silent'))
    try {
      return await deriveIndex({ store, date: Date.now })
    } finally {
      await store.close()
    }
  } catch (error) {
    const isKnown = error instanceof StoreOpenError || error instanceof StoreUnavailableError
    throw isKnown ? new StartError(error.message, { cause: error }) : error
  }
}
