import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeWithRedis, RedisServer, until } from '../../../../test/support/redis-server.ts'
import { makeRedisPlace, QUICK, type RedisPlace } from './places.ts'

const HOUR = 3_600_000
/** Less than any outage here, and more than any pause between steps of a test, or difference between two nodes. */
const MINUTE = 60_000

describeWithRedis('service time', () => {
  let server: RedisServer
  let place: RedisPlace

  beforeAll(async () => {
    server = await RedisServer.start({ appendonly: 'yes', appendfsync: 'always' })
  })
  afterAll(() => server.stop())
  beforeEach(() => {
    place = makeRedisPlace(server.url)
  })
  afterEach(() => place.dispose())

  const timeKey = (): string => `{${place.prefix}:meta}:time`
  const recorded = async (field: string): Promise<number> =>
    Number(await server.command('HGET', timeKey(), field))
  /** As if Redis's clock had gone on by so much since the last beat of all. */
  const passWithoutBeat = async (by: number): Promise<void> => {
    await server.command('HINCRBY', timeKey(), 'beat', -by)
    await server.command('HINCRBY', timeKey(), 'downtime', -by)
  }
  /** What a node says that opens now, once it has had another beat. */
  const timeOfNewNode = async (): Promise<number> => {
    const store = await place.open(QUICK)
    await store.ping()
    const now = store.clock.now()
    await store.close()
    return now
  }

  test('F-T4: is given back the time in which no node had a beat', async () => {
    const before = await timeOfNewNode()
    await passWithoutBeat(HOUR)
    const after = await timeOfNewNode()
    expect(after).toBeGreaterThan(before - MINUTE)
    expect(after).toBeLessThan(before + MINUTE)
  })

  test('F-T4: goes on with what was given back before', async () => {
    const before = await timeOfNewNode()
    for (let outage = 0; outage < 3; outage++) {
      await passWithoutBeat(HOUR)
      await timeOfNewNode()
    }
    expect(await timeOfNewNode()).toBeLessThan(before + MINUTE)
  })

  test('runs while any node has its beats: nothing is given back for one that ends', async () => {
    const [one, two] = await Promise.all([place.open(QUICK), place.open(QUICK)])
    await one.close()
    const start = two.clock.now()
    await until(() => two.clock.now() > start + 500)
    await two.close()
    expect(await recorded('downtime')).toBe(0)
  })

  test('F-T3: does not follow Redis’s clock when that is set forward or back', async () => {
    const before = await timeOfNewNode()
    await passWithoutBeat(HOUR)
    const forward = await timeOfNewNode()
    await passWithoutBeat(-HOUR)
    const back = await timeOfNewNode()
    for (const time of [forward, back]) {
      expect(time).toBeGreaterThan(before - MINUTE)
      expect(time).toBeLessThan(before + MINUTE)
    }
  })

  test('F-T4: stands still while Redis is killed, and none of it is charged', async () => {
    const store = await place.open({ ...QUICK, gap: 150 })
    await server.kill()
    const killed = performance.now()
    await until(() => store.clock.stands && performance.now() > killed + 200)
    const stood = store.clock.now()
    await server.restart()
    expect(store.clock.now()).toBe(stood)
    await until(() => !store.clock.stands)
    expect(await recorded('downtime')).toBeGreaterThan(150)
    await store.close()
  })

  test('F-T4: stands still while Redis hangs, within the leash', async () => {
    const store = await place.open(QUICK)
    server.pause()
    try {
      const before = store.clock.now()
      await until(() => store.clock.stands)
      const stood = store.clock.now()
      expect(stood).toBeLessThanOrEqual(before + (QUICK.leash ?? 0))
      await expect(store.ping()).rejects.toThrow()
      expect(store.clock.now()).toBe(stood)
    } finally {
      server.resume()
    }
    await until(() => !store.clock.stands)
    await store.close()
  })

  test('wakes whoever waits for it', async () => {
    const store = await place.open(QUICK)
    const at = store.clock.now() + 300
    const woken = await new Promise<number>((resolve) => {
      store.clock.schedule(at, () => resolve(store.clock.now()))
    })
    expect(woken).toBeGreaterThanOrEqual(at)
    await store.close()
  })
})
