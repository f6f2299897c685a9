import { formationsOf, gamesOf } from '@junqi/client'
import { type Guest, httpError } from '@junqi/protocol'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { DURABLE, describeWithRedis, RedisServer } from '../../../../test/support/redis-server.ts'
import { begin, FORMATION, gather, type Party } from '../support/party.ts'
import { makeFolder, startProcess, stopProcesses } from '../support/server-process.ts'
import { command } from '../support/socket-table.ts'

afterEach(stopProcesses)

const PATIENCE = { timeout: 60_000, interval: 20 }

const gamesAt = (url: string, guest: Guest | undefined, share?: string) =>
  gamesOf({ url, token: guest?.token ?? null, ...(share !== undefined && { share }) })

async function leave({ clients }: Party, room: string): Promise<void> {
  if (clients[0] !== undefined) await command(clients[0], { type: 'leave', room })
}

/** Until the game stands in the list. */
async function listed(url: string, guest: Guest | undefined, room: string): Promise<void> {
  const query = guest === undefined ? {} : { player: guest.id }
  await vi.waitUntil(async () => {
    const page = await gamesAt(url, guest).list(query)
    return page.ok && page.value.games.some((game) => game.room === room)
  }, PATIENCE)
}

describe('over LMDB', () => {
  test('what has ended is archived, also if the process is killed as it ends', async () => {
    const env = { JUNQI_DATA_DIR: makeFolder() }
    const first = await startProcess(env)
    const party = await gather(first.url, ['Ann', 'Bob'])
    const [ann, bob] = party.guests
    const archived = await begin(party)
    await leave(party, archived)
    await listed(first.url, undefined, archived)
    const record = await gamesAt(first.url, undefined).record(archived)
    const secret = await begin(party, { private: true })
    const running = await begin(party)
    const formations = formationsOf({ url: first.url, token: ann?.token ?? null })
    expect((await formations.put('阵', FORMATION)).ok).toBe(true)
    await leave(party, secret)
    first.child.kill('SIGKILL')
    await first.exited

    const { url } = await startProcess(env)
    await listed(url, bob, secret)
    expect(await gamesAt(url, undefined).record(archived)).toEqual(record)
    expect(await gamesAt(url, undefined).list()).toMatchObject({
      value: { games: [{ room: archived }], next: null },
    })
    expect(await gamesAt(url, undefined).get(running)).toMatchObject({
      error: { code: 'room_not_found' },
    })
    expect(await formationsOf({ url, token: ann?.token ?? null }).list()).toMatchObject({
      value: { formations: [{ name: '阵', formation: FORMATION }], last: { duel: FORMATION } },
    })
  })
})

describeWithRedis('over two nodes of one Redis', () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await RedisServer.start(DURABLE)
  })
  afterAll(() => redis.stop())

  test('what ended at one node is listed, read and shared at the other, the first one killed or not', async () => {
    const env = { JUNQI_STORE: 'redis', JUNQI_REDIS_URL: redis.url }
    const [one, other] = [await startProcess(env), await startProcess(env)]
    const party = await gather(one.url, ['Ann', 'Bob'])
    const [ann, bob] = party.guests
    const room = await begin(party)
    await leave(party, room)
    await listed(other.url, undefined, room)
    const secret = await begin(party, { private: true })
    const kept = formationsOf({ url: one.url, token: ann?.token ?? null })
    await kept.put('阵', FORMATION)
    await leave(party, secret)
    const shared = await gamesAt(one.url, ann).share(secret)
    one.child.kill('SIGKILL')
    await one.exited

    await listed(other.url, bob, secret)
    const { url } = other
    expect(await gamesAt(url, undefined).record(room)).toMatchObject({
      value: { actions: ['leave south'], result: { winners: ['north'], reason: 'left' } },
    })
    expect(await gamesAt(url, undefined).position(room, 0, 'north')).toMatchObject({
      value: { n: 0, last: 1 },
    })
    const hidden = await fetch(`${url}/v1/games/${secret}/record`)
    expect(httpError.parse(await hidden.json()).error.code).toBe('room_not_found')
    const share = shared.ok ? (shared.value.share ?? '') : ''
    expect(await gamesAt(url, undefined, share).get(secret)).toMatchObject({
      value: { room: secret, private: true },
    })
    expect(await formationsOf({ url, token: ann?.token ?? null }).list()).toMatchObject({
      value: { formations: [{ name: '阵', formation: FORMATION }], last: { duel: FORMATION } },
    })
  })
})
