import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { FaultyLine } from '../../../../test/support/faulty-line.ts'
import { describeWithRedis, RedisServer, until } from '../../../../test/support/redis-server.ts'
import type { RedisStore } from '../../src/adapters/redis/open-redis-store.ts'
import { commandIdOf, playerOf, requestOf, roomOf } from '../contract/requests.ts'
import { Heard } from '../support/heard.ts'
import { makeRedisPlace, QUICK, type RedisPlace } from './places.ts'

/** Longer than any test. */
const NEVER = 3_600_000

describeWithRedis('hints', () => {
  let server: RedisServer
  let place: RedisPlace
  let one: RedisStore
  let two: RedisStore
  let heard: Heard

  beforeAll(async () => {
    server = await RedisServer.start()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    await server.command('CONFIG', 'RESETSTAT')
    place = makeRedisPlace(server.url)
    one = await place.open(QUICK)
    heard = new Heard()
  })
  afterEach(async () => {
    await Promise.all([one.close(), two.close()])
    await place.dispose()
  })

  /** A second node that looks so often, and follows room 0. */
  const openTwo = async (look: number, url = server.url): Promise<void> => {
    two = await place.openAt(url, { ...QUICK, look })
    two.listen(heard)
    await two.follow(roomOf(0))
  }
  const append = (expectedVersion: number, store = one) =>
    store.append(requestOf(0, { expectedVersion }))
  const killListeners = () => server.command('CLIENT', 'KILL', 'TYPE', 'pubsub')
  const channels = async (): Promise<number> =>
    Number(((await server.command('PUBSUB', 'CHANNELS', `{${place.prefix}:*`)) as unknown[]).length)

  test('F-C3: of a subscription that was killed what it missed is found by looking', async () => {
    await openTwo(QUICK.look ?? 0)
    await append(0)
    await heard.until(['roomChanged', roomOf(0), 1])
    await killListeners()
    expect(await channels()).toBe(0)
    await append(1)
    await heard.until(['roomChanged', roomOf(0), 2])
  })

  test('a hint brings the entry, and the one before it', async () => {
    await openTwo(60_000)
    const [first, second] = [
      requestOf(0, { expectedVersion: 0 }),
      requestOf(0, { expectedVersion: 1 }),
    ]
    await one.append({ ...first, data: '{"first":"军"}' })
    await one.append({ ...second, previous: '{"first":"军"}', data: '{"second":"\\n"}' })
    await heard.until(['roomChanged', roomOf(0), 2])
    expect(heard.told).toEqual([
      { version: 1, previous: '', data: '{"first":"军"}' },
      { version: 2, previous: '{"first":"军"}', data: '{"second":"\\n"}' },
    ])
  })

  test('F-C3: a removal that nobody was told of is found by looking', async () => {
    await openTwo(QUICK.look ?? 0)
    await append(0)
    await heard.until(['roomChanged', roomOf(0), 1])
    await killListeners()
    await one.remove(roomOf(0))
    await heard.until(['roomGone', roomOf(0)])
  })

  test('F-C3: what was said, and nobody was told of, is found by looking', async () => {
    await openTwo(QUICK.look ?? 0)
    await append(0)
    await heard.until(['roomChanged', roomOf(0), 1])
    await killListeners()
    const line = { player: playerOf(0), id: commandIdOf(0), data: 'line' }
    await one.addChat(roomOf(0), { name: 'table', part: 0 }, line)
    await heard.until(['chatSaid', roomOf(0)])
  })

  test('F-C3: a failure that nobody was told of is found by looking', async () => {
    await openTwo(QUICK.look ?? 0)
    await append(0)
    await killListeners()
    await one.markFailed(roomOf(0))
    await heard.until(['roomGone', roomOf(0)])
  })

  test('F-C3: a subscription that was killed is taken up again', async () => {
    await openTwo(NEVER)
    const before = await channels()
    await killListeners()
    await until(async () => (await channels()) === before)
    await append(0)
    await heard.until(['roomChanged', roomOf(0), 1])
  })

  test('F-C3: a subscription from which nothing comes any more is taken up anew', async () => {
    const line = await FaultyLine.to(server.port)
    await openTwo(QUICK.look ?? 0, `redis://127.0.0.1:${line.port}`)
    line.passage = { type: 'swallowed' }
    await until(() => two.clock.stands)
    line.passage = { type: 'open' }
    await heard.first('storeReplaced')
    await until(async () => (await channels()) === 2)
    await one.saveDraft(roomOf(0), playerOf(0), commandIdOf(0), 'draft')
    await heard.until(['draftSaved', roomOf(0), playerOf(0)])
    await line.close()
  })

  test('F-C3: without the right to subscribe it looks', async () => {
    const user = ['on', '>secret', '~*', '&*', '+@all', '-subscribe']
    await server.command('ACL', 'SETUSER', 'deaf', ...user)
    await openTwo(QUICK.look ?? 0, `redis://deaf:secret@127.0.0.1:${server.port}`)
    await append(0)
    await heard.until(['roomChanged', roomOf(0), 1])
  })

  test('F-C6: rooms that are followed no longer are not listened to', async () => {
    await openTwo(NEVER)
    const before = await channels()
    const rooms = Array.from({ length: 100 }, (_, n) => roomOf(n + 1))
    await Promise.all(rooms.map((room) => two.follow(room)))
    expect(await channels()).toBe(before + 100)
    for (const room of rooms) two.unfollow(room)
    await until(async () => (await channels()) === before)
  })

  test('what was hinted is not looked at again', async () => {
    await openTwo(QUICK.look ?? 0)
    await append(0)
    await heard.until(['roomChanged', roomOf(0), 1])
    await append(1, two)
    const looks = await calls('evalsha')
    await until(async () => (await calls('evalsha')) > looks + 20)
    expect(heard.all).toEqual([['roomChanged', roomOf(0), 1]])
  })

  test('a node that is alone is not sent what it did itself', async () => {
    await openTwo(NEVER)
    const before = await calls('publish')
    await append(0, two)
    await two.saveDraft(roomOf(0), playerOf(0), commandIdOf(0), 'draft')
    await two.markFailed(roomOf(0))
    await two.remove(roomOf(0))
    expect(await calls('publish')).toBe(before)
    await append(0, one)
    expect(await calls('publish')).toBe(before + 1)
  })

  test('what was written stays so where its hint may not be published', async () => {
    const user = ['on', '>secret', '~*', '&*', '+@all']
    await server.command('ACL', 'SETUSER', 'mute', ...user)
    await openTwo(QUICK.look ?? 0)
    const mute = await place.openAt(`redis://mute:secret@127.0.0.1:${server.port}`, QUICK)
    for (const right of ['-publish', '-pubsub']) {
      await server.command('ACL', 'SETUSER', 'mute', right)
      const version = await mute.version(roomOf(0))
      expect(await append(version, mute)).toEqual({ type: 'appended', version: version + 1 })
      await heard.until(['roomChanged', roomOf(0), version + 1])
    }
    await mute.close()
  })

  async function calls(command: string): Promise<number> {
    const stats = String(await server.command('INFO', 'commandstats'))
    return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0)
  }
})
