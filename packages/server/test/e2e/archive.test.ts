import { formationsOf, gamesOf } from '@junqi/client'
import { mirrorFormation, parseRecord, readJgs, SEATS } from '@junqi/engine'
import { type GamePage, type Guest, gameQuery, type RoomId } from '@junqi/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { begin, FORMATION, gather, type Party, type Setup } from '../support/party.ts'
import { command } from '../support/socket-table.ts'
import { makeGuest, startRealApp, stopApps, type TestApp, TestClient } from '../support/test-app.ts'

afterEach(stopApps)

const DAY_MS = 24 * 3_600_000

/** A game that ends as its first player leaves. */
async function play(app: TestApp, party: Party, setup: Setup = {}): Promise<RoomId> {
  const room = await begin(party, setup)
  const [host] = party.clients
  if (host === undefined) throw new Error('nobody')
  await command(host, { type: 'leave', room })
  await app.clock.advance(1_000)
  return room
}

const gamesFor = (url: string, guest: Guest | undefined, share?: string) =>
  gamesOf({ url, token: guest?.token ?? null, ...(share !== undefined && { share }) })

const roomsIn = (page: { readonly ok: boolean; readonly value?: GamePage }): readonly string[] =>
  page.value?.games.map(({ room }) => room) ?? ['refused']

describe('a finished game', () => {
  test('is in the list with who played, how it ended and when, and can be read whole', async () => {
    const app = await startRealApp()
    const party = await gather(app.url, ['Ann', 'Bob'])
    await app.clock.advance(5 * DAY_MS)
    const date = Date.parse('2026-01-01T00:00:00Z') + app.clock.now()
    const room = await play(app, party, { options: { turnSeconds: 20, firstSeat: 'south' } })
    const games = gamesFor(app.url, undefined)
    const [ann, bob] = party.guests
    const summary = {
      room,
      preset: 'duel',
      custom: true,
      private: false,
      seats: { south: { id: ann?.id, name: 'Ann' }, north: { id: bob?.id, name: 'Bob' } },
      result: { winners: ['north'], reason: 'left' },
      actions: 1,
      startedAt: date,
      endedAt: date,
    }
    expect(await games.list()).toEqual({ ok: true, value: { games: [summary], next: null } })
    expect(await games.get(room)).toEqual({ ok: true, value: summary })
    const record = await games.record(room)
    expect(record).toMatchObject({
      ok: true,
      value: { first: 'south', actions: ['leave south'], result: summary.result },
    })
    if (record.ok) expect(parseRecord(record.value)).toEqual(record)
  })

  test('is found by player, preset, result and date', async () => {
    const app = await startRealApp()
    const party = await gather(app.url, ['Ann', 'Bob'])
    const four = await gather(app.url, ['Cy', 'Di', 'Ed', 'Fay'])
    const first = await play(app, party)
    await app.clock.advance(DAY_MS)
    const second = await play(app, four, { preset: 'siguo' })
    await app.clock.advance(DAY_MS)
    const third = await play(app, { ...party, clients: [...party.clients].reverse() })
    const [ann] = party.guests
    const games = gamesFor(app.url, undefined)
    const list = async (query: Readonly<Record<string, string | number | undefined>>) =>
      roomsIn(await games.list(query as never))
    expect(await list({})).toEqual([third, second, first])
    expect(await list({ player: ann?.id })).toEqual([third, first])
    expect(await list({ player: four.guests[3]?.id })).toEqual([second])
    expect(await list({ player: '000000000000' })).toEqual([])
    expect(await list({ preset: 'siguo' })).toEqual([second])
    expect(await list({ preset: 'sanguo' })).toEqual([])
    expect(await list({ player: ann?.id, result: 'won' })).toEqual([third])
    expect(await list({ player: ann?.id, result: 'lost' })).toEqual([first])
    expect(await list({ result: 'void' })).toEqual([second])
    expect(await list({ result: 'drawn' })).toEqual([])
    expect(await list({ result: 'decided' })).toEqual([third, first])
    const noon = Date.parse('2026-01-01T12:00:00Z')
    expect(await list({ before: noon })).toEqual([first])
    expect(await list({ after: noon })).toEqual([third, second])
    expect(await list({ after: noon, before: noon + DAY_MS })).toEqual([second])
    expect(await list({ before: 0 })).toEqual([])
  })

  test('keeps its place in the pages, whatever ends meanwhile', async () => {
    const app = await startRealApp()
    const party = await gather(app.url, ['Ann', 'Bob'])
    const rooms: string[] = []
    for (let n = 0; n < 5; n++) rooms.unshift(await play(app, party))
    const games = gamesFor(app.url, undefined)
    const page = await games.list({ limit: 2 })
    expect(roomsIn(page)).toEqual(rooms.slice(0, 2))
    await play(app, party)
    const cursor = page.ok ? (page.value.next ?? '') : ''
    const second = await games.list({ limit: 2, cursor })
    expect(roomsIn(second)).toEqual(rooms.slice(2, 4))
    const next = second.ok ? (second.value.next ?? '') : ''
    expect(await games.list({ limit: 2, cursor: next })).toMatchObject({
      value: { games: [{ room: rooms[4] }], next: null },
    })
  })

  test.each([
    ['result=won', 'won and lost are asked of a player'],
    ['player=x', 'query.player: a player id is 12 characters'],
    ['preset=chess', 'query.preset: expected one of'],
    ['cursor=1', 'query.cursor: a cursor is what the page before told'],
    ['before=yesterday', 'query.before: a date is milliseconds since 1970'],
    ['limit=0', 'query.limit: a page has 1 to 100 games'],
    ['limit=101', 'query.limit: a page has 1 to 100 games'],
    ['color=red', 'query has no field color; its fields are player, preset, result,'],
  ])('?%s is refused with what would be right', async (query, message) => {
    const { url } = await startRealApp()
    const response = await fetch(`${url}/v1/games?${query}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { code: 'bad_message', message: expect.stringContaining(message) },
    })
  })

  test('F-H7: is stepped through as each saw it, or as it was', async () => {
    const app = await startRealApp()
    const party = await gather(app.url, ['Ann', 'Bob'])
    const room = await play(app, party)
    const games = gamesFor(app.url, undefined)
    const hidden = async (n: number, as: 'south' | 'north' | 'spectator' | 'truth') => {
      const seen = await games.position(room, n, as)
      if (!seen.ok) throw new Error(seen.error.message)
      const { view, last } = seen.value
      expect(last).toBe(1)
      return view.pieces.filter(({ kind }) => kind === 'hidden').length
    }
    expect(await hidden(0, 'truth')).toBe(0)
    expect(await hidden(0, 'south')).toBe(25)
    expect(await hidden(0, 'spectator')).toBe(50)
    expect(await hidden(1, 'north')).toBe(0)
    expect(await games.position(room, 1, 'truth')).toMatchObject({
      value: { n: 1, action: 'leave south', view: { result: { reason: 'left' } } },
    })
    expect(await games.position(room, 2, 'truth')).toMatchObject({
      error: { code: 'bad_message', message: 'n: the positions of this game are 0 to 1.' },
    })
    expect(await games.position(room, 0, 'east')).toMatchObject({
      error: {
        message: 'query.as: this game is seen as south, north, spectator, truth.',
      },
    })
    const response = await fetch(`${app.url}/v1/games/${room}/positions/-1`)
    expect(response.status).toBe(400)
  })

  test('of siguo comes as .jgs with the players’ names, or with what one cannot tell', async () => {
    const app = await startRealApp()
    const four = await gather(app.url, ['军旗', 'Bob', '😀', 'Di'])
    const room = await begin(four, { preset: 'siguo', options: { leaving: 'forfeit' } })
    const snapshot = await command(four.clients[0] ?? raise(), { type: 'subscribe', room })
    const { game } = snapshot.view as { game: { toMove: (typeof SEATS)[number] } }
    const start = SEATS.indexOf(game.toMove)
    for (const n of [0, 2]) {
      await command(four.clients[(start + n) % 4] ?? raise(), { type: 'leave', room })
    }
    await app.clock.advance(1_000)
    const games = gamesFor(app.url, undefined)
    const [jgs, record] = [await games.jgs(room), await games.record(room)]
    if (!jgs.ok || !record.ok) throw new Error('refused')
    const { formations, first, actions, result } = record.value
    expect(readJgs(jgs.value)).toMatchObject({ value: { formations, first, actions, result } })
    const name = (number: number) =>
      new TextDecoder('gbk').decode(jgs.value.subarray(0x28 + 88 * number, 0x28 + 88 * number + 20))
    expect([0, 1, 2, 3].map((number) => name(number).replaceAll('\0', ''))).toEqual([
      'Bob',
      '军旗',
      'Di',
      '?',
    ])
    const duel = await play(app, await gather(app.url, ['Ann', 'Bob']))
    expect(await games.jgs(duel)).toMatchObject({
      error: {
        code: 'not_in_jgs',
        message: 'a .jgs file has four seats, and this game has 2: south, north.',
      },
    })
  })
})

describe('F-H12: who may not see a game cannot tell it from none', () => {
  /** All that can be asked of a game, and how each asker is answered, but for the room's own name. */
  async function answersTo(url: string, room: string, headers: Readonly<Record<string, string>>) {
    const asked = ['', '/record', '/record.jgs', '/positions/0', '/positions/0?as=south', '/share']
    return Promise.all(
      asked.map(async (path) => {
        const method = path === '/share' ? 'POST' : 'GET'
        const response = await fetch(`${url}/v1/games/${room}${path}`, { method, headers })
        const told = [...response.headers].filter(([name]) => name !== 'date')
        return { path, status: response.status, told, body: await response.text() }
      }),
    )
  }

  const headersOf = (guest: Guest | undefined) => ({ authorization: `Bearer ${guest?.token}` })
  const NOWHERE = '00000000'

  test('while it runs nobody is told anything of it, its players neither', async () => {
    const { url } = await startRealApp()
    const party = await gather(url, ['Ann', 'Bob'])
    const eve = await makeGuest(url, 'Eve')
    const rooms = [await begin(party), await begin(party, { private: true })]
    const lobby = await command(party.clients[0] ?? raise(), {
      type: 'createRoom',
      preset: 'duel',
      options: {},
      private: false,
    })
    for (const asker of [{}, headersOf(eve), headersOf(party.guests[0])]) {
      const none = await answersTo(url, NOWHERE, asker)
      for (const { body } of none) expect(body).toMatch(/room_not_found|unauthorized/)
      for (const room of [...rooms, String(lobby.room), 'x', '%00']) {
        expect(await answersTo(url, room, asker)).toEqual(none)
      }
      const page = await fetch(`${url}/v1/games?player=${party.guests[0]?.id}`, { headers: asker })
      expect(await page.json()).toEqual({ games: [], next: null })
    }
  })

  test('F-H12: a private one is for its members, and for who has what one of them gave away', async () => {
    const app = await startRealApp()
    const { url } = app
    const party = await gather(url, ['Ann', 'Bob'])
    const eve = await makeGuest(url, 'Eve')
    const room = await play(app, party, { private: true })
    const other = await play(app, party, { private: true })
    const [ann, bob] = party.guests
    for (const asker of [{}, headersOf(eve)]) {
      expect(await answersTo(url, room, asker)).toEqual(await answersTo(url, NOWHERE, asker))
    }
    for (const viewer of [undefined, eve, bob]) {
      expect(await gamesFor(url, viewer).list({ player: ann?.id })).toMatchObject({
        value: { games: [], next: null },
      })
      expect(roomsIn(await gamesFor(url, viewer).list())).toEqual([])
    }
    expect(roomsIn(await gamesFor(url, ann).list({ player: ann?.id }))).toEqual([other, room])
    expect((await gamesFor(url, bob).record(room)).ok).toBe(true)

    const shared = await gamesFor(url, bob).share(room)
    if (!shared.ok || shared.value.share === null) throw new Error('not shared')
    const { path, share } = shared.value
    expect(path).toBe(`/g/${room}?share=${share}`)
    expect(share).toMatch(/^[A-Za-z0-9_-]{22}$/)
    const stranger = gamesFor(url, undefined, share)
    expect(await stranger.get(room)).toMatchObject({ value: { room, private: true } })
    expect((await stranger.record(room)).ok).toBe(true)
    expect((await stranger.position(room, 0, 'truth')).ok).toBe(true)
    expect(await gamesFor(url, eve, share).share(room)).toMatchObject({
      error: { code: 'room_not_found' },
    })
    for (const wrong of [share.slice(1), `A${share.slice(1)}`, mirrorFormation(FORMATION)]) {
      if (wrong === share) continue
      expect(await gamesFor(url, undefined, wrong).record(room)).toMatchObject({
        error: { code: 'room_not_found' },
      })
    }
    expect(await stranger.record(other)).toMatchObject({ error: { code: 'room_not_found' } })
  })

  test('a public one is shared by its address', async () => {
    const app = await startRealApp()
    const party = await gather(app.url, ['Ann', 'Bob'])
    const room = await play(app, party)
    const eve = await makeGuest(app.url, 'Eve')
    expect(await gamesFor(app.url, eve).share(room)).toEqual({
      ok: true,
      value: { path: `/g/${room}`, share: null },
    })
  })

  test('who joins a private room after the end sees its game, kept in memory or not', async () => {
    const app = await startRealApp()
    const { url } = app
    const party = await gather(url, ['Ann', 'Bob'])
    const room = await play(app, party, { private: true })
    const eve = await makeGuest(url, 'Eve')
    const games = gamesFor(url, eve)
    expect((await gamesFor(url, party.guests[1]).record(room)).ok).toBe(true)
    expect((await games.record(room)).ok).toBe(false)
    const client = await TestClient.hello(url, eve.token)
    const snapshot = await command(party.clients[1] ?? raise(), { type: 'subscribe', room })
    const { invitation } = snapshot.view as { invitation: string }
    await command(client, { type: 'subscribe', room, invitation })
    expect((await games.record(room)).ok).toBe(true)
  })

  test('F-H12: that of a failed room is void: in no list, and not to be read', async () => {
    const app = await startRealApp()
    const party = await gather(app.url, ['Ann', 'Bob'])
    const room = await play(app, party)
    const games = gamesFor(app.url, party.guests[0])
    expect((await games.record(room)).ok).toBe(true)
    await app.store.markFailed(room)
    expect(await games.record(room)).toMatchObject({ error: { code: 'room_not_found' } })
    expect(await games.get(room)).toMatchObject({ error: { code: 'room_not_found' } })
  })
})

describe('JUNQI_ARCHIVE_DAYS', () => {
  test('a game older than that is removed whole: from lists, and its room', async () => {
    const app = await startRealApp({ JUNQI_ARCHIVE_DAYS: '10' })
    const party = await gather(app.url, ['Ann', 'Bob'])
    const games = gamesFor(app.url, party.guests[0])
    const old = await play(app, party)
    for (const { socket } of party.clients) socket.terminate()
    await app.clock.advance(6 * DAY_MS)
    const young = await play(app, await gather(app.url, ['Cy', 'Di']))
    expect((await games.record(old)).ok).toBe(true)
    await app.clock.advance(4 * DAY_MS + 2 * 3_600_000)
    expect(roomsIn(await games.list())).toEqual([young])
    expect(roomsIn(await games.list({ player: party.guests[0]?.id }))).toEqual([])
    expect(await games.record(old)).toMatchObject({ error: { code: 'room_not_found' } })
    expect(await app.store.version(old)).toBe(0)
    expect((await fetch(`${app.url}/v1/rooms/${old}`)).status).toBe(404)
    expect((await games.record(young)).ok).toBe(true)
  })
})

test('an address reads so many finished games whole, and then has to wait; to list them costs nothing', async () => {
  const app = await startRealApp({ JUNQI_RATE_REPLAYS: '1/s burst 2' })
  const room = await play(app, await gather(app.url, ['Ann', 'Bob']))
  const statusOf = async (path: string) => (await fetch(`${app.url}/v1/games${path}`)).status
  const missing = () => statusOf('/k7w2m9qx/record')
  // What is not there costs nothing, and is not told apart when the rate is used up.
  expect([await missing(), await statusOf(`/${room}/record`)]).toEqual([404, 200])
  expect([await statusOf(`/${room}/positions/0`), await statusOf(`/${room}/record`)]).toEqual([
    200, 429,
  ])
  expect([await missing(), await statusOf('')]).toEqual([429, 200])
  await app.clock.advance(1_000)
  expect(await statusOf(`/${room}/record`)).toBe(200)
})

test('of many requests at once for finished games each is counted, whatever of them is asked for', async () => {
  const app = await startRealApp({ JUNQI_RATE_REPLAYS: '1/s burst 2' })
  const party = await gather(app.url, ['Ann', 'Bob'])
  const room = await play(app, party)
  const headers = { authorization: `Bearer ${party.guests[0]?.token}` }
  const ask = async (path: string, method: string) =>
    (await fetch(`${app.url}/v1/games/${room}${path}`, { method, headers })).status
  for (const [path, method] of [
    ['/record', 'GET'],
    ['/score', 'GET'],
    ['/share', 'POST'],
  ] as const) {
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(path, method)))
    expect(answers.sort()).toEqual([200, 200, 429, 429, 429])
    await app.clock.advance(2_000)
  }
})

test('F-H12: a query of the archive is checked whole', () => {
  for (const query of [{ player: '000000000000', result: 'won' }, {}, { limit: '100' }]) {
    expect(gameQuery.safeParse(query).success).toBe(true)
  }
})

test('what was handed in for a game is no one else’s afterwards either, but for the record', async () => {
  const app = await startRealApp()
  const party = await gather(app.url, ['Ann', 'Bob'])
  await play(app, party)
  const eve = await makeGuest(app.url, 'Eve')
  const kept = await formationsOf({ url: app.url, token: eve.token }).list()
  expect(kept).toMatchObject({ value: { formations: [], last: {} } })
})

function raise(): never {
  throw new Error('nobody is there')
}
