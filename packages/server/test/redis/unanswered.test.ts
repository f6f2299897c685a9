import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { FaultyLine } from '../../../../test/support/faulty-line.ts'
import { describeWithRedis, RedisServer, until } from '../../../../test/support/redis-server.ts'
import type { RedisStore } from '../../src/adapters/redis/open-redis-store.ts'
import { LogDamagedError, type Store, StoreUnavailableError } from '../../src/ports.ts'
import { commandIdOf, playerOf, requestOf, roomOf, seatsOf } from '../contract/requests.ts'
import { makeRedisPlace, QUICK, type RedisPlace, recovered } from './places.ts'

/** Every question and every order that a store takes. */
const CALLS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  append: (store) => store.append(requestOf(0)),
  read: (store) => store.read(roomOf(0), 0),
  version: (store) => store.version(roomOf(0)),
  accepted: (store) => store.accepted(roomOf(0), playerOf(0), commandIdOf(0)),
  due: (store) => store.due(0, 10),
  nextDeadline: (store) => store.nextDeadline(),
  lobby: (store) => store.lobby(10),
  remove: (store) => store.remove(roomOf(0)),
  markFailed: (store) => store.markFailed(roomOf(0)),
  isFailed: (store) => store.isFailed(roomOf(0)),
  outbox: (store) => store.outbox(10),
  settle: (store) => store.settle(roomOf(0)),
  saveDraft: (store) => store.saveDraft(roomOf(0), playerOf(0), commandIdOf(0), 'draft'),
  readDraft: (store) => store.readDraft(roomOf(0), playerOf(0)),
  acceptedDraft: (store) => store.acceptedDraft(roomOf(0), playerOf(0), commandIdOf(0)),
  createPlayer: (store) =>
    store.createPlayer({ id: playerOf(0), name: 'a', tokenHash: 'b', createdAt: 0 }),
  findPlayer: (store) => store.findPlayer(playerOf(0)),
  bots: (store) => store.bots(),
  take: (store) => store.take('rooms', 'a', { perSecond: 1, burst: 1 }),
  countRoom: (store) => store.countRoom(playerOf(0), roomOf(0), 1),
  uncountRoom: (store) => store.uncountRoom(playerOf(0), roomOf(0)),
  noteSeat: (store) => store.noteSeat(seatsOf(0), roomOf(0), 1, 9),
  notedSeats: (store) => store.notedSeats(seatsOf(0)),
  dropSeat: (store) => store.dropSeat(seatsOf(0), roomOf(0), 1),
  connectedElsewhere: (store) => store.connectedElsewhere([playerOf(0)]),
  secret: (store) => store.secret('a'),
  ping: (store) => store.ping(),
}

describeWithRedis('a Redis that does not answer', () => {
  let server: RedisServer
  let line: FaultyLine
  let place: RedisPlace
  /** Over the faulty line. */
  let store: RedisStore
  /** Not over it. */
  let witness: Store

  beforeAll(async () => {
    server = await RedisServer.start()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    line = await FaultyLine.to(server.port)
    place = makeRedisPlace(server.url)
    witness = await place.open()
    store = await place.openAt(`redis://127.0.0.1:${line.port}`, QUICK)
  })
  afterEach(async () => {
    await Promise.all([store.close(), witness.close()])
    await place.dispose()
    await line.close()
  })

  const append = (expectedVersion: number, data: string) =>
    store.append(requestOf(0, { expectedVersion, data }))
  const log = async (): Promise<string[]> =>
    (await witness.read(roomOf(0), 0)).map(({ data }) => data)

  test('F-C2: a write whose answer is lost has happened once, and is not sent again', async () => {
    await append(0, 'a')
    const lost = line.loseReply(/unanswered/)
    await expect(append(1, 'unanswered')).rejects.toThrow(StoreUnavailableError)
    await lost
    await recovered(store)
    expect(await log()).toEqual(['a', 'unanswered'])
    expect(await append(1, 'unanswered')).toEqual({ type: 'conflict', version: 2 })
  })

  test('F-C2: a command whose answer is lost is found when it is repeated', async () => {
    const command = { player: playerOf(0), id: commandIdOf(0) }
    const request = requestOf(0, { command })
    const lost = line.loseReply(/c-0/)
    await expect(store.append(request)).rejects.toThrow(StoreUnavailableError)
    await lost
    await recovered(store)
    expect(await store.append(request)).toEqual({ type: 'duplicate', version: 1 })
    expect(await store.accepted(roomOf(0), playerOf(0), commandIdOf(0))).toMatchObject({
      version: 1,
    })
  })

  test('F-C2: what was asked when there was no connection is never done', async () => {
    await append(0, 'a')
    await line.refuse()
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => append(1, `never ${n}`)),
    )
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
    await line.admit()
    await recovered(store)
    expect(await log()).toEqual(['a'])
    expect(await append(1, 'b')).toEqual({ type: 'appended', version: 2 })
  })

  test('F-C2: what was asked while a connection was being made is never done', async () => {
    await append(0, 'a')
    line.passage = { type: 'held' }
    line.cut()
    await until(() => store.clock.stands && line.size > 0)
    const outcome = Promise.allSettled([append(1, 'never')])
    line.passage = { type: 'open' }
    expect(await outcome).toMatchObject([{ status: 'rejected' }])
    await recovered(store)
    expect(await log()).toEqual(['a'])
  })

  test('F-C2: all that is under way when the connection breaks is rejected', async () => {
    await append(0, 'a')
    const held = line.holdReply(/held/)
    const calls = Array.from({ length: 20 }, () => append(1, 'held'))
    const settled = Promise.allSettled(calls)
    await held
    line.cut()
    for (const result of await settled) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: expect.any(StoreUnavailableError),
      })
    }
    await recovered(store)
    expect(await log()).toEqual(['a', 'held'])
  })

  test('F-C2: a line on which nothing arrives any more is given up for a new one', async () => {
    await append(0, 'a')
    line.passage = { type: 'swallowed' }
    await expect(append(1, 'lost')).rejects.toThrow(StoreUnavailableError)
    await until(() => store.clock.stands)
    line.passage = { type: 'open' }
    await recovered(store)
    expect(await log()).toEqual(['a'])
    expect(await append(1, 'b')).toEqual({ type: 'appended', version: 2 })
  })

  test('F-C2: a write that arrives late happens once, or not at all', async () => {
    await append(0, 'a')
    line.passage = { type: 'held' }
    await expect(append(1, 'late')).rejects.toThrow(StoreUnavailableError)
    await witness.append(requestOf(0, { expectedVersion: 1, data: 'meanwhile' }))
    line.passage = { type: 'open' }
    await recovered(store)
    expect(await log()).toEqual(['a', 'meanwhile'])
  })

  test.each(Object.keys(CALLS))('F-C2: %s settles, whatever Redis does', async (name) => {
    const call = CALLS[name] ?? (() => Promise.resolve())
    server.pause()
    try {
      await expect(call(store)).rejects.toThrow(StoreUnavailableError)
    } finally {
      server.resume()
    }
    await recovered(store)
    await call(store)
  })

  test('following, and telling who is connected, never fail', async () => {
    server.pause()
    try {
      store.setConnected(playerOf(0), true)
      await store.follow(roomOf(0))
      store.unfollow(roomOf(0))
    } finally {
      server.resume()
    }
    await until(async () => (await witness.connectedElsewhere([playerOf(0)])).size === 1)
  })

  test('while Redis is away the clock stands still, and it is told once', async () => {
    const told: string[] = []
    const other = await place.openAt(`redis://127.0.0.1:${line.port}`, QUICK, told)
    expect(told).toEqual([])
    await line.refuse()
    await until(() => other.clock.stands)
    const stood = other.clock.now()
    await expect(other.ping()).rejects.toThrow(StoreUnavailableError)
    await expect(other.ping()).rejects.toThrow(StoreUnavailableError)
    expect(other.clock.now()).toBe(stood)
    await line.admit()
    await until(() => !other.clock.stands)
    await other.close()
    expect(told).toEqual([
      expect.stringMatching(/^Redis \(127.0.0.1:\d+\) does not answer, .*\.$/),
      expect.stringMatching(/^Redis \(127.0.0.1:\d+\) answers again\.$/),
    ])
  })

  test.each([
    ['OOM', ['maxmemory', '1'], ['maxmemory', '0']],
    ['NOREPLICAS', ['min-replicas-to-write', '1'], ['min-replicas-to-write', '0']],
  ])('%s: nothing is written, and it goes on by itself afterwards', async (code, set, reset) => {
    await append(0, 'a')
    await server.command('CONFIG', 'SET', ...set)
    try {
      await expect(append(1, 'b')).rejects.toMatchObject({
        name: 'StoreUnavailableError',
        cause: expect.objectContaining({ message: expect.stringContaining(code) }),
      })
      await until(() => store.clock.stands)
    } finally {
      await server.command('CONFIG', 'SET', ...reset)
    }
    await recovered(store)
    expect(await log()).toEqual(['a'])
    expect(await append(1, 'b')).toEqual({ type: 'appended', version: 2 })
  })

  test('READONLY: of a master that became a replica nothing is asked any more', async () => {
    await append(0, 'a')
    await server.command('REPLICAOF', '127.0.0.1', '1')
    try {
      await expect(append(1, 'b')).rejects.toThrow(StoreUnavailableError)
    } finally {
      await server.command('REPLICAOF', 'NO', 'ONE')
    }
    await recovered(store)
    expect(await append(1, 'b')).toEqual({ type: 'appended', version: 2 })
  })

  test('a key that holds something else is a damaged log, now and later', async () => {
    await server.command('SET', await keyOf('log'), 'something else')
    await expect(store.read(roomOf(0), 0)).rejects.toThrow(LogDamagedError)
    await expect(append(0, 'a')).rejects.toThrow(LogDamagedError)
  })

  test('scripts that Redis has forgotten are run all the same', async () => {
    await append(0, 'a')
    await server.command('SCRIPT', 'FLUSH')
    expect(await append(1, 'b')).toEqual({ type: 'appended', version: 2 })
  })

  test('F-D2: a store that is closed leaves no connection, even where nobody answers', async () => {
    const before = line.size
    const other = await place.openAt(`redis://127.0.0.1:${line.port}`, QUICK)
    await other.follow(roomOf(0))
    expect(line.size).toBeGreaterThan(before)
    await other.close()
    await other.close()
    await until(() => line.size === before)
    await expect(other.version(roomOf(0))).rejects.toThrow(StoreUnavailableError)
    line.passage = { type: 'swallowed' }
    const sockets = countSockets()
    await store.close()
    expect(countSockets()).toBeLessThan(sockets)
  })

  async function keyOf(kind: string): Promise<string> {
    await append(0, 'a')
    const keys = await place.keys()
    await store.remove(roomOf(0))
    return keys.find((key) => key.includes(`:${kind}:`)) ?? ''
  }
})

const countSockets = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length
