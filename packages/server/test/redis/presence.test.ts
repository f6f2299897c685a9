import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { FaultyLine } from '../../../../test/support/faulty-line.ts'
import { describeWithRedis, RedisServer, until } from '../../../../test/support/redis-server.ts'
import type { Store } from '../../src/ports.ts'
import { playerOf } from '../contract/requests.ts'
import { makeRedisPlace, QUICK, type RedisPlace } from './places.ts'

describeWithRedis('who is connected to a node', () => {
  let server: RedisServer
  let line: FaultyLine
  let place: RedisPlace
  let node: Store
  let witness: Store

  beforeAll(async () => {
    server = await RedisServer.start()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    line = await FaultyLine.to(server.port)
    place = makeRedisPlace(server.url)
    witness = await place.open(QUICK)
    node = await place.openAt(`redis://127.0.0.1:${line.port}`, { ...QUICK, presence: 300 })
  })
  afterEach(async () => {
    await Promise.all([node.close(), witness.close()])
    await place.dispose()
    await line.close()
  })

  const players = [0, 1, 2].map(playerOf)
  const seen = async (): Promise<string[]> => [...(await witness.connectedElsewhere(players))]
  const untilSeen = (...numbers: number[]): Promise<void> =>
    until(async () => JSON.stringify(await seen()) === JSON.stringify(numbers.map(playerOf)))

  test('is kept as long as the node lives', async () => {
    node.setConnected(playerOf(0), true)
    await untilSeen(0)
    const start = node.clock.now()
    await until(() => node.clock.now() > start + 900)
    expect(await seen()).toEqual([playerOf(0)])
  })

  test('F-C6: is forgotten when the node dies, and known again when it was only away', async () => {
    for (const n of [0, 1]) node.setConnected(playerOf(n), true)
    await untilSeen(0, 1)
    await line.refuse()
    await untilSeen()
    node.setConnected(playerOf(1), false)
    node.setConnected(playerOf(2), true)
    await line.admit()
    await untilSeen(0, 2)
  })

  test('is told again after Redis has lost everything', async () => {
    for (const n of [0, 1]) node.setConnected(playerOf(n), true)
    await untilSeen(0, 1)
    await server.command('FLUSHALL')
    await untilSeen(0, 1)
  })

  test('is corrected where Redis knows too much', async () => {
    node.setConnected(playerOf(0), true)
    await untilSeen(0)
    const key = (await place.keys()).find((key) => key.includes(':connected:')) ?? ''
    await server.command('SADD', key, playerOf(1))
    await untilSeen(0)
  })
})
