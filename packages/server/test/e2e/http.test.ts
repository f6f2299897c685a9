import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createConnection } from 'node:net'
import { formatRoomCode, guest, httpError, PROTOCOL, roomCreated } from '@junqi/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { refuse } from '../../src/room/decision.ts'
import { command } from '../support/socket-table.ts'
import { STUB_ROOM } from '../support/stub-rooms.ts'
import { makeGuest, startApp, startRealApp, stopApps, TestClient } from '../support/test-app.ts'

afterEach(stopApps)

const JSON_BODY = { 'content-type': 'application/json' }

function post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(url, { method: 'POST', headers: { ...JSON_BODY, ...headers }, body: text })
}

async function refusalOf(response: Response): Promise<readonly [number, string]> {
  return [response.status, httpError.parse(await response.json()).error.code]
}

describe('guests', () => {
  test('a guest gets an id and a token, which is stored hashed only', async () => {
    const { store, url } = await startApp()
    const response = await post(`${url}/v1/guests`, { name: '  军旗 ' })
    expect(response.status).toBe(201)
    const { id, name, token } = guest.parse(await response.json())
    expect(name).toBe('军旗')
    expect(token).toMatch(new RegExp(`^${id}\\.[A-Za-z0-9_-]{43}$`))
    expect(await store.findPlayer(id)).toMatchObject({
      id,
      name,
      tokenHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  test('the page of the server gets a cookie as well, out of reach of scripts and of other sites', async () => {
    const { url } = await startApp()
    const response = await post(`${url}/v1/guests`, { name: 'Ann' }, { origin: url })
    const { token } = guest.parse(await response.json())
    expect(response.headers.get('set-cookie')).toBe(
      `junqi_token=${token}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict`,
    )
  })

  test('behind a proxy that speaks TLS the cookie is for TLS only', async () => {
    const { url } = await startApp({ JUNQI_TRUSTED_PROXIES: '127.0.0.1' })
    const headers = { origin: url.replace('http', 'https'), 'x-forwarded-proto': 'https' }
    const response = await post(`${url}/v1/guests`, { name: 'Ann' }, headers)
    expect(response.headers.get('set-cookie')).toMatch(/; Secure$/)
  })

  test('a bot account is made with the bot key, without being counted as a guest', async () => {
    const env = { JUNQI_BOT_KEY: 'sixteen-letters-at-least', JUNQI_RATE_GUESTS: '1/h burst 3' }
    const { url } = await startApp(env)
    const make = (key: string, body: object = { name: 'easy-1', bot: 'easy' }) =>
      post(`${url}/v1/guests`, body, { authorization: `Bearer ${key}` })
    const made = await make(env.JUNQI_BOT_KEY)
    expect(made.status).toBe(201)
    const bot = guest.parse(await made.json())
    expect(bot).toMatchObject({ name: 'easy-1', bot: 'easy' })
    for (let n = 0; n < 5; n++) {
      expect(guest.parse(await (await make(env.JUNQI_BOT_KEY)).json())).toEqual(bot)
    }
    const session = await fetch(`${url}/v1/session`, {
      headers: { authorization: `Bearer ${bot.token}` },
    })
    expect(await session.json()).toEqual({ player: { id: bot.id, name: 'easy-1', bot: 'easy' } })
    // Whoever guesses is counted; so is whoever asks for a guest.
    expect(await refusalOf(await make('sixteen-letters-at-last'))).toEqual([401, 'unauthorized'])
    expect(await refusalOf(await post(`${url}/v1/guests`, { name: 'a', bot: 'easy' }))).toEqual([
      401,
      'unauthorized',
    ])
    const person = await make(env.JUNQI_BOT_KEY, { name: 'easy-1' })
    expect(await person.json()).not.toHaveProperty('bot')
    expect(await refusalOf(await make('another-key-to-try'))).toEqual([429, 'rate_limited'])
    expect((await make(env.JUNQI_BOT_KEY)).status).toBe(201)
  })

  test('an address makes so many guests', async () => {
    const { clock, url } = await startApp({ JUNQI_RATE_GUESTS: '1/s burst 2' })
    const statuses = []
    for (let n = 0; n < 3; n++)
      statuses.push((await post(`${url}/v1/guests`, { name: 'Ann' })).status)
    expect(statuses).toEqual([201, 201, 429])
    await clock.advance(1000)
    expect((await post(`${url}/v1/guests`, { name: 'Ann' })).status).toBe(201)
  })

  test('clients behind a trusted proxy count each for itself', async () => {
    const env = { JUNQI_RATE_GUESTS: '1/s burst 1', JUNQI_TRUSTED_PROXIES: '127.0.0.0/8' }
    const { url } = await startApp(env)
    const from = async (address: string) =>
      (await post(`${url}/v1/guests`, { name: 'Ann' }, { 'x-forwarded-for': address })).status
    expect([await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.2')]).toEqual([
      201, 429, 201,
    ])
    // Of IPv6 a household has as many addresses as it likes, all in one /64.
    expect([
      await from('2001:db8::1'),
      await from('2001:db8::2:1'),
      await from('2001:db8:0:1::1'),
    ]).toEqual([201, 429, 201])
  })

  test.each([
    ['no name', {}, 'body.name is missing: expected text.'],
    [
      'a name of 25 characters',
      { name: 'x'.repeat(25) },
      'body.name: a name has at most 24 characters',
    ],
    ['a name of blanks', { name: '   ' }, 'body.name: a name has at least one character'],
    [
      'a name that turns the text round',
      { name: 'a\u202eb' },
      'body.name: a name holds no control',
    ],
    [
      'an unknown field',
      { name: 'Ann', id: '000000000000' },
      'body has no field id; its fields are',
    ],
    ['a misspelt field', { nam: 'Ann' }, 'body has no field nam; its fields are name, bot.'],
    ['an array', [], 'body: '],
    ['null', null, 'body: '],
  ])('%s is refused with what would be right', async (_, body, message) => {
    const { url } = await startApp()
    const response = await post(`${url}/v1/guests`, body)
    expect(response.status).toBe(400)
    const { error } = httpError.parse(await response.json())
    expect(error).toMatchObject({ code: 'bad_message', retryable: false })
    expect(error.message).toContain(message)
  })
})

describe('requests of every bad kind', () => {
  test.each([
    ['broken JSON', { body: '{' }, 400, 'bad_json'],
    ['an empty body', { body: '' }, 400, 'bad_message'],
    ['a poisoned prototype', { body: '{"__proto__":{},"name":"x"}' }, 400, 'bad_json'],
    [
      'bytes that are no UTF-8',
      { body: Buffer.from('{"name":"\xff"}', 'latin1') },
      400,
      'bad_json',
    ],
    ['plain text', { body: '{"name":"x"}', type: 'text/plain' }, 415, 'bad_message'],
    [
      'a file that is said to be JSON of another kind',
      { body: '{"name":"x"}', type: 'application/vnd.x+json' },
      415,
      'bad_message',
    ],
    ['a form', { body: 'name=x', type: 'application/x-www-form-urlencoded' }, 415, 'bad_message'],
    ['a huge body', { body: JSON.stringify({ name: 'x'.repeat(9000) }) }, 413, 'bad_message'],
  ])(
    '%s is refused with its code',
    async (_, {
      body,
      type = 'application/json',
    }: { body: BodyInit; type?: string }, status, code) => {
      const { url } = await startApp()
      const response = await fetch(`${url}/v1/guests`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      })
      expect(await refusalOf(response)).toEqual([status, code])
    },
  )

  test.each([
    ['GET', '/nowhere', 404, 'not_found', null],
    ['GET', '/v1/ws', 400, 'unsupported_protocol', null],
    ['GET', '/v1/rooms/%zz', 404, 'not_found', null],
    ['GET', '/v1/rooms/a/b', 404, 'not_found', null],
    ['DELETE', '/v1/rooms', 405, 'not_found', 'GET, POST'],
    ['GET', '/v1/guests', 405, 'not_found', 'POST'],
    ['PUT', '/v1/rooms/00000000', 405, 'not_found', 'GET'],
    ['DELETE', '/healthz', 405, 'not_found', 'GET'],
    ['POST', '/?x', 405, 'not_found', 'GET'],
  ])('%s %s -> %i %s', async (method, path, status, code, allow) => {
    const { url } = await startApp()
    const response = await fetch(`${url}${path}`, { method })
    expect([...(await refusalOf(response)), response.headers.get('allow')]).toEqual([
      status,
      code,
      allow,
    ])
  })

  test.each([
    ['/v1/rooms', 'query has no field foo; it has none.'],
    ['/v1/rooms/00000000', 'query has no field foo; it has none.'],
    ['/v1/games', 'query has no field foo; its fields are player, preset,'],
    ['/v1/games/00000000', 'query has no field foo; its fields are share.'],
    ['/v1/games/00000000/positions/0', 'query has no field foo; its fields are share, as.'],
    ['/v1/random-formation', 'query has no field foo; its fields are bombFrontRow.'],
  ])('%s tells which fields its query has', async (path, sentence) => {
    const { url } = await startApp()
    const response = await fetch(`${url}${path}?foo=1`)
    expect(response.status).toBe(400)
    const { error } = httpError.parse(await response.json())
    expect(error).toMatchObject({
      code: 'bad_message',
      message: expect.stringContaining(sentence),
    })
  })

  test.each([
    ['without a host', 'GET /v1/meta HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [
      'that expects something',
      'GET /v1/meta HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\nConnection: close\r\n\r\n',
      200,
    ],
    ['of HTTP/1.0', 'GET /v1/meta HTTP/1.0\r\n\r\n', 200],
  ])('a request %s is answered with %i', async (_, request, status) => {
    const { url } = await startApp()
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
    socket.write(request)
    let answer = ''
    for await (const data of socket) answer += data
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })

  test('F-U4: bytes that are no HTTP are answered and let go of', async () => {
    const { url } = await startApp()
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
    socket.write('\x16\x03\x01\x00\x00 hello\r\n\r\n')
    let answer = ''
    for await (const data of socket) answer += data
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(httpError.parse(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).error.code).toBe(
      'bad_message',
    )
  })

  test('every answer forbids keeping, sniffing and framing', async () => {
    const { url } = await startApp()
    for (const path of ['/healthz', '/v1/meta', '/nowhere', '/v1/rooms/00000000']) {
      const { headers } = await fetch(`${url}${path}`)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    }
  })

  test('the page is served at the root, may load and reach its own origin only, and keeps what is hashed', async () => {
    const { url } = await startApp()
    const page = await fetch(url)
    expect(page.status).toBe(200)
    expect(page.headers.get('cache-control')).toBe('no-cache')
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    )
    const script = /src="\.\/(assets\/[^"]+\.js)"/.exec(await page.text())?.[1]
    const asset = await fetch(`${url}/${script}`, { headers: { 'accept-encoding': 'gzip' } })
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(asset.headers.get('content-encoding')).toBe('gzip')
    expect(asset.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await fetch(`${url}/assets/../../package.json`)).status).toBe(404)
  })

  test('the documents are served beside it, may load their style only, and are the ones of the checkout', async () => {
    const { url } = await startApp()
    const moved = await fetch(`${url}/docs`, { redirect: 'manual' })
    expect([moved.status, moved.headers.get('location')]).toEqual([302, 'docs/'])
    const index = await fetch(`${url}/docs/`)
    expect(index.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(index.headers.get('content-security-policy')).toBe(
      "default-src 'none';style-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    )
    expect(await index.text()).toContain('href="protocol.html"')
    const files = [
      ['protocol.md', 'protocol.md', 'text/markdown; charset=utf-8'],
      ['schema.json', 'protocol/schema.json', 'application/json; charset=utf-8'],
      ['asyncapi.json', 'protocol/asyncapi.json', 'application/json; charset=utf-8'],
      ['openapi.json', 'protocol/openapi.json', 'application/json; charset=utf-8'],
    ] as const
    for (const [name, source, type] of files) {
      const file = await fetch(`${url}/docs/${name}`)
      expect([name, file.status, file.headers.get('content-type')]).toEqual([name, 200, type])
      expect(file.headers.get('content-security-policy')).not.toContain('script-src')
      expect(file.headers.get('cache-control')).toBe('no-cache')
      expect(await file.text()).toBe(
        readFileSync(new URL(`../../../../docs/${source}`, import.meta.url), 'utf8'),
      )
    }
  })

  test.each([
    ['/g/k7w2m9qx', '../#/replay/k7w2m9qx'],
    ['/g/k7w2m9qx?share=0123456789abcdefghijAB', '../#/replay/k7w2m9qx/0123456789abcdefghijAB'],
    ['/g/k7w2m9qx?share=1&share=2', '../#/replay/k7w2m9qx'],
    ['/g/k7w2m9qx?share=//elsewhere.example', '../#/replay/k7w2m9qx'],
  ])('the link %s leads into the page', async (path, target) => {
    const { url } = await startApp()
    const answer = await fetch(`${url}${path}`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, target])
  })

  test('a link to what can be no game leads nowhere', async () => {
    const { url } = await startApp()
    expect((await fetch(`${url}/g/..%2f`, { redirect: 'manual' })).status).toBe(404)
  })

  test('an address makes so many requests a second; health is not counted', async () => {
    const { url } = await startApp({ JUNQI_RATE_REQUESTS: '1/s burst 2' })
    const get = async (path: string) => (await fetch(`${url}${path}`)).status
    expect([await get('/v1/meta'), await get('/v1/rooms'), await get('/v1/meta')]).toEqual([
      200, 200, 429,
    ])
    expect(await get('/healthz')).toBe(200)
  })

  test.each([
    ['the page', '/', 200],
    ['the documents', '/docs/protocol.html', 200],
    ['a link to a game', '/g/k7w2m9qx', 302],
    ['what is not there', '/no/where', 404],
    ['what is no path', '/%zz', 404],
  ])('F-M1: %s is counted as well, while the node is drained too', async (_, path, status) => {
    const { app, url } = await startApp({ JUNQI_RATE_REQUESTS: '1/s burst 100' })
    await app.draining.begin()
    const get = async () => (await fetch(`${url}${path}`, { redirect: 'manual' })).status
    const seen = new Set<number>()
    for (let n = 0; n < 101; n++) seen.add(await get())
    expect([...seen]).toEqual([status, 429])
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })

  test('F-M1: of the page each 16 KiB count as a request', async () => {
    const { url } = await startApp({ JUNQI_RATE_REQUESTS: '1/h burst 3' })
    const headers = { 'accept-encoding': 'identity' }
    const get = async () => (await fetch(`${url}/docs/protocol.md`, { headers })).status
    expect([await get(), await get()]).toEqual([200, 429])
  })

  test('F-M1: an answer counts as a request for each 16 KiB of it', async () => {
    const real = await startRealApp()
    const { token } = await makeGuest(real.url)
    await post(`${real.url}/v1/rooms`, { preset: 'duel' }, { authorization: `Bearer ${token}` })
    const answer = await (await fetch(`${real.url}/v1/rooms`)).json()
    const { rooms: listed } = answer as { readonly rooms: readonly never[] }
    const perRoom = JSON.stringify(listed[0]).length + 1
    const { clock, rooms, url } = await startApp({ JUNQI_RATE_REQUESTS: '1/s burst 3' })
    const get = async () => (await fetch(`${url}/v1/rooms`)).status
    expect([await get(), await get()]).toEqual([200, 200])
    await clock.advance(2_000)
    rooms.listRooms = async () =>
      Array.from({ length: Math.floor(80_000 / perRoom) }, () => listed).flat()
    // Five: all three that are there, and two more that are still to come.
    expect([await get(), await get()]).toEqual([200, 429])
    await clock.advance(2_000)
    expect(await get()).toBe(429)
    await clock.advance(1_000)
    expect(await get()).toBe(200)
  })

  test('a name that stands in the query twice is refused', async () => {
    const { url } = await startApp()
    const answer = await fetch(`${url}/v1/games?limit=1&limit=2`)
    expect(answer.status).toBe(400)
    expect(httpError.parse(await answer.json()).error.message).toBe(
      'query has limit more than once.',
    )
  })

  test('F-H12: a name that the query has not is refused, whatever it is called', async () => {
    const { url } = await startApp()
    for (const name of ['nothing', '__proto__', 'constructor', 'toString']) {
      for (const path of ['/v1/games', '/v1/meta']) {
        expect(await refusalOf(await fetch(`${url}${path}?${name}=1`))).toEqual([
          400,
          'bad_message',
        ])
      }
    }
  })
})

describe('origins', () => {
  test('F-U1: a foreign page is refused; an allowed one may read, without cookies', async () => {
    const { url } = await startApp({ JUNQI_ORIGINS: 'https://junqi.example' })
    const foreign = await post(
      `${url}/v1/guests`,
      { name: 'Ann' },
      { origin: 'https://evil.example' },
    )
    expect(await refusalOf(foreign)).toEqual([403, 'forbidden_origin'])
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
    const allowed = await post(
      `${url}/v1/guests`,
      { name: 'Ann' },
      { origin: 'https://junqi.example' },
    )
    expect(allowed.status).toBe(201)
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://junqi.example')
    expect(allowed.headers.get('access-control-allow-credentials')).toBeNull()
    expect(allowed.headers.get('set-cookie')).toBeNull()
  })

  test('F-U1: a preflight is answered for an allowed page only', async () => {
    const { url } = await startApp({ JUNQI_ORIGINS: 'https://junqi.example' })
    const ask = (origin: string) =>
      fetch(`${url}/v1/rooms`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      })
    const allowed = await ask('https://junqi.example')
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-methods')).toBe('GET, POST')
    expect(allowed.headers.get('access-control-allow-headers')).toContain('authorization')
    expect((await ask('https://evil.example')).status).toBe(403)
  })

  test('F-U1: a page that came here by a name of its own is no page of the server', async () => {
    const { url, adminUrl } = await startApp({ JUNQI_ORIGINS: 'https://junqi.example' })
    const ask = async (address: string, host: string): Promise<number | undefined> => {
      const headers = { host, origin: `http://${host}` }
      const [answer] = await once(request(address, { headers }).end(), 'response')
      answer.resume()
      return answer.statusCode
    }
    for (const path of [`${url}/v1/games`, `${adminUrl}/metrics`]) {
      expect(await ask(path, 'evil.example:8080')).toBe(403)
      expect(await ask(path, 'localhost:8080')).toBe(200)
    }
  })

  test('F-U1: with a cookie only a page of the server may act', async () => {
    const { url } = await startApp()
    const { token } = await makeGuest(url)
    const cookie = `other=1; junqi_token=${token}`
    const create = (headers: Readonly<Record<string, string>>) =>
      post(`${url}/v1/rooms`, { preset: 'duel' }, { cookie, ...headers })
    expect(await refusalOf(await create({}))).toEqual([403, 'forbidden_origin'])
    expect((await create({ origin: url })).status).toBe(201)
    expect((await fetch(`${url}/v1/session`, { headers: { cookie } })).status).toBe(200)
  })
})

describe('session', () => {
  test('it says whose token it is', async () => {
    const { url } = await startApp()
    const { id, token } = await makeGuest(url)
    const response = await fetch(`${url}/v1/session`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await response.json()).toEqual({ player: { id, name: 'Ann' } })
  })

  test.each([
    ['no token', {}],
    ['a wrong token', { authorization: `Bearer 000000000000.${'A'.repeat(43)}` }],
    ['another scheme', { authorization: 'Basic QTpC' }],
  ])('F-R5: %s is refused with how to come in', async (_, headers) => {
    const { url } = await startApp()
    const response = await fetch(`${url}/v1/session`, { headers })
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(await refusalOf(response)).toEqual([401, 'unauthorized'])
  })

  test('F-U3: a token in the URL is not taken', async () => {
    const { url } = await startApp()
    const { token } = await makeGuest(url)
    for (const name of ['token', 'access_token', 'authorization']) {
      const response = await fetch(`${url}/v1/session?${name}=${token}`)
      expect(await refusalOf(response)).toEqual([400, 'bad_message'])
    }
  })
})

describe('rooms', () => {
  const RIGHT = { preset: 'siguo', options: { turnSeconds: 30 }, private: true }

  test('a room is made for the player whose token it is', async () => {
    const { rooms, url } = await startApp()
    const { id, token } = await makeGuest(url)
    const asked: unknown[] = []
    const make = rooms.createRoom
    rooms.createRoom = async (...args) => {
      asked.push(args)
      return make(...args)
    }
    const authorization = `Bearer ${token}`
    const response = await post(`${url}/v1/rooms`, RIGHT, {
      authorization,
      'idempotency-key': 'k1',
    })
    expect([response.status, await response.json()]).toEqual([201, { room: STUB_ROOM, version: 1 }])
    await post(`${url}/v1/rooms`, { ...RIGHT, id: 'k2' }, { authorization })
    expect(asked).toEqual([
      [{ id, name: 'Ann' }, RIGHT, 'k1'],
      [{ id, name: 'Ann' }, RIGHT, 'k2'],
    ])
  })

  test('without an id each request makes another room', async () => {
    const { rooms, url } = await startApp()
    const { token } = await makeGuest(url)
    const ids = new Set<string>()
    const make = rooms.createRoom
    rooms.createRoom = async (...args) => {
      ids.add(args[2])
      return make(...args)
    }
    for (let n = 0; n < 3; n++)
      await post(`${url}/v1/rooms`, { preset: 'duel' }, { authorization: `Bearer ${token}` })
    expect(ids.size).toBe(3)
  })

  test('what the rooms refuse is passed on with its code', async () => {
    const { rooms, url } = await startApp()
    const { token } = await makeGuest(url)
    rooms.createRoom = async () => refuse('bad_rules', 'turnSeconds: 5 to 600.')
    const response = await post(
      `${url}/v1/rooms`,
      { preset: 'duel' },
      { authorization: `Bearer ${token}` },
    )
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: { code: 'bad_rules', message: 'turnSeconds: 5 to 600.', retryable: false } },
    ])
  })

  test.each([
    ['no preset', {}, {}],
    ['a bad id', { preset: 'duel' }, { 'idempotency-key': 'a b' }],
    ['two ids', { preset: 'duel', id: 'a' }, { 'idempotency-key': 'b' }],
  ])('%s is refused', async (_, body, headers) => {
    const { url } = await startApp()
    const { token } = await makeGuest(url)
    const response = await post(`${url}/v1/rooms`, body, {
      authorization: `Bearer ${token}`,
      ...headers,
    })
    expect(await refusalOf(response)).toEqual([400, 'bad_message'])
  })

  test('F-H12: making a room needs a token; reading tells the rooms who asks', async () => {
    const { rooms, url } = await startApp()
    const { id, token } = await makeGuest(url)
    expect((await post(`${url}/v1/rooms`, { preset: 'duel' })).status).toBe(401)
    const asked: unknown[] = []
    rooms.publicRoom = async (...args) => {
      asked.push(args)
      return null
    }
    for (const headers of [{}, { authorization: `Bearer ${token}` }])
      await fetch(`${url}/v1/rooms/${STUB_ROOM}`, { headers })
    expect(asked).toEqual([
      [STUB_ROOM, null],
      [STUB_ROOM, { id, name: 'Ann' }],
    ])
  })

  test('F-H12: what may not be seen, what is not there and what is no id are the same answer', async () => {
    const { url } = await startApp()
    const { token } = await makeGuest(url)
    const bytes = async (path: string): Promise<string> => {
      const response = await fetch(`${url}${path}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const headers = [...response.headers].filter(([name]) => name !== 'date')
      return JSON.stringify([response.status, headers, await response.text()])
    }
    const ids = [STUB_ROOM, 'zzzzzzzz', 'no-id', '0'.repeat(200)]
    const answers = await Promise.all(
      ids.flatMap((id) => [
        bytes(`/v1/rooms/${id}`),
        bytes(`/v1/codes/${id}`),
        bytes(`/v1/games/${id}/record`),
      ]),
    )
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain('room_not_found')
  })
})

describe('codes', () => {
  async function made(isPrivate: boolean) {
    const { url } = await startRealApp()
    const { token } = await makeGuest(url)
    const authorization = `Bearer ${token}`
    const response = await post(
      `${url}/v1/rooms`,
      { preset: 'duel', private: isPrivate },
      { authorization },
    )
    const { room } = roomCreated.parse(await response.json())
    return { url, room, headers: { authorization } }
  }

  test('a code is looked up without the room’s being made to be seen', async () => {
    const { rooms, url } = await startApp()
    rooms.publicRoom = () => Promise.reject(new Error('nobody asked to see it'))
    rooms.isShown = async () => true
    expect((await fetch(`${url}/v1/codes/${STUB_ROOM}`)).status).toBe(200)
  })

  test('what somebody types leads to the room', async () => {
    const { url, room } = await made(false)
    for (const typed of [room, formatRoomCode(room), room.toUpperCase().replace(/0/g, 'O')]) {
      const response = await fetch(`${url}/v1/codes/${typed}`)
      expect(await response.json()).toEqual({ room, code: formatRoomCode(room) })
    }
  })

  test('F-H12: the code of a private room leads its members to it, and is none to all others', async () => {
    const { url, room, headers } = await made(true)
    const own = await fetch(`${url}/v1/codes/${formatRoomCode(room)}`, { headers })
    expect(await own.json()).toEqual({ room, code: formatRoomCode(room) })
    const [foreign, none] = [room, 'zzzzzzzz'].map((code) => fetch(`${url}/v1/codes/${code}`))
    expect(await (await foreign)?.text()).toBe(await (await none)?.text())
  })
})

describe('about the server', () => {
  test('meta tells version, limits, rates and presets', async () => {
    const { url } = await startApp()
    expect(await (await fetch(`${url}/v1/meta`)).json()).toMatchObject({
      protocol: PROTOCOL,
      serverTime: 1_000_000,
      limits: { frameBytes: 8192, rates: { messages: { perSecond: 100, burst: 400 } } },
      presets: { siguo: { board: 'siguo' }, duel: { board: 'duel' } },
    })
  })

  test('HEAD is GET without its body', async () => {
    const { url } = await startApp()
    const response = await fetch(`${url}/v1/meta`, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })

  test('the first page says where to go', async () => {
    const { url } = await startApp()
    const response = await fetch(url)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain('/v1/ws')
  })

  test('metrics are on the admin port alone, and name no room or player', async () => {
    const { adminUrl, url } = await startApp()
    const { id, token } = await makeGuest(url)
    const client = await TestClient.hello(url, token)
    client.send({ type: 'unsubscribe', id: 'a', room: STUB_ROOM })
    client.send({ type: 'dance', id: 'b' })
    await client.reply('b')
    await TestClient.dial(url, null).catch(() => {})
    const text = await (await fetch(`${adminUrl}/metrics`)).text()
    expect(text).toContain('junqi_connections 1\n')
    expect(text).toContain('junqi_messages_received_total 3\n')
    expect(text).toContain('junqi_messages_refused_total{code="unknown_type"} 1\n')
    expect(text).toContain('junqi_handshakes_refused_total{code="unauthorized"} 1\n')
    for (const secret of [id, STUB_ROOM, 'Ann']) expect(text).not.toContain(secret)
    expect((await fetch(`${url}/metrics`)).status).toBe(404)
  })

  test('the rooms’ work is measured: commands, entries, conflicts, and what the store did not answer', async () => {
    const { adminUrl, url } = await startRealApp()
    const { token } = await makeGuest(url)
    const client = await TestClient.hello(url, token)
    const made = await command(client, {
      type: 'createRoom',
      preset: 'duel',
      options: {},
      private: false,
    })
    await command(client, { type: 'sit', room: made.room, seat: 'south' })
    const text = await (await fetch(`${adminUrl}/metrics`)).text()
    expect(text).toContain('junqi_append_seconds_count 2\n')
    expect(text).toContain('junqi_command_seconds_count 1\n')
    expect(text).toMatch(/^junqi_append_seconds_bucket\{le="0.001"\} [0-2]$/m)
    expect(text).toContain('junqi_sweep_lag_seconds_count 0\n')
    expect(text).toContain('junqi_rooms 1\n')
    for (const name of ['conflicts', 'resyncs', 'store_timeouts'])
      expect(text).toContain(`junqi_${name}_total 0\n`)
    expect(text).not.toContain(String(made.room))
  })

  test('F-U3: no log line, at any level, holds a token, a name, a query string or a body', async () => {
    const { logs, url } = await startApp()
    const { token } = await makeGuest(url, 'Secretive')
    await post(`${url}/v1/guests?q=Secretive`, '{"name":"Secretive"', {})
    await fetch(`${url}/v1/session?token=${token}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    await fetch(`${url}/v1/rooms/${token}`)
    const client = await TestClient.hello(url, token)
    client.socket.send(`{"type":"ping","id":"${token}"`)
    await client.reply(null)
    const text = logs.join('')
    expect(logs.length).toBeGreaterThan(4)
    for (const secret of [token, token.split('.')[1] ?? '', 'Secretive', '?', 'Bearer'])
      expect(text).not.toContain(secret)
  })
})
