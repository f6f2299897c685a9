import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { openLmdbStore } from '../../src/adapters/lmdb/open-lmdb-store.ts'
import { systemRng } from '../../src/adapters/system-rng.ts'
import { describeQueue } from './queue.contract.ts'
import { describeStore, type Place } from './store.contract.ts'

/** A folder of its own; with a window of a few entries a restart must rely on what was stored. */
async function makePlace(headWindow?: number): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'junqi-store-'))
  return {
    open: () => openLmdbStore({ folder, rng: systemRng, ...(headWindow && { headWindow }) }),
    countKeys: async () => {
      const db = open({ path: join(folder, 'junqi.mdb') })
      const count = db.getKeysCount()
      await db.close()
      return count
    },
    dispose: () => rm(folder, { recursive: true }),
  }
}

describeStore({ name: 'the LMDB store', keeps: true, runs: 60, makePlace: () => makePlace() })
describeStore({
  name: 'the LMDB store, whose rooms’ standing is stored every few entries',
  keeps: true,
  runs: 60,
  makePlace: () => makePlace(3),
})
describeQueue({ makePlace, keeps: true, isShared: false })
