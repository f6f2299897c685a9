import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLmdbStore } from '../../src/adapters/lmdb/open-lmdb-store.ts'
import { systemRng } from '../../src/adapters/system-rng.ts'
import { roomOf } from '../contract/requests.ts'
import { StoreDriver } from './store-driver.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'junqi-process-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a second process refuses the folder of a first, until that one is killed', async () => {
  const first = await StoreDriver.start({ folder })
  const sentence = /^StoreOpenError: The data folder .* is in use by another server \(process \d+\)/
  await expect(StoreDriver.start({ folder })).rejects.toThrow(sentence)
  expect(await first.append(roomOf(0), 0, 'a')).toMatchObject({ type: 'appended' })
  await first.stop('SIGKILL')
  const second = await StoreDriver.start({ folder })
  expect(await second.append(roomOf(0), 1, 'b')).toMatchObject({ type: 'appended', version: 2 })
  await second.stop('SIGKILL')
})

/** Runs a command whose files cannot grow beyond 0.8 MB; a write beyond fails as on a full disk. */
const SMALL_DISK = ['bash', '-c', 'trap "" XFSZ; ulimit -f 800; exec "$@"', 'bash'] as const
const ROOMS = 50

test('a disk that is full refuses what comes, and loses nothing that was answered', async () => {
  const driver = await StoreDriver.start({ folder, under: SMALL_DISK })
  const play = async (room: number): Promise<number> => {
    for (let version = 0; ; version++) {
      const id = `${room}-${version}-`.padEnd(32, 'x')
      const answer = await driver.append(roomOf(room), version, id)
      if (answer?.type !== 'appended') {
        expect(answer).toMatchObject({ type: 'StoreUnavailableError' })
        return version
      }
    }
  }
  const versions = await Promise.all(Array.from({ length: ROOMS }, (_, room) => play(room)))
  await driver.stop('SIGKILL')

  const store = await openLmdbStore({ folder, rng: systemRng })
  for (const [room, version] of versions.entries()) {
    expect(await store.version(roomOf(room))).toBe(version)
    expect(await store.read(roomOf(room), 0)).toHaveLength(version)
  }
  expect(versions.reduce((sum, version) => sum + version)).toBeGreaterThan(ROOMS)
  await store.close()
})
