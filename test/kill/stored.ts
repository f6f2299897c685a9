import { cpSync, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RoomId } from '@junqi/protocol'
import { openLmdbStore } from '../../packages/server/src/adapters/lmdb/open-lmdb-store.ts'
import { systemRng } from '../../packages/server/src/adapters/system-rng.ts'
import type { Store } from '../../packages/server/src/ports.ts'
import { parseEntry } from '../../packages/server/src/room/log-entry.ts'
import type { Log, Logs } from '../support/audit.ts'

/** Copies what a server that does not run has kept: the server finds its own as it left it. */
export function copyStored(dataDir: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'junqi-copy-'))
  // Not the lock, a socket, which is of the process that was killed.
  cpSync(dataDir, copy, { recursive: true, filter: (path) => !lstatSync(path).isSocket() })
  return copy
}

/** Looks into a copy, once. */
export async function withStored<T>(copy: string, look: (store: Store) => Promise<T>): Promise<T> {
  try {
    const store = await openLmdbStore({ folder: copy, rng: systemRng })
    return await look(store).finally(() => store.close())
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** The logs of rooms, and of those that follow on them. */
export async function readLogs(store: Store, rooms: Iterable<RoomId>): Promise<Logs> {
  const logs = new Map<RoomId, Log>()
  const open = [...rooms]
  for (let room = open.pop(); room !== undefined; room = open.pop()) {
    if (logs.has(room)) continue
    const log = (await store.read(room, 0)).map(parseEntry)
    logs.set(room, log)
    for (const event of log.flatMap(({ events }) => events)) {
      if (event.type === 'rematchCreated') open.push(event.room)
    }
  }
  return logs
}
