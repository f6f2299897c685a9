import { parseRetryHint } from '@junqi/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { seededRandom } from '../support/players.ts'
import { command, deploy, seatedRoom, startRoom } from '../support/socket-table.ts'
import {
  makeGuest,
  refusedHandshake,
  startApp,
  startRealApp,
  stopApps,
  type TestApp,
  TestClient,
} from '../support/test-app.ts'

afterEach(stopApps)

const TOKEN = 'sixteen-letters-at-least'
const ENV = { JUNQI_ADMIN_TOKEN: TOKEN }

interface Call {
  readonly method?: string
  readonly body?: unknown
  readonly token?: string | null
}

async function ask({ adminUrl }: TestApp, path: string, call: Call = {}) {
  const { method = 'GET', body, token = TOKEN } = call
  const response = await fetch(`${adminUrl}/admin/${path}`, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text, body: text === '' ? null : JSON.parse(text) }
}

const post = (app: TestApp, path: string) => ask(app, path, { method: 'POST' })
const ban = (app: TestApp, player: string, body: unknown) =>
  ask(app, `bans/${player}`, { method: 'PUT', body })

async function playing(app: TestApp) {
  const guests = [await makeGuest(app.url, 'Ann'), await makeGuest(app.url, 'Bo')]
  const players = await Promise.all(guests.map(({ token }) => TestClient.hello(app.url, token)))
  const room = await seatedRoom(players, 'duel')
  await startRoom(players, room)
  await deploy(players, room, { preset: 'duel', random: seededRandom(5) })
  return { guests, players, room }
}

const CALLS = [
  ['GET', 'node'],
  ['POST', 'node/drain'],
  ['POST', 'node/resume'],
  ['GET', 'rooms'],
  ['GET', 'rooms/k7w2m9qx'],
  ['POST', 'rooms/k7w2m9qx/close'],
  ['GET', 'bans'],
  ['PUT', 'bans/2w9h4t7kz0pm'],
  ['DELETE', 'bans/2w9h4t7kz0pm'],
] as const
const NOT_FOUND = new Set(['not_found'])

describe('the admin routes', () => {
  const all = async (app: TestApp, token: string | null) => {
    const answers = await Promise.all(
      CALLS.map(async ([method, path]) => (await ask(app, path, { method, token })).body),
    )
    return new Set(answers.map(({ error }) => error.code))
  }

  test('are not there without an admin token', async () => {
    const app = await startApp()
    for (const token of [null, '', TOKEN]) expect(await all(app, token)).toEqual(NOT_FOUND)
  })

  test('F-R5: are for who has the token, and for nobody else', async () => {
    const app = await startApp(ENV)
    const guest = await makeGuest(app.url)
    for (const token of [null, '', TOKEN.slice(1), `${TOKEN}x`, guest.token]) {
      expect(await all(app, token)).toEqual(new Set(['unauthorized']))
    }
    expect((await fetch(`${app.url}/readyz`)).status).toBe(200)
  })

  test('are not at the public port', async () => {
    const app = await startApp(ENV)
    expect(await all({ ...app, adminUrl: app.url }, TOKEN)).toEqual(NOT_FOUND)
  })

  test('leave a line in the log each, refused or not, with ids and never the token', async () => {
    const app = await startApp(ENV)
    await ask(app, 'rooms/k7w2m9qx')
    await ask(app, 'bans/nobody-has-this-id', { method: 'DELETE', token: 'wrong' })
    await ban(app, '2w9h4t7kz0pm', { reason: 'secret words', seconds: null })
    const lines = app.logs.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'admin')
    expect(lines).toMatchObject([
      { action: 'readRoom', room: 'k7w2m9qx', outcome: 'room_not_found', from: '127.0.0.1' },
      { action: 'liftBan', player: null, outcome: 'unauthorized' },
      { action: 'banPlayer', player: '2w9h4t7kz0pm', outcome: 'not_found' },
    ])
    expect(app.logs.join('')).not.toMatch(new RegExp(`${TOKEN}|wrong|nobody-has|secret words`))
  })
})

describe('rooms', () => {
  test('F-H2: are told with who sits there and how far they are, and nothing that is on the board', async () => {
    const app = await startRealApp(ENV)
    const { guests, room } = await playing(app)
    const { status, text, body } = await ask(app, 'rooms')
    expect(status).toBe(200)
    expect(body.rooms).toMatchObject([
      {
        room,
        phase: 'playing',
        closed: false,
        turn: 0,
        seats: [
          { seat: 'south', player: { id: guests[0]?.id, name: 'Ann' }, connected: true },
          { seat: 'north', player: { id: guests[1]?.id, name: 'Bo' }, connected: true },
        ],
      },
    ])
    expect((await ask(app, `rooms/${room}`)).body).toEqual(body.rooms[0])
    expect(text).not.toMatch(/formation|kind|pieces|salt|commitment|legal|history|draft|invitation/)
    for (const { token } of guests) expect(text).not.toContain(token.split('.')[1])
  })

  test.each([
    ['rooms?limit=0', 'bad_message'],
    ['rooms?limit=1001', 'bad_message'],
    ['rooms?all=1', 'bad_message'],
    ['rooms/k7w2m9qx', 'room_not_found'],
    ['rooms/No-Room', 'room_not_found'],
  ])('%s is refused as %s', async (path, code) => {
    const app = await startRealApp(ENV)
    expect((await ask(app, path)).body).toMatchObject({ error: { code } })
  })

  test('R-ROOM-6: are closed, and their players told', async () => {
    const app = await startRealApp(ENV)
    const { players, room } = await playing(app)
    expect(await post(app, `rooms/${room}/close`)).toMatchObject({
      status: 200,
      body: { room, closed: true, result: null },
    })
    for (const player of players) {
      const { code } = await player.find(({ type }) => type === 'dropped')
      expect(code).toBe('room_closed')
      const told = player.messages.find((message) => JSON.stringify(message).includes('roomClosed'))
      expect(told).toMatchObject({ type: 'event', room })
    }
    expect((await post(app, `rooms/${room}/close`)).status).toBe(200)
    expect(await post(app, 'rooms/k7w2m9qx/close')).toMatchObject({ status: 404 })
  })

  test('whose game has ended are not closed', async () => {
    const app = await startRealApp(ENV)
    const { players, room } = await playing(app)
    const [ann] = players
    if (ann !== undefined) await command(ann, { type: 'leave', room })
    expect(await post(app, `rooms/${room}/close`)).toMatchObject({
      status: 409,
      body: { error: { code: 'game_over' } },
    })
  })
})

describe('a drained node', () => {
  test('F-D1: is alive and not ready, has sent everyone away, and takes players again when it is told', async () => {
    const app = await startApp(ENV)
    const { token } = await makeGuest(app.url)
    const clients = await Promise.all([1, 2, 3].map(() => TestClient.hello(app.url, token)))
    expect((await ask(app, 'node')).body).toMatchObject({
      ready: true,
      draining: false,
      connections: 3,
    })
    const [first, second] = await Promise.all([post(app, 'node/drain'), post(app, 'node/drain')])
    expect(first).toEqual(second)
    expect(first.body).toMatchObject({ ready: false, draining: true, connections: 0 })
    for (const client of clients) {
      const { code, reason } = await client.closed
      expect([code, parseRetryHint(reason) !== null]).toEqual([1012, true])
    }
    expect((await fetch(`${app.url}/readyz`)).status).toBe(503)
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
    expect((await refusedHandshake(TestClient.dial(app.url, token))).status).toBe(503)

    expect((await post(app, 'node/resume')).body).toMatchObject({ ready: true, draining: false })
    const back = await TestClient.hello(app.url, token, { autoPong: false })
    // Its clock runs as before: who gives no sign of life is let go of.
    for (let n = 0; n < 4; n++) await app.clock.advance(15_000)
    expect((await back.closed).code).toBe(1006)
  })
})

describe('a player who is shut out', () => {
  const FOR_A_MINUTE = { reason: ' swears at everyone ', seconds: 60 }

  test('has its connections ended, comes in nowhere, and others stay', async () => {
    const app = await startApp(ENV)
    const [ann, bo] = [await makeGuest(app.url, 'Ann'), await makeGuest(app.url, 'Bo')]
    const sockets = await Promise.all([1, 2].map(() => TestClient.hello(app.url, ann.token)))
    const other = await TestClient.hello(app.url, bo.token)
    const now = app.clock.now()
    expect(await ban(app, ann.id, FOR_A_MINUTE)).toMatchObject({
      status: 200,
      body: {
        player: ann.id,
        reason: 'swears at everyone',
        since: now,
        until: now + 60_000,
      },
    })
    for (const socket of sockets) {
      expect(await socket.closed).toEqual({ code: 4403, reason: 'banned' })
    }
    const message = 'You are shut out of this server for 1 more minute. Why: swears at everyone'
    const refused = await refusedHandshake(TestClient.dial(app.url, ann.token))
    expect(refused.status).toBe(403)
    expect(JSON.parse(refused.body)).toEqual({
      error: { code: 'banned', message, retryable: false },
    })
    for (const path of ['session', 'seats', 'formations']) {
      const headers = { authorization: `Bearer ${ann.token}` }
      expect((await fetch(`${app.url}/v1/${path}`, { headers })).status).toBe(403)
    }
    other.send({ type: 'ping', id: 'still' })
    expect(await other.reply('still')).toMatchObject({ type: 'pong' })
    await app.clock.advance(60_000)
    await TestClient.hello(app.url, ann.token)
  })

  test('is so after a restart too, until it is let in again', async () => {
    const before = await startApp(ENV)
    const { id, token } = await makeGuest(before.url)
    await ban(before, id, { reason: '', seconds: null })
    const app = await startApp(ENV, undefined, before.store)
    expect((await refusedHandshake(TestClient.dial(app.url, token))).status).toBe(403)
    expect((await ask(app, 'bans')).body).toMatchObject({
      bans: [{ player: id, reason: '', until: null }],
    })
    expect((await ask(app, `bans/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await ask(app, `bans/${id}`, { method: 'DELETE' })).status).toBe(404)
    await TestClient.hello(app.url, token)
    expect((await ask(app, 'bans')).body).toEqual({ bans: [] })
  })

  test('while it was about to come in, does not come in', async () => {
    const app = await startApp(ENV)
    const { id, token } = await makeGuest(app.url)
    const outcomes = await Promise.all([
      ...Array.from({ length: 20 }, () =>
        TestClient.dial(app.url, token).then(
          ({ closed }) => closed.then(({ code }) => code),
          () => 'refused',
        ),
      ),
      ban(app, id, { reason: '', seconds: null }).then(() => 'banned'),
    ])
    for (const outcome of outcomes) expect(['refused', 'banned', 4403]).toContain(outcome)
    expect(app.app.gateway.size).toBe(0)
  })

  test.each<[string, unknown]>([
    ['no reason', { seconds: null }],
    ['no time', { reason: '' }],
    ['no second', { reason: '', seconds: 0 }],
    ['half a second', { reason: '', seconds: 0.5 }],
    ['a reason that is a story', { reason: 'a'.repeat(201), seconds: null }],
    ['a word too much', { reason: '', seconds: null, forEver: true }],
  ])('is not, with %s', async (_, body) => {
    const app = await startApp(ENV)
    const { id, token } = await makeGuest(app.url)
    expect(await ban(app, id, body)).toMatchObject({
      status: 400,
      body: { error: { code: 'bad_message' } },
    })
    await TestClient.hello(app.url, token)
  })
})
