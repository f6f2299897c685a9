import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { requestOf, roomOf } from '../../../test/contract/requests.ts'
import { StoreUnavailableError } from '../../ports.ts'
import { StoreOpenError } from '../store-open-error.ts'
import { systemRng } from '../system-rng.ts'
import { DataTree } from './data-tree.ts'
import type { LmdbStore } from './lmdb-store.ts'
import { openLmdbStore } from './open-lmdb-store.ts'

const NOBODY = 65_534

let parent: string
let folder: string
let file: string

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'junqi-open-'))
  folder = join(parent, 'new', 'data')
  file = join(folder, 'junqi.mdb')
})
afterEach(() => rm(parent, { recursive: true }))

const open = (where = folder) => openLmdbStore({ folder: where, rng: systemRng })

/** The sentence that a person reads. */
async function refusal(where = folder): Promise<string> {
  const error: unknown = await open(where).then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof StoreOpenError)) throw new Error(`not refused properly: ${error}`)
  expect(error.message).toMatch(/^The data (folder|file) [^\n]*\.$/)
  return error.message
}

describe('the data folder', () => {
  test('is made if it is missing, for its owner alone', async () => {
    await (await open()).close()
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  test('is left without locks when the store is closed', async () => {
    await (await open()).close()
    expect(await readdir(folder)).toEqual(['junqi.mdb', 'junqi.mdb-lock'])
  })

  test('cannot be a file, nor lie below one', async () => {
    await writeFile(join(parent, 'file'), '')
    expect(await refusal(join(parent, 'file'))).toContain('is not a folder')
    expect(await refusal(join(parent, 'file', 'data'))).toContain('is not a folder')
  })

  test('must be where a folder can be made', async () => {
    expect(await refusal('/proc/junqi')).toContain('/proc/junqi')
  })

  test('must be one that may be written to', async () => {
    await chmod(parent, 0o555)
    const root = process.geteuid?.() === 0
    if (root) process.seteuid?.(NOBODY)
    try {
      expect(await refusal(parent)).toContain('permission is denied')
      expect(await refusal()).toContain('permission is denied')
    } finally {
      if (root) process.seteuid?.(0)
      await chmod(parent, 0o755)
    }
  })

  test('must not have too long a name for a socket', async () => {
    expect(await refusal(join(parent, 'x'.repeat(120)))).toContain('too long a path')
  })
})

describe('the data file', () => {
  async function write(): Promise<void> {
    const store = await open()
    await Promise.all(
      Array.from({ length: 2_000 }, (_, n) =>
        store.append(requestOf(n, { data: 'x'.repeat(1_000) })),
      ),
    )
    await store.close()
  }

  test('of a newer version is refused, and kept as it is', async () => {
    await write()
    const tree = await DataTree.open(file)
    await tree.write(new Map([['format', '2']]))
    await tree.close()
    const before = await readFile(file)
    expect(await refusal()).toContain('a newer version of this server')
    expect((await readFile(file)).equals(before)).toBe(true)
  })

  test('of another program is refused', async () => {
    await mkdir(folder, { recursive: true })
    const tree = await DataTree.open(file)
    await tree.write(new Map([['something', 'else']]))
    await tree.close()
    expect(await refusal()).toContain('something else')
  })

  test.each([
    ['text', Buffer.from('not a database\n')],
    ['zeros', Buffer.alloc(100_000)],
    ['noise', Buffer.from(systemRng.bytes(100_000))],
  ])('that is %s is refused', async (_, content) => {
    await mkdir(folder, { recursive: true })
    await writeFile(file, content)
    expect(await refusal()).toContain('is not one of this server')
  })

  test.each([100, 5_000, 60_000])('that was cut off after %d bytes is refused', async (length) => {
    await write()
    await truncate(file, length)
    expect(await refusal()).toMatch(/is not one of|is damaged|has lost its end/)
  })

  test('whose second page is damaged is refused', async () => {
    await write()
    const content = await readFile(file)
    content.fill(0, 4_096, 8_192)
    await writeFile(file, content)
    expect(await refusal()).toContain('is damaged')
  })

  test('without its spare end is as good as before', async () => {
    await write()
    const { size } = await stat(file)
    await truncate(file, size - 2 ** 19)
    const store = await open()
    expect(await store.read(roomOf(1_999), 0)).toHaveLength(1)
    await store.close()
  })

  test('that is empty is a new one', async () => {
    await mkdir(folder, { recursive: true })
    await writeFile(file, '')
    const store = await open()
    expect(await store.append(requestOf(0))).toEqual({ type: 'appended', version: 1 })
    await store.close()
  })
})

describe('a data file in use', () => {
  const aside = () => join(parent, 'aside')
  const lost: string[] = []
  let store: LmdbStore

  beforeEach(async () => {
    lost.length = 0
    store = await openLmdbStore({
      folder,
      rng: systemRng,
      lost: (sentence) => void lost.push(sentence),
    })
    await store.append(requestOf(0))
  })
  afterEach(() => store.close())

  test.each([
    ['removed with its folder', () => rm(folder, { recursive: true })],
    ['moved away', () => rename(folder, aside())],
    ['replaced by another', () => writeFile(`${file}2`, '').then(() => rename(`${file}2`, file))],
  ])('that is %s takes no more writes, and that is said once', async (_, lose) => {
    await lose()
    await vi.waitUntil(() => store.clock.stands, { timeout: 30_000 })
    await expect(store.append(requestOf(1))).rejects.toThrow(StoreUnavailableError)
    await expect(store.ping()).rejects.toThrow(StoreUnavailableError)
    expect(lost).toEqual([expect.stringMatching(/^The data file [^\n]* was moved or removed/)])
  })

  test('that comes back takes writes again', async () => {
    await rename(folder, aside())
    await vi.waitUntil(() => store.clock.stands, { timeout: 30_000 })
    await rename(aside(), folder)
    await vi.waitUntil(() => !store.clock.stands, { timeout: 30_000 })
    expect(await store.append(requestOf(1))).toEqual({ type: 'appended', version: 1 })
  })
})

describe('only one at a time', () => {
  test('a second store is refused while the first one is open', async () => {
    const first = await open()
    expect(await refusal()).toContain(`is in use by another server (process ${process.pid})`)
    expect(await first.append(requestOf(0))).toEqual({ type: 'appended', version: 1 })
    await first.close()
    await (await open()).close()
  })

  test('of many that open at once one gets the folder at most, and then it is free again', async () => {
    const opened = await Promise.allSettled(Array.from({ length: 6 }, () => open()))
    const stores = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(stores.length).toBeLessThanOrEqual(1)
    for (const store of stores) await store.close()
    await (await open()).close()
  })
})
