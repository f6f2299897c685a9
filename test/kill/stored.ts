import { cpSync, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RoomId } from '@junqi/protocol'
import { openLmdbStore } from '../../packages/server/src/adapters/lmdb/open-lmdb-store.ts'
import { systemRng } from '../../packages/server/src/adapters/system-rng.ts'
import type { Store } from '../../packages/server/src/ports.ts'
import { parseEntry } from '../../packages/server/src/room/log-entry.ts'
import type { Log, Logs } from './audit.ts'

/** Looks into what a server that does not run has kept, in a copy: the server finds its own as it left it. */
export async function withStored<T>(
  dataDir: string,
  look: (store: Store) => Promise<T>,
): Promise<T> {
  const copy = mkdtempSync(join(tmpdir(), 'junqi-copy-'))
  try {
    // Not the lock, a socket, which is of the process that was killed.
    cpSync(dataDir, copy, { recursive: true, filter: (path) => !lstatSync(path).isSocket() })
    const store = await openLmdbStore({ folder: copy, rng: systemRng })
    try {
      return await look(store)
    } finally {
      await store.close()
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

export async function readLogs(store: Store, rooms: Iterable<RoomId>): Promise<Logs> {
  const logs = new Map<RoomId, Log>()
  for (const room of rooms) logs.set(room, (await store.read(room, 0)).map(parseEntry))
  return logs
}
