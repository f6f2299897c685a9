import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  DURABLE,
  describeWithRedis,
  RedisCluster,
  type RedisServer,
  until,
} from '../../../../test/support/redis-server.ts'
import type { RedisStore } from '../../src/adapters/redis/open-redis-store.ts'
import { type RoomId, StoreUnavailableError } from '../../src/ports.ts'
import { commandIdOf, playerOf, requestOf, roomOf } from '../contract/requests.ts'
import { Heard } from '../support/heard.ts'
import { makeRedisPlace, QUICK, type RedisPlace, recovered } from './places.ts'

/** Enough for every master to have some. */
const ROOMS = Array.from({ length: 30 }, (_, n) => n)

describeWithRedis('a cluster', () => {
  let cluster: RedisCluster
  let place: RedisPlace
  let one: RedisStore
  let two: RedisStore
  let heard: Heard

  beforeEach(async () => {
    cluster = await RedisCluster.start(DURABLE)
    place = makeRedisPlace(cluster.url)
    ;[one, two] = await Promise.all([place.open(QUICK), place.open({ ...QUICK, look: 3_600_000 })])
    heard = new Heard()
    two.listen(heard)
    await Promise.all(ROOMS.map((n) => two.follow(roomOf(n))))
    await appendToAll(0)
    await hinted(1)
    heard.all.length = 0
  })
  afterEach(async () => {
    await Promise.all([one.close(), two.close()])
    await cluster.stop()
  })

  const append = (n: number, expectedVersion: number) =>
    one.append(requestOf(n, { expectedVersion, deadline: n, lobby: `line ${n}` }))
  const appendToAll = async (expectedVersion: number): Promise<void> => {
    const results = await Promise.all(ROOMS.map((n) => append(n, expectedVersion)))
    expect(results.every(({ type }) => type === 'appended')).toBe(true)
  }
  /** Each room's version was published, and has come: nobody looks. */
  const hinted = (version: number): Promise<void> =>
    heard.until(...ROOMS.map((n) => ['roomChanged', roomOf(n), version] as const))
  const keySlot = async (room: RoomId): Promise<number> => {
    const log = (await place.keys()).find((key) => key.endsWith(`:log:${room}`)) ?? ''
    return Number(await cluster.masters[0]?.command('CLUSTER', 'KEYSLOT', log))
  }
  const masterOf = async (slot: number): Promise<RedisServer> => {
    const ranges = [5_460, 10_921, 16_383]
    const master = cluster.masters[ranges.findIndex((last) => slot <= last)]
    if (master === undefined) throw new Error('no master')
    return master
  }

  test('F-T4: while one master is away nothing of it is written, and time stands still for all', async () => {
    const lost = await masterOf(await keySlot(roomOf(0)))
    await lost.kill()
    await expect(append(0, 1)).rejects.toThrow(StoreUnavailableError)
    await expect(one.read(roomOf(0), 0)).rejects.toThrow(StoreUnavailableError)
    await expect(one.due(100, 100)).rejects.toThrow(StoreUnavailableError)
    await until(() => one.clock.stands)
    await lost.restart()
    await Promise.all([recovered(one), recovered(two)])
    await until(() => heard.all.some(([kind]) => kind === 'storeReplaced'))
    expect(await one.due(100, 100)).toHaveLength(ROOMS.length)
    await appendToAll(1)
  })

  test('F-C2: of a cluster that was away whole everything goes on by itself', async () => {
    await Promise.all(cluster.masters.map((master) => master.kill()))
    await until(() => one.clock.stands && two.clock.stands)
    await expect(append(0, 1)).rejects.toThrow(StoreUnavailableError)
    await Promise.all(cluster.masters.map((master) => master.restart()))
    await Promise.all([recovered(one), recovered(two)])
    await appendToAll(1)
    await untilHinted(0)
  })

  test('F-C3: hints go on after a replica has taken a master’s place', async () => {
    const slot = await keySlot(roomOf(0))
    const replica = await cluster.addReplica(await masterOf(slot))
    await until(async () => (await replica.command('CLUSTER', 'FAILOVER').catch(() => '')) === 'OK')
    await until(async () => String(await replica.command('ROLE')).startsWith('master'))
    await appendSteadily(0)
    await heard.first('storeReplaced')
    await untilHinted(0)
  })

  test('F-C3: hints go on after a slot was moved to another master', async () => {
    const slot = await keySlot(roomOf(0))
    const from = await masterOf(slot)
    const to = cluster.masters.find((master) => master !== from)
    if (to === undefined) throw new Error('no other master')
    await moveSlot(slot, from, to)
    await appendSteadily(0)
    await heard.first('storeReplaced')
    await untilHinted(0)
    expect(await one.version(roomOf(0))).toBeGreaterThan(1)
    expect(await one.accepted(roomOf(0), playerOf(0), commandIdOf(0))).toBe(null)
    expect((await one.lobby(100)).map(({ room }) => room)).toContain(roomOf(0))
  })

  /** Moves a slot with all its keys. */
  async function moveSlot(slot: number, from: RedisServer, to: RedisServer): Promise<void> {
    const [source, target] = await Promise.all(
      [from, to].map(async (server) => String(await server.command('CLUSTER', 'MYID'))),
    )
    await to.command('CLUSTER', 'SETSLOT', slot, 'IMPORTING', source ?? '')
    await from.command('CLUSTER', 'SETSLOT', slot, 'MIGRATING', target ?? '')
    const keys = (await from.command('CLUSTER', 'GETKEYSINSLOT', slot, 1_000)) as string[]
    await from.command('MIGRATE', '127.0.0.1', to.port, '', 0, 5_000, 'KEYS', ...keys)
    await to.command('CLUSTER', 'SETSLOT', slot, 'NODE', target ?? '')
    await from.command('CLUSTER', 'SETSLOT', slot, 'NODE', target ?? '')
  }

  /** Until an append goes through. */
  async function appendSteadily(n: number): Promise<void> {
    await until(async () => {
      const version = await one.version(roomOf(n)).catch(() => null)
      if (version === null) return false
      const result = await append(n, version).catch(() => null)
      return result?.type === 'appended'
    })
  }

  /** Until an append of now is hinted: the channel may only just be listened to at its new place. */
  async function untilHinted(n: number): Promise<void> {
    await until(async () => {
      await appendSteadily(n)
      return heard.all.some(([kind, room]) => kind === 'roomChanged' && room === roomOf(n))
    })
  }
})
