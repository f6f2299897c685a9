import { afterEach, beforeEach, expect, test } from 'vitest'
import { FaultyLine } from '../../../../test/support/faulty-line.ts'
import { describeWithRedis, RedisServer, until } from '../../../../test/support/redis-server.ts'
import type { RedisStore } from '../../src/adapters/redis/open-redis-store.ts'
import type { AppendRequest, Store } from '../../src/ports.ts'
import { requestOf, roomOf } from '../contract/requests.ts'
import { Heard } from '../support/heard.ts'
import { makeRedisPlace, QUICK, type RedisPlace, recovered } from './places.ts'

const append = (store: Store, expectedVersion: number, change: Partial<AppendRequest> = {}) =>
  store.append(requestOf(0, { expectedVersion, ...change }))

describeWithRedis('a Redis that lost what it had acknowledged', () => {
  let server: RedisServer
  let place: RedisPlace
  let store: RedisStore
  let heard: Heard

  beforeEach(async () => {
    server = await RedisServer.start()
    place = makeRedisPlace(server.url)
    store = await place.open(QUICK)
    heard = new Heard()
    store.listen(heard)
    await store.follow(roomOf(0))
  })
  afterEach(async () => {
    await store.close()
    await server.stop()
  })

  test('F-C4: an entry that builds on a lost one is a conflict', async () => {
    await append(store, 0, { data: 'a' })
    await append(store, 1, { data: 'b' })
    await server.command('FLUSHALL')
    const next = { data: 'c', previous: 'b' }
    expect(await append(store, 2, next)).toEqual({ type: 'conflict', version: 0 })
    await append(store, 0, { data: 'a' })
    await append(store, 1, { data: 'B' })
    expect(await append(store, 2, next)).toEqual({ type: 'conflict', version: 2 })
    expect(await append(store, 2, { data: 'c', previous: 'B' })).toMatchObject({
      type: 'appended',
    })
  })

  test('F-C4: after a restart every copy is to be compared, once the store answers', async () => {
    await append(store, 0)
    await server.restart()
    await heard.first('storeReplaced')
    expect(await store.version(roomOf(0))).toBe(0)
    await append(store, 0)
  })

  test('F-C4: a break of the connection is enough', async () => {
    await append(store, 0)
    await server.command('CLIENT', 'KILL', 'TYPE', 'normal')
    await heard.first('storeReplaced')
    expect(await store.version(roomOf(0))).toBe(1)
  })

  test('F-C4: a Redis that is emptied and stays is noticed by every node', async () => {
    const other = await place.open(QUICK)
    const heardThere = new Heard()
    other.listen(heardThere)
    await server.command('FLUSHALL')
    await Promise.all([heard.first('storeReplaced'), heardThere.first('storeReplaced')])
    await other.close()
  })

  test('rooms are found by others again, and hints go on, after everything was lost', async () => {
    const other = await place.open(QUICK)
    await server.restart()
    await Promise.all([recovered(store), recovered(other)])
    await append(other, 0, { lobby: 'line', deadline: 3 })
    await heard.until(['roomChanged', roomOf(0), 1])
    expect(await store.lobby(1)).toEqual([{ room: roomOf(0), entry: 'line' }])
    expect(await store.due(3, 1)).toEqual([{ room: roomOf(0), deadline: 3 }])
    await other.close()
  })
})

describeWithRedis('a Redis that syncs before it answers', () => {
  test('F-C2: keeps what was acknowledged when it is killed', async () => {
    const server = await RedisServer.start({ appendonly: 'yes', appendfsync: 'always' })
    const place = makeRedisPlace(server.url)
    const store = await place.open(QUICK)
    for (let version = 0; version < 20; version++) {
      const change = { data: `entry ${version}`, deadline: version, lobby: `line ${version}` }
      await append(store, version, change)
    }
    await server.restart()
    await recovered(store)
    expect((await store.read(roomOf(0), 0)).map(({ data }) => data)).toEqual(
      Array.from({ length: 20 }, (_, n) => `entry ${n}`),
    )
    expect(await store.nextDeadline()).toBe(19)
    expect(await store.lobby(1)).toEqual([{ room: roomOf(0), entry: 'line 19' }])
    await store.close()
    await server.stop()
  })
})

describeWithRedis('a Redis that sentinels look after', () => {
  test('F-C4: the new master is found, and what it never got is a conflict', async () => {
    const master = await RedisServer.start()
    const line = await FaultyLine.to(master.port)
    const replica = await RedisServer.start({ replicaof: `127.0.0.1 ${line.port}` })
    await until(async () =>
      String(await master.command('INFO', 'replication')).includes('state=online'),
    )
    const sentinel = await RedisServer.startSentinel('main', master)
    await until(async () =>
      String(await sentinel.command('SENTINEL', 'REPLICAS', 'main')).includes(
        'master-link-status,ok',
      ),
    )
    const url = `redis-sentinel://127.0.0.1:${sentinel.port}/main`
    const place = makeRedisPlace(url)
    const store = await place.open(QUICK)
    const heard = new Heard()
    store.listen(heard)
    try {
      await append(store, 0, { data: 'kept' })
      await master.command('WAIT', 1, 0)
      const before = store.clock.now()
      line.passage = { type: 'swallowed' }
      await append(store, 1, { data: 'lost', previous: 'kept' })
      await master.kill()
      await line.close()
      await heard.first('storeReplaced')
      expect(await append(store, 2, { data: 'next', previous: 'lost' })).toEqual({
        type: 'conflict',
        version: 1,
      })
      expect(await append(store, 1, { data: 'other', previous: 'kept' })).toEqual({
        type: 'appended',
        version: 2,
      })
      expect(store.clock.now()).toBeGreaterThanOrEqual(before)
    } finally {
      await store.close()
      await Promise.all([sentinel.stop(), replica.stop(), master.stop()])
    }
  })
})
