import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { commandIdOf, playerOf, requestOf, roomOf } from '../../../test/contract/requests.ts'
import { LogDamagedError, StoreUnavailableError } from '../../ports.ts'
import { systemRng } from '../system-rng.ts'
import type { Tree } from './batch.ts'
import { DataTree } from './data-tree.ts'
import { LmdbStore } from './lmdb-store.ts'

let folder: string
let tree: DataTree
let store: LmdbStore
/** Records that were read. */
let gets = 0
/** What the next write fails with, or breaks off with. */
let failure: Error | null
/** Until it resolves, what is written is in the file and not told to be. */
let told: Promise<void>
let tell = (): void => {}

/** A data file whose writes fail when the test says so, before anything is written, and whose success is told when it says so. */
function failing(inner: DataTree): Tree {
  return {
    get(key) {
      gets += 1
      return inner.get(key)
    },
    range: (start) => inner.range(start),
    last: (letter) => inner.last(letter),
    isInPlace: () => inner.isInPlace(),
    close: () => inner.close(),
    write: async (writes) => {
      if (failure !== null) throw failure
      await inner.write(writes)
      await told
    },
  }
}

async function open(): Promise<void> {
  tree = await DataTree.open(join(folder, 'junqi.mdb'))
  store = new LmdbStore({ tree: failing(tree), rng: systemRng, release: async () => {} })
}

beforeEach(async () => {
  failure = null
  told = Promise.resolve()
  folder = await mkdtemp(join(tmpdir(), 'junqi-lmdb-'))
  await open()
})
afterEach(async () => {
  failure = null
  tell()
  await store.close()
  await rm(folder, { recursive: true })
})

test('F-M1: what a command made long ago, and what made the room, costs no look at what came since', async () => {
  const command = { player: playerOf(0), id: commandIdOf(0) }
  const live = { deadline: 100 }
  await store.append(requestOf(0, { ...live, command }))
  for (let n = 1; n <= 500; n++) await store.append(requestOf(0, { ...live, expectedVersion: n }))
  for (const reopens of [false, true]) {
    if (reopens) {
      await store.close()
      await open()
    }
    // The log is read once.
    await store.accepted(roomOf(0), command.player, command.id)
    gets = 0
    expect(await store.accepted(roomOf(0), command.player, command.id)).toMatchObject({
      version: 1,
    })
    const again = requestOf(0, { expectedVersion: 501, command })
    expect(await store.append(again)).toEqual({ type: 'duplicate', version: 1 })
    expect(await store.first(roomOf(0))).toMatchObject({ version: 1 })
    expect(gets).toBeLessThan(5)
  }
})

test('F-C7: an end is handed on no sooner than the log tells of it', async () => {
  await store.append(requestOf(0, { deadline: 100 }))
  told = new Promise((resolve) => {
    tell = resolve
  })
  const appended = store.append(requestOf(0, { expectedVersion: 1, ended: 'end' }))
  const inFile = (): boolean => [...tree.range('O')].length > 0
  await vi.waitUntil(inFile, { interval: 1 })
  expect(await store.outbox(10)).toEqual([])
  expect(await store.version(roomOf(0))).toBe(1)
  tell()
  await appended
  expect(await store.outbox(10)).toEqual([{ room: roomOf(0), ended: 'end' }])
  expect(await store.version(roomOf(0))).toBe(2)
})

describe('a full disk', () => {
  const command = { player: playerOf(0), id: commandIdOf(0) }

  test('refuses appends and changes nothing', async () => {
    await store.append(requestOf(0, { deadline: 100, lobby: 'line' }))
    failure = new Error('ENOSPC')
    const refused = [
      requestOf(0, { expectedVersion: 1, command, deadline: 5, lobby: 'new', ended: 'end' }),
      requestOf(1, { deadline: 1 }),
    ]
    for (const request of refused) {
      await expect(store.append(request)).rejects.toThrow(StoreUnavailableError)
    }
    expect(await store.version(roomOf(0))).toBe(1)
    expect(await store.due(1_000, 10)).toEqual([{ room: roomOf(0), deadline: 100 }])
    expect(await store.lobby(10)).toEqual([{ room: roomOf(0), entry: 'line' }])
    expect(await store.accepted(roomOf(0), command.player, command.id)).toBe(null)
    expect(await store.outbox(10)).toEqual([])
  })

  test('is over when there is room again: the same commands are taken', async () => {
    failure = new Error('ENOSPC')
    const request = requestOf(0, { command })
    await expect(store.append(request)).rejects.toThrow(StoreUnavailableError)
    await expect(store.ping()).rejects.toThrow(StoreUnavailableError)
    failure = null
    expect(await store.append(request)).toEqual({ type: 'appended', version: 1 })
    await store.ping()
    await store.close()
    await open()
    expect(await store.read(roomOf(0), 0)).toEqual([{ version: 1, data: 'data' }])
  })

  test('F-T4: time stands still until the store takes writes again', async () => {
    await store.append(requestOf(0))
    failure = new Error('ENOSPC')
    await expect(store.append(requestOf(1))).rejects.toThrow(StoreUnavailableError)
    expect(store.clock.stands).toBe(true)
    failure = null
    await store.append(requestOf(1))
    expect(store.clock.stands).toBe(false)
  })
})

describe('service time', () => {
  test('F-T4: a restart goes on from the time of the last write', async () => {
    const day = 86_400_000
    await store.close()
    tree = await DataTree.open(join(folder, 'junqi.mdb'))
    await tree.write(new Map([['clock', String(day)]]))
    await tree.close()
    await open()
    await store.append(requestOf(0))
    const before = store.clock.now()
    await store.close()
    await open()
    expect(before).toBeGreaterThanOrEqual(day)
    expect(store.clock.now()).toBeGreaterThanOrEqual(before)
    expect(store.clock.now()).toBeLessThan(2 * day)
  })
})

describe('a damaged record', () => {
  test('spoils its own room, and no other', async () => {
    for (const number of [0, 1]) await store.append(requestOf(number, { deadline: 9 }))
    await tree.write(new Map([['z000000001', 'nonsense']]))
    await expect(store.read(roomOf(0), 0)).rejects.toThrow(LogDamagedError)
    expect(await store.read(roomOf(1), 0)).toHaveLength(1)
    await tree.write(new Map([['z000000001', null]]))
    await expect(store.read(roomOf(0), 0)).rejects.toThrow(LogDamagedError)
    const other = requestOf(1, {
      expectedVersion: 1,
      command: { player: playerOf(0), id: commandIdOf(0) },
    })
    expect(await store.append(other)).toEqual({ type: 'appended', version: 2 })
  })
})

test('a store that is closed answers nothing more', async () => {
  await store.close()
  await store.close()
  await expect(store.append(requestOf(0))).rejects.toThrow(StoreUnavailableError)
  await expect(store.read(roomOf(0), 0)).rejects.toThrow(StoreUnavailableError)
  await expect(store.ping()).rejects.toThrow(StoreUnavailableError)
})
