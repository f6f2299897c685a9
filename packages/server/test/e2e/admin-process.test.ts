import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { DURABLE, describeWithRedis, RedisServer } from '../../../../test/support/redis-server.ts'
import { type ServerProcess, startProcess, stopProcesses } from '../support/server-process.ts'
import { seatedRoom } from '../support/socket-table.ts'
import { makeGuest, refusedHandshake, TestClient } from '../support/test-app.ts'

const TOKEN = 'sixteen-letters-at-least'

async function ask({ adminUrl }: ServerProcess, method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const json = body === undefined ? null : JSON.stringify(body)
  const response = await fetch(`${adminUrl}/admin/${path}`, { method, headers, body: json })
  return response.json()
}

describeWithRedis('what is done at the admin port of one of two nodes', () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await RedisServer.start(DURABLE)
  })
  afterAll(() => redis.stop())
  afterEach(stopProcesses)

  const start = () =>
    startProcess({
      JUNQI_STORE: 'redis',
      JUNQI_REDIS_URL: redis.url,
      JUNQI_ADMIN_TOKEN: TOKEN,
    })

  test('R-ROOM-6: holds at the other: a room is closed, a player shut out', async () => {
    const [one, two] = await Promise.all([start(), start()])
    const guests = await Promise.all([makeGuest(one.url, 'Ann'), makeGuest(two.url, 'Bo')])
    const [ann, bo] = guests
    const players = await Promise.all([
      TestClient.hello(one.url, ann.token),
      TestClient.hello(two.url, bo.token),
    ])
    const room = await seatedRoom(players, 'duel')
    expect(await ask(one, 'GET', 'rooms')).toMatchObject({ rooms: [{ room, phase: 'lobby' }] })
    expect(await ask(one, 'GET', `rooms/${room}`)).toMatchObject({
      seats: [
        { player: { id: ann.id }, connected: true },
        { player: { id: bo.id }, connected: true },
      ],
    })

    expect(await ask(one, 'POST', `rooms/${room}/close`)).toMatchObject({ closed: true })
    for (const player of players) {
      expect(await player.find(({ type }) => type === 'dropped')).toMatchObject({
        code: 'room_closed',
      })
    }

    await ask(one, 'PUT', `bans/${bo.id}`, { reason: '', seconds: null })
    expect((await players[1].closed).code).toBe(4403)
    for (const { url } of [one, two]) {
      const refused = await refusedHandshake(TestClient.dial(url, bo.token))
      expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('"banned"')])
    }
    expect(await ask(two, 'GET', 'bans')).toMatchObject({ bans: [{ player: bo.id }] })
    expect(players[0].socket.readyState).toBe(players[0].socket.OPEN)
  })
})
