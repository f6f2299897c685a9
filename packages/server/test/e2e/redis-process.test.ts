import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  DURABLE,
  describeWithRedis,
  RedisServer,
  type Settings,
} from '../../../../test/support/redis-server.ts'
import { failToStart, startProcess, stopProcesses } from '../support/server-process.ts'
import { eventually, makeGuest, TestClient } from '../support/test-app.ts'

afterEach(stopProcesses)

const lines = (log: string): readonly Readonly<Record<string, unknown>>[] =>
  log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describeWithRedis('a server over Redis', () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await RedisServer.start(DURABLE)
  })
  afterAll(() => redis.stop())

  const env = (more: Settings = {}) => ({
    JUNQI_STORE: 'redis',
    JUNQI_REDIS_URL: redis.url,
    ...more,
  })

  describe('says in one log line what is promised', () => {
    afterEach(() => redis.command('CONFIG', 'SET', 'appendfsync', 'always'))

    test('where nothing acknowledged can be lost', async () => {
      const server = await startProcess(env({ JUNQI_REQUIRE_DURABLE: 'true' }))
      expect(lines(server.log()).filter(({ durable }) => durable !== undefined)).toMatchObject([
        { level: 30, redis: `127.0.0.1:${redis.port}`, durable: true },
      ])
    })

    test('where something can, with what to set; and F-C5: it refuses to start where that is not allowed', async () => {
      await redis.command('CONFIG', 'SET', 'appendfsync', 'everysec')
      const server = await startProcess(env())
      const [line, ...more] = lines(server.log()).filter(({ durable }) => durable !== undefined)
      expect(line).toMatchObject({ level: 40, durable: false })
      expect(String(line?.problems)).toContain('"always"')
      expect(more).toEqual([])
      const { code, stderr } = await failToStart(env({ JUNQI_REQUIRE_DURABLE: 'true' }))
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          /^junqi: JUNQI_REQUIRE_DURABLE is true, but with Redis at 127\.0\.0\.1:\d+ .* can be lost .*: .* set it to "always", .*\.\n$/,
        ),
      ])
    })
  })

  test('F-C4: when Redis is back it says anew what is promised, for it may be another one', async () => {
    const server = await startProcess(env())
    await redis.command('CONFIG', 'SET', 'appendfsync', 'no')
    await redis.command('CLIENT', 'KILL', 'TYPE', 'normal')
    await eventually(() => server.log().includes('"durable":false'))
    await redis.command('CONFIG', 'SET', 'appendfsync', 'always')
  })

  test('a Redis that is not there: one sentence, exit 1', async () => {
    const gone = await RedisServer.start()
    await gone.stop()
    const { code, stderr } = await failToStart(env({ JUNQI_REDIS_URL: gone.url }))
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^junqi: Redis \(127\.0\.0\.1:\d+\) cannot be reached: .*\.\n$/),
    ])
  })

  test('a Redis that does not answer: one sentence, exit 1', async () => {
    redis.pause()
    try {
      const { code, stderr } = await failToStart(env())
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^junqi: Redis \(.*\.\n$/)])
    } finally {
      redis.resume()
    }
  })

  test('the password is in no sentence and no log line', async () => {
    await redis.command('ACL', 'SETUSER', 'junqi', 'on', '>tops3cret', '~*', '&*', '+@all')
    const withLogin = (password: string) =>
      env({
        JUNQI_REDIS_URL: redis.url.replace('redis://', `redis://junqi:${password}@`),
        JUNQI_LOG_LEVEL: 'trace',
      })
    const refused = await failToStart(withLogin('wr0ngone'))
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('login')])
    expect(refused.stderr + refused.stdout).not.toContain('wr0ngone')

    const server = await startProcess(withLogin('tops3cret'))
    await redis.command('CLIENT', 'KILL', 'TYPE', 'normal')
    await eventually(() => server.log().includes('answers again'))
    server.child.kill('SIGTERM')
    expect(await server.exited).toBe(0)
    expect(server.log()).not.toContain('tops3cret')
  })

  test('while Redis is away it is alive, not ready, and says so; when it is back it is ready by itself', async () => {
    const server = await startProcess(env())
    const statuses = async () => [
      (await fetch(`${server.url}/healthz`)).status,
      (await fetch(`${server.url}/readyz`)).status,
    ]
    expect(await statuses()).toEqual([200, 200])
    await redis.kill()
    expect(await statuses()).toEqual([200, 503])
    await redis.restart()
    await eventually(() => server.log().includes('answers again'))
    expect(await statuses()).toEqual([200, 200])
    expect(lines(server.log()).map(({ msg }) => msg)).toContainEqual(
      expect.stringMatching(/^Redis \(.*\) does not answer/),
    )
  })

  test('while the memory of Redis is full nothing is accepted, and afterwards it is', async () => {
    const server = await startProcess(env())
    const client = await TestClient.hello(server.url, (await makeGuest(server.url)).token)
    const make = (id: string) => {
      client.send({ type: 'createRoom', id, preset: 'duel', options: {}, private: false })
      return client.reply(id)
    }
    await redis.command('CONFIG', 'SET', 'maxmemory', '1mb')
    expect(await make('a')).toMatchObject({ type: 'error', code: 'unavailable', retryable: true })
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
    await redis.command('CONFIG', 'SET', 'maxmemory', '0')
    await vi.waitUntil(async () => (await fetch(`${server.url}/readyz`)).ok, 30_000)
    expect(await make('b')).toMatchObject({ type: 'ack' })
  })

  test('F-D2: a stop ends although Redis does not answer and a client does not read', async () => {
    const server = await startProcess(env())
    const { token } = await makeGuest(server.url)
    const client = await TestClient.hello(server.url, token)
    client.send({ type: 'createRoom', id: 'a', preset: 'duel', options: {}, private: false })
    await client.reply('a')
    redis.pause()
    try {
      client.send({ type: 'createRoom', id: 'b', preset: 'duel', options: {}, private: false })
      client.socket.pause()
      server.child.kill('SIGTERM')
      expect(await server.exited).toBe(0)
    } finally {
      redis.resume()
    }
  })

  test('F-D1: who is sent away by one node is known at the other', async () => {
    const [one, other] = [await startProcess(env()), await startProcess(env())]
    const { id, token } = await makeGuest(one.url)
    const client = await TestClient.hello(one.url, token)
    one.child.kill('SIGTERM')
    expect((await client.closed).code).toBe(1012)
    const again = await TestClient.hello(other.url, token)
    expect(await again.reply('hello')).toMatchObject({ player: { id } })
    expect(await one.exited).toBe(0)
  })
})
