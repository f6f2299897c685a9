import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  describeWithRedis,
  RedisCluster,
  RedisServer,
} from '../../../../test/support/redis-server.ts'
import { ended } from '../../src/adapters/redis/ended.ts'
import { openRedisStore } from '../../src/adapters/redis/open-redis-store.ts'
import { StoreOpenError } from '../../src/adapters/store-open-error.ts'
import { systemRng } from '../../src/adapters/system-rng.ts'
import { commandIdOf, playerOf, requestOf, roomOf } from '../contract/requests.ts'
import { Heard } from '../support/heard.ts'
import { makeRedisPlace, QUICK, targetOf } from './places.ts'

describeWithRedis('opening a Redis store', () => {
  let server: RedisServer
  let cluster: RedisCluster
  const listeners: Server[] = []

  beforeAll(async () => {
    ;[server, cluster] = await Promise.all([
      RedisServer.start({ requirepass: 'the-password' }),
      RedisCluster.start(),
    ])
  })
  afterAll(() => Promise.all([server.stop(), cluster.stop()]))
  afterEach(() => {
    for (const listener of listeners.splice(0)) listener.close()
  })

  /** What is said when it does not open. */
  async function refusal(url: string): Promise<string> {
    const timing = { ...QUICK, open: 1_000 }
    const target = targetOf(url)
    const opening = openRedisStore({ target, prefix: 'test-open', rng: systemRng, timing })
    const failure: unknown = await opening.then(
      (store) => store.close(),
      (error: unknown) => error,
    )
    if (!(failure instanceof StoreOpenError)) throw new Error(`not refused: ${failure}`)
    return failure.message
  }

  /** A server that is not Redis, or an odd one. */
  async function pretend(converse: (socket: Socket) => void): Promise<string> {
    const listener = createServer(converse).listen(0, '127.0.0.1')
    listeners.push(listener)
    await once(listener, 'listening')
    const address = listener.address()
    return `redis://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  }

  const withLogin = (login: string, path = ''): string =>
    `redis://${login}127.0.0.1:${server.port}${path}`

  test('opens with the right password', async () => {
    const place = makeRedisPlace(withLogin(':the-password@'))
    const store = await place.open()
    await store.append(requestOf(0))
    await store.close()
  })

  test.each([
    ['publish', ['resetchannels']],
    ['ask who listens', ['allchannels', '-pubsub']],
  ])('F-C5: a user that may not %s is found out, not left without hints', async (_, rules) => {
    const admin = new Redis(withLogin(':the-password@'))
    const basis = ['reset', 'on', '>secret', 'allkeys', '+@all']
    await admin.acl('SETUSER', 'limited', ...basis, ...rules)
    admin.disconnect()
    expect(await refusal(withLogin('limited:secret@'))).toMatch(
      /does not allow its user what the server needs: .* keys and channels/,
    )
  })

  test('F-C5: an address where nobody listens is said to be one', async () => {
    expect(await refusal('redis://127.0.0.1:1')).toMatch(
      /^Redis \(127\.0\.0\.1:1\) cannot be reached: nothing listens there; .*JUNQI_REDIS_URL.*ECONNREFUSED/,
    )
    expect(await refusal('redis-cluster://127.0.0.1:1')).toMatch(/see that it runs there/)
    expect(await refusal('redis-sentinel://127.0.0.1:1/main')).toMatch(/none of its sentinels/)
  })

  test('F-C5: a host that does not exist is said to be one', async () => {
    expect(await refusal('redis://nowhere.invalid')).toMatch(/there is no such host/)
  })

  test('F-C5: a wrong login is refused, and none of it is repeated', async () => {
    for (const login of [':wrong-secret@', 'nobody:wrong-secret@', '']) {
      const sentence = await refusal(withLogin(login))
      expect(sentence).toMatch(/refuses the login/)
      expect(sentence).not.toMatch(/secret|the-password/)
    }
  })

  test('F-C5: a database that Redis does not have is not silently another one', async () => {
    expect(await refusal(withLogin(':the-password@', '/99'))).toMatch(/has no such database/)
  })

  test('F-C5: the databases of one Redis are apart', async () => {
    const [one, two] = await Promise.all(
      ['/1', '/2'].map((path) =>
        openRedisStore({
          target: targetOf(withLogin(':the-password@', path)),
          prefix: 'test-open',
          rng: systemRng,
        }),
      ),
    )
    await one?.append(requestOf(0))
    expect(await two?.version(roomOf(0))).toBe(0)
    await Promise.all([one?.close(), two?.close()])
  })

  test('F-C5: another kind of Redis than the URL says is refused with the URL to write', async () => {
    const node = `redis://127.0.0.1:${cluster.masters[0]?.port}`
    expect(await refusal(node)).toMatch(/is a node of a cluster: write redis-cluster:\/\//)
    const single = await RedisServer.start()
    expect(await refusal(`redis-cluster://127.0.0.1:${single.port}`)).toMatch(
      /is no cluster: write redis:\/\//,
    )
    const sentinel = await RedisServer.startSentinel('main', single)
    expect(await refusal(`redis://127.0.0.1:${sentinel.port}`)).toMatch(
      /is a sentinel: write redis-sentinel:\/\//,
    )
    expect(await refusal(`redis-sentinel://127.0.0.1:${sentinel.port}/other`)).toMatch(
      /^Redis \(other of the sentinels .*\) is not known to its sentinels/,
    )
    const replica = await RedisServer.start({ replicaof: `127.0.0.1 ${single.port}` })
    expect(await refusal(`redis://127.0.0.1:${replica.port}`)).toMatch(
      new RegExp(`is a replica, .*write its master, 127.0.0.1:${single.port}`),
    )
    await Promise.all([single.stop(), sentinel.stop(), replica.stop()])
  })

  test('an older Redis is refused', async () => {
    const info = '# Server\r\nredis_version:6.2.14\r\nredis_mode:standalone\r\n'
    const url = await pretend((socket) => {
      socket.on('data', (data) => {
        const commands = String(data).match(/\*\d+\r\n/g) ?? []
        for (const _ of commands) socket.write(`$${info.length}\r\n${info}\r\n`)
      })
    })
    expect(await refusal(url)).toMatch(/is of version 6\.2\.14: run 7\.0 or later/)
  })

  test('what does not speak Redis’s language, or not at all, is refused in time', async () => {
    const web = await pretend((socket) =>
      socket.on('data', () => socket.end('HTTP/1.1 400\r\n\r\n')),
    )
    expect(await refusal(web)).toMatch(/^Redis \(127/)
    const silent = await pretend(() => {})
    expect(await refusal(silent)).toMatch(/does not answer/)
    const silentToTls = silent.replace('redis:', 'rediss:')
    expect(await refusal(silentToTls)).toMatch(/does not answer: .* that it speaks TLS/)
    const rude = await pretend((socket) => socket.destroy())
    expect(await refusal(rude)).toMatch(/does not take the connection/)
  })

  test('data of another version of this server are left alone', async () => {
    const place = makeRedisPlace(withLogin(':the-password@'))
    const store = await place.open()
    await store.close()
    const format = `{${place.prefix}:meta}:format`
    const other = await RedisServer.start()
    await other.command('SET', format, '2')
    await expect(place.openAt(other.url, QUICK)).rejects.toThrow(/another version of this server/)
    expect(await other.command('GET', format)).toBe('2')
    await other.stop()
  })

  test('a password that Redis does not ask for does no harm', async () => {
    const open = await RedisServer.start()
    const place = makeRedisPlace(`redis://:needless@127.0.0.1:${open.port}`)
    const [one, two] = await Promise.all([place.open(), place.open()])
    const heard = new Heard()
    two.listen(heard)
    await two.follow(roomOf(0))
    await one.saveDraft(roomOf(0), playerOf(0), commandIdOf(0), 'draft')
    await heard.until(['draftSaved', roomOf(0), playerOf(0)])
    await Promise.all([one.close(), two.close()])
    await open.stop()
  })

  test('a store that is not opened leaves no connection', async () => {
    const sockets = new Set<Socket>()
    const silent = await pretend((socket) => sockets.add(socket.resume()))
    await refusal(silent)
    await Promise.all([...sockets].map(ended))
  })
})
