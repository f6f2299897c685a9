import { readdirSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { httpError } from '@junqi/protocol'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { FakeClock } from '../support/fake-clock.ts'
import {
  type Dial,
  eventually,
  makeGuest,
  refusedHandshake,
  startApp,
  stopApps,
  TestClient,
} from '../support/test-app.ts'

afterEach(stopApps)

const openFiles = (): number => readdirSync('/proc/self/fd').length

describe('before the 101', () => {
  const NOBODY = `0000000000000.${'A'.repeat(43)}`

  test.each<[string, Dial & { token?: string | null }, number, string]>([
    ['another path', { path: '/v2/ws' }, 404, 'not_found'],
    ['no subprotocol', { protocols: [] }, 400, 'unsupported_protocol'],
    ['another subprotocol', { protocols: ['junqi.v2'] }, 400, 'unsupported_protocol'],
    ['no token', { token: null }, 401, 'unauthorized'],
    ["nobody's token", { token: NOBODY }, 401, 'unauthorized'],
    ['a foreign origin', { headers: { origin: 'https://evil.example' } }, 403, 'forbidden_origin'],
    ["a stranger's name", { headers: { host: 'evil.example:8080' } }, 403, 'forbidden_origin'],
  ])(
    'F-U2: %s is refused with an HTTP error, and the socket destroyed',
    async (_, dial, status, code) => {
      const { app, url, rooms } = await startApp()
      const { token } = await makeGuest(url)
      const accepted: Socket[] = []
      app.http.server.on('connection', (socket: Socket) => accepted.push(socket))
      const refused = await refusedHandshake(
        TestClient.dial(url, dial.token === undefined ? token : dial.token, dial),
      )
      expect(refused.status).toBe(status)
      expect(httpError.parse(JSON.parse(refused.body)).error.code).toBe(code)
      expect(accepted.map((socket) => socket.writableEnded)).toEqual([true])
      await eventually(() => app.gateway.size === 0 && accepted[0]?.destroyed === true)
      expect(rooms.opened).toEqual([])
    },
  )

  test('F-U3: a token in the URL is not taken', async () => {
    const { url } = await startApp()
    const { token } = await makeGuest(url)
    for (const name of ['token', 'access_token', 'authorization']) {
      const path = `/v1/ws?${name}=${token}`
      expect((await refusedHandshake(TestClient.dial(url, null, { path }))).status).toBe(401)
    }
  })

  test('F-U2: refused sockets leave no descriptor behind', async () => {
    const { app, url } = await startApp()
    await refusedHandshake(TestClient.dial(url, null))
    await eventually(() => app.gateway.size === 0)
    const before = openFiles()
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        Array.from({ length: 20 }, () => refusedHandshake(TestClient.dial(url, 'wrong'))),
      )
    }
    await eventually(() => app.gateway.size === 0 && openFiles() <= before)
    expect(openFiles()).toBeLessThanOrEqual(before)
  })

  test('F-U2: a refused client that does not close its own half is let go of', async () => {
    const { app, url } = await startApp()
    const connections = promisify(app.http.server.getConnections.bind(app.http.server))
    const socket = createConnection({
      port: Number(new URL(url).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    })
    socket.on('error', () => {})
    socket.write(
      'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    )
    let answer = ''
    socket.on('data', (data) => {
      answer += data
    })
    await eventually(() => answer.endsWith('}'))
    expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
    try {
      await vi.waitUntil(async () => (await connections()) === 0, 15_000)
      expect(socket.writable).toBe(true)
    } finally {
      socket.destroy()
    }
  })

  test.each([
    ['no key', 'Sec-WebSocket-Version: 13\r\n'],
    [
      'another version',
      'Sec-WebSocket-Version: 7\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
    ],
  ])('F-U2: a handshake with %s is refused in the same form', async (_, headers) => {
    const { app, url } = await startApp()
    const { token } = await makeGuest(url)
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
    socket.write(
      `GET /v1/ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAuthorization: Bearer ${token}\r\nSec-WebSocket-Protocol: junqi.v1\r\n${headers}\r\n`,
    )
    let answer = ''
    for await (const data of socket) answer += data
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(httpError.parse(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).error.code).toBe(
      'bad_message',
    )
    await eventually(() => app.gateway.size === 0)
  })

  const OWN = 'http://HOST'
  test.each([
    ['none (a program)', null, true],
    ["the server's own", OWN, true],
    ['one of the list', 'https://junqi.example', true],
    ['another port of the list', 'https://junqi.example:8443', false],
    ['another scheme', 'http://junqi.example', false],
    ['a subdomain', 'https://a.junqi.example', false],
    ['one that only starts so', 'https://junqi.example.evil.example', false],
    ['one that only ends so', 'https://notjunqi.example', false],
    ['null (a sandbox or a file)', 'null', false],
    ['empty', '', false],
    ['in capitals', 'HTTPS://JUNQI.EXAMPLE', false],
    ['the own host over TLS', 'https://HOST', false],
  ])('F-U1: origin %s: %s -> %s', async (_, origin, mayEnter) => {
    const { url } = await startApp({ JUNQI_ORIGINS: 'https://junqi.example' })
    const { token } = await makeGuest(url)
    const headers = origin === null ? {} : { origin: origin.replace('HOST', new URL(url).host) }
    const dialling = TestClient.dial(url, token, { headers })
    if (mayEnter) expect((await dialling).socket.protocol).toBe('junqi.v1')
    else expect((await refusedHandshake(dialling)).status).toBe(403)
  })

  test('F-U3: the token comes in a header, a subprotocol entry or a cookie', async () => {
    const { url } = await startApp()
    const { id, token } = await makeGuest(url)
    const origin = url
    const dials: readonly Dial[] = [
      { headers: { authorization: `Bearer ${token}` } },
      { protocols: ['junqi.v1', `bearer.${token}`] },
      { headers: { cookie: `junqi_token=${token}`, origin } },
    ]
    for (const dial of dials) {
      const client = await TestClient.dial(url, null, dial)
      expect(client.socket.protocol).toBe('junqi.v1')
      client.send({ type: 'hello', id: 'h', client: 'test' })
      expect(await client.reply('h')).toMatchObject({ type: 'welcome', player: { id } })
    }
  })

  test('F-U1: a cookie counts on the own pages alone', async () => {
    const { url } = await startApp({ JUNQI_ORIGINS: 'https://junqi.example' })
    const { token } = await makeGuest(url)
    const cookie = `junqi_token=${token}`
    for (const headers of [{ cookie }, { cookie, origin: 'https://junqi.example' }])
      expect((await refusedHandshake(TestClient.dial(url, null, { headers }))).status).toBe(403)
  })

  test('an address has so many connections, and gets a place back when one closes', async () => {
    const { app, url } = await startApp({ JUNQI_MAX_CONNECTIONS_PER_ADDRESS: '2' })
    const { token } = await makeGuest(url)
    const first = await TestClient.dial(url, token)
    await TestClient.dial(url, token)
    const refused = await refusedHandshake(TestClient.dial(url, token))
    expect([refused.status, refused.body]).toEqual([503, expect.stringContaining('"busy"')])
    const session = await fetch(`${url}/v1/session`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect([session.status, await session.text()]).toEqual([503, refused.body])
    first.socket.close()
    await eventually(() => app.gateway.size === 1)
    await TestClient.dial(url, token)
  })

  test('the server has so many connections in all', async () => {
    const { url } = await startApp({ JUNQI_MAX_CONNECTIONS: '1' })
    const { token } = await makeGuest(url)
    await TestClient.dial(url, token)
    expect((await refusedHandshake(TestClient.dial(url, token))).status).toBe(503)
  })

  test('an address makes so many handshakes a second', async () => {
    const { clock, url } = await startApp({ JUNQI_RATE_REQUESTS: '1/s burst 2' })
    const { token } = await makeGuest(url)
    await TestClient.dial(url, token)
    expect((await refusedHandshake(TestClient.dial(url, token))).status).toBe(429)
    await clock.advance(1000)
    await TestClient.dial(url, token)
  })
})

describe('a connection', () => {
  test('F-R4: wrong tokens leave the right one as it was', async () => {
    const { rooms, url } = await startApp()
    const { id, token } = await makeGuest(url)
    const client = await TestClient.hello(url, token)
    const forged = `${id}.${'B'.repeat(43)}`
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await refusedHandshake(TestClient.dial(url, forged))).status).toBe(401)
    const headers = { authorization: `Bearer ${forged}` }
    expect((await fetch(`${url}/v1/session`, { headers })).status).toBe(401)
    const back = await TestClient.hello(url, token)
    for (const each of [client, back]) {
      each.send({ type: 'ping', id: 'p' })
      expect(await each.reply('p')).toMatchObject({ type: 'pong' })
    }
    expect(rooms.closed).toEqual([])
  })

  test('F-R5: the public id, alone or with parts of the token, is no way in', async () => {
    const { store, url } = await startApp()
    const ann = await makeGuest(url)
    const bob = await makeGuest(url, 'Bob')
    const record = await store.findPlayer(ann.id)
    const attempts = [
      ann.id,
      `${ann.id}.`,
      record?.tokenHash ?? '',
      `${ann.id}.${bob.token.split('.')[1]}`,
    ]
    for (const attempt of attempts)
      expect((await refusedHandshake(TestClient.dial(url, attempt))).status).toBe(401)
    expect(JSON.stringify(record)).not.toContain(ann.token.split('.')[1])
  })

  test('F-R10: frames sent with the handshake, before its answer, are all answered', async () => {
    const { url } = await startApp()
    const { token } = await makeGuest(url)
    const frame = (text: string): Buffer =>
      Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)])
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
    const handshake = `GET /v1/ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: junqi.v1\r\nAuthorization: Bearer ${token}\r\n\r\n`
    const hello = frame('{"type":"hello","id":"h","client":"early"}')
    const ping = frame('{"type":"ping","id":"p"}')
    socket.write(Buffer.concat([Buffer.from(handshake), hello, ping.subarray(0, 9)]))
    socket.write(ping.subarray(9))
    let answer = ''
    socket.on('data', (data) => {
      answer += data
    })
    // Said later, until it is answered somehow: by then what was said before is.
    const late = frame('{"type":"ping","id":"late"}')
    await eventually(() => {
      if (answer.startsWith('HTTP/1.1 101 ')) socket.write(late)
      return answer.includes('"re":"late"')
    })
    socket.destroy()
    expect(answer).toMatch(/^HTTP\/1\.1 101 .*"welcome","re":"h".*"pong","re":"p".*"re":"late"/s)
  })

  test('F-R3: the late close of an old connection does not close the new one of the same player', async () => {
    const { rooms, url } = await startApp()
    const { token } = await makeGuest(url)
    const old = await TestClient.hello(url, token)
    const fresh = await TestClient.hello(url, token)
    old.socket.terminate()
    await eventually(() => rooms.closed.length > 0)
    expect(rooms.closed).toEqual([rooms.opened[0]])
    fresh.send({ type: 'ping', id: 'p' })
    expect(await fresh.reply('p')).toMatchObject({ type: 'pong' })
  })

  test('F-R8: several tabs of a player all stay open', async () => {
    const { rooms, url } = await startApp()
    const { id, token } = await makeGuest(url)
    const tabs = await Promise.all([1, 2, 3].map(() => TestClient.hello(url, token)))
    expect(rooms.opened.map(({ player }) => player.id)).toEqual([id, id, id])
    for (const tab of tabs) {
      tab.send({ type: 'ping', id: 'p' })
      expect(await tab.reply('p')).toMatchObject({ type: 'pong' })
    }
  })

  test('the first message is hello; what comes before it is refused and can be sent again', async () => {
    const { rooms, url } = await startApp()
    const { token } = await makeGuest(url)
    const client = await TestClient.dial(url, token)
    client.send({ type: 'ping', id: 'p1' })
    expect(await client.reply('p1')).toMatchObject({ type: 'error', code: 'hello_first' })
    client.send({ type: 'hello', id: 'h', client: 'test' })
    client.send({ type: 'ping', id: 'p2' })
    expect(await client.reply('p2')).toMatchObject({ type: 'pong' })
    expect(rooms.opened.length).toBe(1)
  })

  test('without a hello it is closed with 4408', async () => {
    const { clock, rooms, url } = await startApp()
    const { token } = await makeGuest(url)
    const client = await TestClient.dial(url, token)
    await clock.advance(11_000)
    expect((await client.closed).code).toBe(4408)
    expect(rooms.closed).toEqual([])
  })

  test('it is gone after two missed pings, and one that answers stays', async () => {
    const { app, clock, rooms, url } = await startApp()
    const { token } = await makeGuest(url)
    const silent = await TestClient.hello(url, token, { autoPong: false })
    const alive = await TestClient.hello(url, token)
    for (let second = 0; second < 60 && app.gateway.size > 1; second++) {
      const pings = alive.socket.listenerCount('ping')
      await clock.advance(1000)
      expect(pings).toBe(0)
      // A round trip: the pong of this second's ping is in.
      alive.send({ type: 'ping', id: `p${second}` })
      await alive.reply(`p${second}`)
    }
    expect((await silent.closed).code).toBe(1006)
    await eventually(() => rooms.closed.length === 1)
    expect(alive.socket.readyState).toBe(WebSocket.OPEN)
  })
})

describe('F-T4: while service time stands still', () => {
  test('a silent connection is ended all the same', async () => {
    const { app, clock, url } = await startApp({}, new FakeClock())
    const { token } = await makeGuest(url)
    const mute = await TestClient.dial(url, token)
    const silent = await TestClient.hello(url, token, { autoPong: false })
    await clock.advance(11_000)
    expect((await mute.closed).code).toBe(4408)
    await clock.advance(49_000)
    expect((await silent.closed).code).toBe(1006)
    await eventually(() => app.gateway.size === 0)
  })

  test('rates are counted, and what is used up comes back', async () => {
    const env = { JUNQI_RATE_MESSAGES: '1/s burst 2', JUNQI_RATE_REQUESTS: '1/s burst 3' }
    const { clock, url } = await startApp(env, new FakeClock())
    const { token } = await makeGuest(url)
    const client = await TestClient.hello(url, token)
    const send = async (id: string) => {
      client.send({ type: 'ping', id })
      return (await client.reply(id)).type
    }
    const ask = async () => (await fetch(`${url}/v1/meta`)).status
    expect([await send('a'), await send('b')]).toEqual(['pong', 'error'])
    expect([await ask(), await ask()]).toEqual([200, 429])
    // Two tokens: the connection may be pinged, and the pong costs one.
    await clock.advance(2000)
    expect([await send('c'), await ask()]).toEqual(['pong', 200])
  })

  test('players are told service time', async () => {
    const storeClock = new FakeClock(5_000_000)
    const { clock, url } = await startApp({}, storeClock)
    const client = await TestClient.hello(url, (await makeGuest(url)).token)
    await clock.advance(500)
    client.send({ type: 'ping', id: 'p' })
    expect(await client.reply('p')).toMatchObject({ serverTime: 5_000_000 })
    expect(await client.reply('hello')).toMatchObject({ serverTime: 5_000_000 })
    expect(await (await fetch(`${url}/v1/meta`)).json()).toMatchObject({ serverTime: 5_000_000 })
  })
})
