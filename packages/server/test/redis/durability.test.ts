import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  describeWithRedis,
  RedisServer,
  type Settings,
} from '../../../../test/support/redis-server.ts'
import type { Durability } from '../../src/adapters/redis/open-redis-store.ts'
import { makeRedisPlace } from './places.ts'

const DURABLE: Settings = {
  appendonly: 'yes',
  appendfsync: 'always',
  'no-appendfsync-on-rewrite': 'no',
  'maxmemory-policy': 'noeviction',
}

describeWithRedis('what Redis promises', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await RedisServer.start()
  })
  afterAll(() => server.stop())

  async function durability(url = server.url): Promise<Durability> {
    const store = await makeRedisPlace(url).open()
    try {
      return await store.durability()
    } finally {
      await store.close()
    }
  }
  async function set(settings: Settings): Promise<void> {
    for (const [name, value] of Object.entries(settings)) {
      await server.command('CONFIG', 'SET', name, value)
    }
  }
  beforeEach(() => set(DURABLE))

  test('F-C5: nothing is lost where every write is synced before it is answered', async () => {
    expect(await durability()).toEqual({
      isDurable: true,
      promise: 'no acknowledged move is lost when Redis or its machine stops',
      problems: [],
    })
  })

  test('what is evicted by its expiry alone is none of the games', async () => {
    await set({ 'maxmemory-policy': 'volatile-lru' })
    expect(await durability()).toMatchObject({ isDurable: true, problems: [] })
  })

  describe.each([
    [{ appendonly: 'no' }, /since the last snapshot/, [/^appendonly is "no": set it to "yes"/]],
    [
      { appendfsync: 'everysec' },
      /of the last two seconds/,
      [/^appendfsync is "everysec": set it to "always"/],
    ],
    [{ appendfsync: 'no' }, /the last half minute/, [/^appendfsync is "no": set it to "always"/]],
    [
      { 'no-appendfsync-on-rewrite': 'yes' },
      /the last half minute/,
      [/^no-appendfsync-on-rewrite is "yes": set it to "no"/],
    ],
    [
      { 'maxmemory-policy': 'allkeys-lru' },
      /whole games/,
      [/^maxmemory-policy is "allkeys-lru": set it to "noeviction"/],
    ],
    [
      { 'maxmemory-policy': 'allkeys-random', appendfsync: 'everysec' },
      /whole games/,
      [/^maxmemory-policy/, /^appendfsync/],
    ],
  ])('F-C5: %j', (settings, promise, problems) => {
    test('is weaker, and says what to set', async () => {
      await set(settings)
      const found = await durability()
      expect(found.isDurable).toBe(false)
      expect(found.promise).toMatch(promise)
      expect(found.problems).toHaveLength(problems.length)
      problems.forEach((problem, n) => {
        expect(found.problems[n]).toMatch(problem)
      })
    })
  })

  test('F-C5: what Redis does not let be read is not relied on', async () => {
    const rules = ['on', '>secret', '~*', '&*', '+@all', '-config']
    await server.command('ACL', 'SETUSER', 'guest', ...rules)
    const found = await durability(`redis://guest:secret@127.0.0.1:${server.port}`)
    expect(found.isDurable).toBe(false)
    expect(found.promise).toMatch(/unknown/)
    expect(found.problems).toEqual([expect.stringMatching(/CONFIG GET/)])
  })

  test('F-C4: what a failover can lose is said where there can be one', async () => {
    const sentinel = await RedisServer.startSentinel('main', server)
    const found = await durability(`redis-sentinel://127.0.0.1:${sentinel.port}/main`)
    expect(found).toMatchObject({ isDurable: true, promise: expect.stringMatching(/failover/) })
    await sentinel.stop()
  })
})
