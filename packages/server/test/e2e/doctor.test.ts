import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openLmdbStore } from '../../src/adapters/lmdb/open-lmdb-store.ts'
import { systemRng } from '../../src/adapters/system-rng.ts'
import { examineServer } from '../../src/doctor/examine.ts'
import { judgeSpace } from '../../src/doctor/examine-lmdb.ts'
import { examineFiles } from '../../src/doctor/examine-process.ts'
import type { Finding } from '../../src/doctor/finding.ts'
import { StoreUnavailableError } from '../../src/ports.ts'
import { requestOf } from '../contract/requests.ts'
import { TestProvider } from '../support/identity-provider.ts'
import { startApp, stopApps } from '../support/test-app.ts'

const NOBODY = 65_534

let parent: string
let folder: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'junqi-doctor-'))
  folder = join(parent, 'data')
})
afterEach(async () => {
  await stopApps()
  await rm(parent, { recursive: true })
})

type Env = Readonly<Record<string, string>>

/** What is found with free ports and a folder that is not there yet, unless the settings say otherwise. */
const examine = (env: Env = {}): Promise<readonly Finding[]> =>
  examineServer({ JUNQI_PORT: '0', JUNQI_ADMIN_PORT: '0', JUNQI_DATA_DIR: folder, ...env })

async function findingOf(about: string | RegExp, env: Env = {}): Promise<Finding> {
  const findings = await examine(env)
  const found = findings.find((finding) => finding.about.match(about))
  if (found === undefined) throw new Error(`nothing about ${about} in ${JSON.stringify(findings)}`)
  return found
}

const notGood = (findings: readonly Finding[]) => findings.filter(({ health }) => health !== 'good')

describe('junqi doctor: settings', () => {
  test('where all is well it says so of each thing, and has nothing to mend', async () => {
    const findings = await examine({ JUNQI_MAX_CONNECTIONS: '10' })
    expect(notGood(findings)).toEqual([])
    expect(findings.map(({ about }) => about)).toEqual([
      'settings',
      'JUNQI_PORT 0',
      'JUNQI_ADMIN_PORT 0',
      'open files',
      'data folder',
      'disk',
    ])
    for (const { mend } of findings) expect(mend).toBeNull()
  })

  test.each([
    [{ JUNQI_PROT: '1' }, 'There is no setting JUNQI_PROT; did you mean JUNQI_PORT?'],
    [{ JUNQI_STORE: 'lmbd' }, 'JUNQI_STORE="lmbd" cannot be used: write'],
    [{ JUNQI_STORE: 'redis' }, 'JUNQI_STORE="redis" needs JUNQI_REDIS_URL: write'],
  ])('F-C5: %j is wrong, and nothing else is looked at', async (env, sentence) => {
    const findings = await examine(env)
    expect(findings).toMatchObject([{ about: 'settings', health: 'bad' }])
    expect(findings[0]?.says).toContain(sentence)
  })

  test('an identity provider gives its keys, or it says why it does not', async () => {
    const provider = await TestProvider.start(Date.now)
    onTestFinished(() => provider.stop())
    const found = () => findingOf('identity provider', provider.env)
    expect(await found()).toMatchObject({ health: 'good', says: 'its keys can be read, 1 of them' })
    provider.dropKey('one')
    expect(await found()).toMatchObject({ health: 'bad', says: expect.stringMatching(/no key/) })
    provider.answers = 'error'
    expect(await found()).toMatchObject({
      health: 'bad',
      says: 'it does not give its keys: Expected 200 OK from the JSON Web Key Set HTTP response',
      mend: expect.stringContaining('JUNQI_JWT_JWKS_URL'),
    })
  })

  test('a store that keeps nothing is doubtful', async () => {
    expect(await findingOf('store', { JUNQI_STORE: 'memory' })).toMatchObject({
      health: 'doubtful',
      mend: expect.stringContaining('lmdb or redis'),
    })
  })

  test('fewer open files than connections are doubtful, and it says what would do', async () => {
    expect(await examineFiles(1)).toMatchObject([{ health: 'good' }])
    expect(await examineFiles(1e9)).toMatchObject([
      { health: 'doubtful', mend: expect.stringMatching(/JUNQI_MAX_CONNECTIONS to [1-9]\d*$/) },
    ])
  })
})

describe('junqi doctor: ports', () => {
  async function occupy(server: Server): Promise<string> {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const address = server.address()
    return String(typeof address === 'object' ? address?.port : '')
  }

  test('one that is free is good, and is left free', async () => {
    const server = createServer()
    const JUNQI_PORT = await occupy(server)
    await new Promise((resolve) => server.close(resolve))
    for (let time = 0; time < 2; time++) {
      expect(await findingOf(`JUNQI_PORT ${JUNQI_PORT}`, { JUNQI_PORT })).toMatchObject({
        health: 'good',
        says: 'free at 127.0.0.1',
      })
    }
  })

  test.each([
    ['a program that speaks no HTTP', () => createServer((socket) => socket.end('hello\r\n'))],
    ['another web server', () => createHttpServer((_, response) => response.end('hello'))],
  ])('one that %s has is wrong', async (_, make) => {
    const JUNQI_PORT = await occupy(make())
    expect(await findingOf('JUNQI_PORT', { JUNQI_PORT })).toMatchObject({
      health: 'bad',
      says: `127.0.0.1, port ${JUNQI_PORT} is in use`,
      mend: expect.stringContaining('(see JUNQI_HOST, JUNQI_PORT)'),
    })
  })

  test('those that a Junqi server has are good while it is ready, and doubtful while it is not', async () => {
    const { url, adminUrl, store } = await startApp()
    const env = { JUNQI_PORT: new URL(url).port, JUNQI_ADMIN_PORT: new URL(adminUrl).port }
    expect(await findingOf(/JUNQI_PORT/, env)).toMatchObject({
      health: 'good',
      says: 'in use by a Junqi server that is ready',
    })
    expect(await findingOf(/JUNQI_ADMIN_PORT/, env)).toMatchObject({
      health: 'good',
      says: 'in use by a Junqi server, for its metrics',
    })
    store.ping = () => Promise.reject(new StoreUnavailableError('planted'))
    expect(await findingOf(/JUNQI_PORT/, env)).toMatchObject({
      health: 'doubtful',
      says: expect.stringContaining('not ready'),
    })
  })

  test('an admin port that other machines can reach is doubtful', async () => {
    const few = { JUNQI_MAX_CONNECTIONS: '10' }
    expect(notGood(await examine({ ...few, JUNQI_ADMIN_HOST: '0.0.0.0' }))).toMatchObject([
      { about: 'JUNQI_ADMIN_HOST', health: 'doubtful' },
    ])
    for (const JUNQI_ADMIN_HOST of ['localhost', '127.0.0.2']) {
      expect(notGood(await examine({ ...few, JUNQI_ADMIN_HOST }))).toEqual([])
    }
  })

  test.each([
    ['192.0.2.1', 'is not on this machine'],
    ['no.such.host.invalid', 'cannot be found'],
  ])('an address that there is not, %s, is wrong', async (JUNQI_HOST, says) => {
    expect(await findingOf('JUNQI_PORT', { JUNQI_HOST, JUNQI_PORT: '18080' })).toMatchObject({
      health: 'bad',
      says: expect.stringContaining(says),
    })
  })
})

describe('junqi doctor: the lmdb store', () => {
  const openStore = () => openLmdbStore({ folder, rng: systemRng })

  test('a folder that is not there yet is not made', async () => {
    expect((await findingOf('data folder')).says).toBe(`${folder} is made at the first start`)
    expect(await readdir(parent)).toEqual([])
  })

  test('an empty folder is good, its sync is timed, and it stays empty', async () => {
    await mkdir(folder)
    const findings = await examine({ JUNQI_MAX_CONNECTIONS: '10' })
    expect(findings.find(({ about }) => about === 'data folder')?.health).toBe('good')
    expect(findings.find(({ about }) => about === 'sync')?.says).toMatch(
      /^a write and sync takes \d+(\.\d\d)? ms as a rule, \d+(\.\d\d)? ms at most of 20$/,
    )
    expect(await readdir(folder)).toEqual([])
  })

  test('a folder with games is good, and left as it was', async () => {
    const store = await openStore()
    await store.append(requestOf(0))
    await store.close()
    const file = join(folder, 'junqi.mdb')
    const before = await readFile(file)
    expect((await findingOf('data folder')).says).toBe(`${folder} is free, and its data file opens`)
    expect((await readFile(file)).equals(before)).toBe(true)
    expect(await readdir(folder)).toEqual(['junqi.mdb', 'junqi.mdb-lock'])
  })

  test('a folder that the server at this port has is good, and the server is not disturbed', async () => {
    const store = await openStore()
    onTestFinished(() => store.close())
    const JUNQI_PORT = new URL((await startApp()).url).port
    expect(await findingOf('data folder', { JUNQI_PORT })).toMatchObject({
      health: 'good',
      says: expect.stringContaining(`in use by a server (process ${process.pid})`),
    })
    expect(await store.append(requestOf(0))).toMatchObject({ type: 'appended' })
  })

  test('a folder that another server has is wrong: none can be started on it', async () => {
    const store = await openStore()
    onTestFinished(() => store.close())
    expect(await findingOf('data folder')).toMatchObject({
      health: 'bad',
      says: expect.stringContaining(
        `(process ${process.pid}), which does not listen at JUNQI_PORT`,
      ),
    })
  })

  test('a data file that is damaged is wrong', async () => {
    const store = await openStore()
    await store.append(requestOf(0))
    await store.close()
    await truncate(join(folder, 'junqi.mdb'), 100)
    expect(await findingOf('data folder')).toMatchObject({
      health: 'bad',
      says: expect.stringMatching(/^The data file .*[^.]$/),
    })
  })

  test('a file in the place of the folder is wrong', async () => {
    await writeFile(folder, '')
    expect(await findingOf('data folder')).toMatchObject({
      health: 'bad',
      says: `${folder} is not a folder`,
    })
    expect(await findingOf('data folder', { JUNQI_DATA_DIR: join(folder, 'below') })).toMatchObject(
      { health: 'bad' },
    )
  })

  test('a folder that may not be written to is wrong, itself or the one in which it would be made', async () => {
    await mkdir(folder, { mode: 0o555 })
    await chmod(parent, 0o555)
    const root = process.geteuid?.() === 0
    if (root) process.seteuid?.(NOBODY)
    try {
      for (const JUNQI_DATA_DIR of [folder, join(parent, 'other')]) {
        expect(await findingOf('data folder', { JUNQI_DATA_DIR })).toMatchObject({
          health: 'bad',
          says: expect.stringContaining('cannot be written to by this user'),
          mend: expect.stringContaining('JUNQI_DATA_DIR'),
        })
      }
    } finally {
      if (root) process.seteuid?.(0)
      await chmod(parent, 0o755)
    }
  })

  test.each([
    [0, 'bad', 'only 0 MiB are free'],
    [63 * 2 ** 20, 'bad', 'only 63 MiB are free'],
    [500 * 2 ** 20, 'doubtful', 'only 500 MiB are free'],
    [5000 * 2 ** 20, 'good', '5000 MiB are free'],
  ])('a disk with %i free bytes is %s', (free, health, says) => {
    expect(judgeSpace(free)).toMatchObject({ health, says })
  })
})
