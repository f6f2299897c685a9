import { createConnection, Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { CLOSE_CODES, commandId, type EncodedMessage, encodeServerMessage } from '@junqi/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { MAX_BUFFERED } from '../../src/socket/connection.ts'
import type { Session } from '../../src/socket/session.ts'
import {
  closedUnread,
  eventually,
  makeGuest,
  refusedHandshake,
  startApp,
  startRealApp,
  stopApps,
  TestClient,
} from '../support/test-app.ts'

afterEach(stopApps)

/** The connection ends, or its last message is answered all the same. */
const endOf = (client: TestClient, last: string): Promise<void> =>
  eventually(() => client.socket.readyState >= WebSocket.CLOSING || client.replies(last).length > 0)

const unsubscribe = (id: string) => ({ type: 'unsubscribe', id, room: '00000000' })

async function start(env: Readonly<Record<string, string>> = {}) {
  const server = await startApp(env)
  const guest = await makeGuest(server.url)
  const client = await TestClient.hello(server.url, guest.token)
  return { ...server, ...guest, client }
}

/** What `ws` writes to. */
function rawSocketOf({ socket }: TestClient): Socket {
  const raw: unknown = Reflect.get(socket, '_socket')
  if (raw instanceof Socket) return raw
  throw new Error('there is no socket')
}

describe('order', () => {
  test('F-R1, F-R10: commands are handled one after the other, and each is answered once', async () => {
    const { client, rooms } = await start()
    const ids = Array.from({ length: 20 }, (_, n) => `c${n}`)
    rooms.before = () => setImmediate()
    for (const id of ids) client.send(unsubscribe(id))
    await client.reply('c19')
    expect(client.messages.slice(1).map((message) => message.re)).toEqual(ids)
  })

  test('F-M4: what does not fit in the queue is told busy, and nothing is dropped silently', async () => {
    const { client, rooms } = await start()
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    rooms.before = () => held
    const ids = Array.from({ length: 80 }, (_, n) => `c${n}`)
    for (const id of ids) client.send(unsubscribe(id))
    client.send({ type: 'ping', id: 'p' })
    await client.reply('p')
    release()
    await client.reply('c64')
    const busy = client.messages.filter((message) => message.code === 'busy')
    expect(busy.map((message) => message.re)).toEqual(ids.slice(65))
    expect(busy[0]).toMatchObject({ type: 'error', retryable: true })
    for (const id of ids) expect(client.replies(id).length).toBe(1)
  })

  test('F-T1: the rooms know what waits, until it is handled or dropped', async () => {
    const { client, rooms } = await start()
    const held: (() => void)[] = []
    rooms.before = () => new Promise((resolve) => held.push(resolve))
    for (const id of ['a', 'b', 'c']) client.send(unsubscribe(id))
    const waiting = () => [...rooms.queued].map(({ id }) => id)
    await eventually(() => waiting().length === 2)
    expect(waiting()).toEqual(['b', 'c'])
    held[0]?.()
    await eventually(() => held.length === 2)
    expect(waiting()).toEqual(['b', 'c'])
    held[1]?.()
    await eventually(() => held.length === 3)
    expect(waiting()).toEqual(['c'])
    client.send(unsubscribe('d'))
    await eventually(() => waiting().length === 2)
    client.socket.terminate()
    await eventually(() => waiting().length === 1)
    held[2]?.()
    await eventually(() => waiting().length === 0)
  })

  test('F-R3: the rooms hear of a close only after the message in hand is done', async () => {
    const { app, client, rooms } = await start()
    let release = (): void => {}
    rooms.before = () =>
      new Promise<void>((resolve) => {
        release = resolve
      })
    client.send(unsubscribe('a'))
    client.send(unsubscribe('b'))
    await eventually(() => rooms.handled.length === 1)
    client.socket.terminate()
    await eventually(() => app.gateway.size === 0)
    expect(rooms.closed.length).toBe(0)
    release()
    await eventually(() => rooms.closed.length === 1)
    expect(rooms.handled.length).toBe(1)
  })

  test('F-U4: a fault in the rooms is answered and logged, without its text, and the connection goes on', async () => {
    const { client, logs, rooms } = await start()
    rooms.before = (_, message) => {
      if (message.id === 'bad') throw new Error('planted')
    }
    client.send(unsubscribe('bad'))
    client.send(unsubscribe('good'))
    expect(await client.reply('bad')).toMatchObject({ type: 'error', code: 'internal' })
    expect(await client.reply('good')).toMatchObject({ type: 'ack' })
    expect(logs.join('')).toContain('"message fault"')
    expect(logs.join('')).not.toContain('planted')
  })
})

describe('rates', () => {
  test('over its rate a message is refused with a time to wait, and taken after it', async () => {
    const { client, clock, rooms } = await start({ JUNQI_RATE_MESSAGES: '10/s burst 2' })
    client.send(unsubscribe('a'))
    client.send(unsubscribe('b'))
    expect(await client.reply('b')).toEqual({
      type: 'error',
      re: 'b',
      code: 'rate_limited',
      message: 'Too many messages; wait and send again.',
      retryable: true,
      retryAfterMs: 100,
      room: null,
      version: null,
      turn: null,
    })
    await clock.advance(100)
    client.send(unsubscribe('b2'))
    expect(await client.reply('b2')).toMatchObject({ type: 'ack' })
    expect(rooms.handled.map((message) => message.id)).toEqual(['a', 'b2'])
  })

  test('the connections of a player share a rate; other players have their own', async () => {
    const { client, token, url } = await start({ JUNQI_RATE_PLAYER: '1/s burst 3' })
    const second = await TestClient.hello(url, token)
    client.send(unsubscribe('a'))
    await client.reply('a')
    second.send(unsubscribe('b'))
    expect(await second.reply('b')).toMatchObject({ code: 'rate_limited' })
    const other = await TestClient.hello(url, (await makeGuest(url)).token)
    other.send(unsubscribe('c'))
    expect(await other.reply('c')).toMatchObject({ type: 'ack' })
  })

  test('F-U5: what is told again counts as a message for each ten frames, of the connection and of its player', async () => {
    const env = { JUNQI_RATE_MESSAGES: '10/s burst 4', JUNQI_RATE_PLAYER: '10/s burst 8' }
    const { client, clock, rooms, token, url } = await start(env)
    const frame = encodeServerMessage({ type: 'pong', re: commandId.parse('r'), serverTime: 0 })
    const session = rooms.opened[0]
    session?.replay(Array.from({ length: 19 }, () => frame))
    client.send(unsubscribe('a'))
    expect(await client.reply('a')).toMatchObject({ type: 'ack' })
    expect(client.replies('r')).toHaveLength(19)
    session?.replay(Array.from({ length: 59 }, () => frame))
    client.send(unsubscribe('b'))
    expect(await client.reply('b')).toMatchObject({ code: 'rate_limited', retryAfterMs: 500 })
    const second = await TestClient.dial(url, token)
    second.send({ type: 'hello', id: 'hello', client: 'test' })
    expect(await second.reply('hello')).toMatchObject({ code: 'rate_limited', retryAfterMs: 100 })
    await clock.advance(500)
    for (const each of [client, second]) {
      each.send({ type: 'hello', id: 'again', client: 'test' })
      expect(await each.reply('again')).toMatchObject({ type: 'welcome' })
    }
  })

  test('F-M1: a large frame counts as a message for each 16 KiB of it, of the connection and of its player', async () => {
    const env = { JUNQI_RATE_MESSAGES: '10/s burst 4', JUNQI_RATE_PLAYER: '10/s burst 8' }
    const { client, clock, rooms } = await start(env)
    const large = (kibibytes: number) =>
      JSON.stringify('x'.repeat(kibibytes * 1024)) as EncodedMessage
    const [session] = rooms.opened
    session?.send(large(15))
    client.send(unsubscribe('a'))
    expect(await client.reply('a')).toMatchObject({ type: 'ack' })
    session?.send(large(100))
    client.send(unsubscribe('b'))
    expect(await client.reply('b')).toMatchObject({ code: 'rate_limited', retryAfterMs: 500 })
    await clock.advance(500)
    client.send(unsubscribe('c'))
    expect(await client.reply('c')).toMatchObject({ type: 'ack' })
  })

  test('rooms made over WebSocket and over HTTP count together', async () => {
    const { url } = await startRealApp({ JUNQI_RATE_ROOMS: '1/min burst 2' })
    const { token } = await makeGuest(url)
    const client = await TestClient.hello(url, token)
    const post = () =>
      fetch(`${url}/v1/rooms`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ preset: 'duel' }),
      })
    const create = { type: 'createRoom', preset: 'duel', options: {}, private: false }
    client.send({ ...create, id: 'a' })
    expect(await client.reply('a')).toMatchObject({ type: 'ack' })
    expect((await post()).status).toBe(201)
    client.send({ ...create, id: 'b' })
    expect(await client.reply('b')).toMatchObject({ code: 'rate_limited', retryAfterMs: 60_000 })
    const refused = await post()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    client.send({ ...create, id: 'a' })
    await eventually(() => client.replies('a').length === 2)
    const [first, again] = client.replies('a')
    expect(again).toEqual(first)
  })

  test('a flood is refused message by message, then closed with 4429; others are not touched', async () => {
    const env = { JUNQI_RATE_MESSAGES: '1/s burst 10', JUNQI_RATE_STRIKES: '1/s burst 20' }
    const { client, clock, rooms, url } = await start(env)
    const other = await TestClient.hello(url, (await makeGuest(url)).token)
    for (let n = 0; n < 500; n++) client.send(unsubscribe(`f${n}`))
    expect(await closedUnread(client, clock)).toBe(4429)
    const refused = client.messages.filter((message) => message.code === 'rate_limited')
    expect(refused.length).toBe(21)
    expect(rooms.handled.length).toBeLessThanOrEqual(9)
    other.send(unsubscribe('a'))
    expect(await other.reply('a')).toMatchObject({ type: 'ack' })
  })

  test('what a flood goes on sending after its close is not read', async () => {
    const env = { JUNQI_RATE_MESSAGES: '1/s burst 10', JUNQI_RATE_STRIKES: '1/s burst 20' }
    const server = await startApp(env)
    const accepted: Socket[] = []
    server.app.http.server.on('connection', (socket: Socket) => accepted.push(socket))
    const { token } = await makeGuest(server.url)
    const client = await TestClient.hello(server.url, token)
    const ours = accepted.find(({ remotePort }) => remotePort === rawSocketOf(client).localPort)
    // It does not read either, and so never answers the close.
    client.socket.pause()
    for (let n = 0; n < 100; n++) client.send(unsubscribe(`f${n}`))
    await vi.waitUntil(async () => {
      const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text()
      return metrics.includes('reason="flooding"')
    }, 30_000)
    const before = ours?.bytesRead ?? Number.NaN
    const text = Buffer.from([0x81, 0xfe, 0x1f, 0x40, 0, 0, 0, 0, ...Buffer.alloc(8000, ' ')])
    for (let n = 0; n < 1000; n++) rawSocketOf(client).write(text)
    for (let n = 0; n < 100; n++) await fetch(`${server.url}/healthz`)
    expect(ours?.bytesRead).toBeLessThan(before + 2 * 65_536)
    await server.clock.advance(3000)
    await eventually(() => server.app.gateway.size === 0)
  })

  test("F-M1: pings of WebSocket's own count as messages", async () => {
    const env = { JUNQI_RATE_MESSAGES: '1/s burst 10', JUNQI_RATE_STRIKES: '1/s burst 20' }
    const { client, clock } = await start(env)
    let pongs = 0
    client.socket.on('pong', () => {
      pongs += 1
    })
    for (let n = 0; n < 100; n++) client.socket.ping()
    client.send({ type: 'ping', id: 'late' })
    await endOf(client, 'late')
    expect(client.replies('late')).toEqual([])
    expect(await closedUnread(client, clock)).toBe(4429)
    expect(pongs).toBe(9)
  })

  test('F-U5: a malformed message is answered with a code; beyond a budget of them it is closed with 4400', async () => {
    const { client, clock } = await start({ JUNQI_RATE_STRIKES: '1/s burst 3' })
    client.socket.send('{')
    client.socket.send(Buffer.from('{"type":"ping","id":"p"}'), { binary: true })
    client.send({ type: 'dance', id: 'd' })
    client.send({ type: 'ping', id: 'still here' })
    client.send({ type: 'ping', id: 'late' })
    await endOf(client, 'late')
    expect(client.replies('late')).toEqual([])
    expect(await closedUnread(client, clock)).toBe(4400)
    expect(client.messages.slice(1).map(({ re, code }) => [re, code])).toEqual([
      [null, 'bad_json'],
      [null, 'bad_json'],
      ['d', 'unknown_type'],
      [null, 'bad_message'],
    ])
  })

  test('F-U5: strikes are forgotten with time', async () => {
    const { client, clock } = await start({ JUNQI_RATE_STRIKES: '1/s burst 3' })
    for (let n = 0; n < 12; n++) {
      client.send({ type: 'dance', id: `d${n}` })
      await client.reply(`d${n}`)
      await clock.advance(1000)
    }
    expect(client.socket.readyState).toBe(WebSocket.OPEN)
  })
})

describe('F-U4: what breaks off', () => {
  const uncaught: unknown[] = []
  const note = (error: unknown): void => void uncaught.push(error)
  beforeEach(() => {
    uncaught.length = 0
    process.on('uncaughtException', note)
  })
  afterEach(() => {
    process.off('uncaughtException', note)
  })

  test.each([
    ['bytes that are no frame', Buffer.from([0xff, 0xff, 0xff, 0xff])],
    ['a frame that is not masked', Buffer.from([0x81, 0x01, 0x78])],
    ['a text that is not UTF-8', Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff])],
    ['a frame that says it is huge', Buffer.from([0x81, 0xff, 0x7f, 0, 0, 0, 0, 0, 0, 0])],
  ])('%s end their own connection and no other', async (_, bytes) => {
    const { app, client, url } = await start()
    const other = await TestClient.hello(url, (await makeGuest(url)).token)
    rawSocketOf(client).write(bytes)
    await client.closed
    await eventually(() => app.gateway.size === 1)
    other.send({ type: 'ping', id: 'p' })
    expect(await other.reply('p')).toMatchObject({ type: 'pong' })
    expect(uncaught).toEqual([])
  })

  test('a connection that is reset ends itself and no other', async () => {
    const { app, client, url } = await start()
    const other = await TestClient.hello(url, (await makeGuest(url)).token)
    rawSocketOf(client).resetAndDestroy()
    await eventually(() => app.gateway.size === 1)
    other.send({ type: 'ping', id: 'p' })
    expect(await other.reply('p')).toMatchObject({ type: 'pong' })
    expect(uncaught).toEqual([])
  })

  test('a handshake that is reset while its token is looked up is forgotten', async () => {
    const { app, client, store, token, url } = await start()
    let release = (): void => {}
    const find = store.findPlayer.bind(store)
    store.findPlayer = async (id) => {
      await new Promise<void>((resolve) => {
        release = resolve
      })
      return find(id)
    }
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `GET /v1/ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: junqi.v1\r\nAuthorization: Bearer ${token.slice(0, -1)}_\r\n\r\n`,
    )
    await eventually(() => app.gateway.size === 2)
    socket.resetAndDestroy()
    await eventually(() => app.gateway.size === 1)
    release()
    client.send({ type: 'ping', id: 'p' })
    expect(await client.reply('p')).toMatchObject({ type: 'pong' })
    expect(uncaught).toEqual([])
  })
})

describe('memory', () => {
  const fill = 'x'.repeat(30_000)
  const big = encodeServerMessage({
    type: 'error',
    re: null,
    code: 'internal',
    message: fill,
    retryable: false,
    retryAfterMs: null,
    room: null,
    version: null,
    turn: null,
  })

  test('F-M1: a client that does not read is ended before more than the cap waits for it', async () => {
    const { client, rooms, url } = await start()
    const reader = await TestClient.hello(url, (await makeGuest(url)).token)
    const [slowSession, readerSession] = rooms.opened
    client.socket.pause()
    let sent = 0
    while (rooms.closed.length === 0 && sent < 20_000) {
      slowSession?.send(big)
      sent += 1
      if (sent % 20 === 0) await setImmediate()
    }
    expect(rooms.closed).toEqual([slowSession])
    // What the kernel took in besides is a few megabytes at most.
    expect(sent * big.length).toBeLessThan(MAX_BUFFERED + 16 * 1024 * 1024)
    readerSession?.send(big)
    expect(await reader.reply(null)).toMatchObject({ message: fill })
  })

  test('F-M1: the frame to be sent counts, not only those before it', async () => {
    const { client, rooms } = await start()
    const session: Session | undefined = rooms.opened[0]
    const huge = encodeServerMessage({
      type: 'error',
      re: null,
      code: 'internal',
      message: '军'.repeat(MAX_BUFFERED / 3),
      retryable: false,
      retryAfterMs: null,
      room: null,
      version: null,
      turn: null,
    })
    expect(huge.length).toBeLessThan(MAX_BUFFERED / 2)
    session?.send(huge)
    await eventually(() => rooms.closed.length === 1 || client.messages.length > 1)
    expect(client.messages.length).toBe(1)
  })

  test('F-M2: what arrives after the end is ignored', async () => {
    const { client, rooms } = await start()
    rooms.before = (session) => {
      for (let n = 0; n < 200; n++) session.send(big)
    }
    client.socket.pause()
    const frames = Array.from({ length: 50 }, (_, n) => unsubscribe(`c${n}`))
    for (const frame of frames) client.send(frame)
    await eventually(() => rooms.closed.length === 1)
    expect(rooms.handled.length).toBe(1)
  })

  test('F-M3: compression is not taken up', async () => {
    const { client } = await start()
    expect(client.socket.extensions).toBe('')
  })

  test('a frame over the limit closes with 1009', async () => {
    const { client } = await start()
    client.socket.send('x'.repeat(8193))
    expect((await client.closed).code).toBe(1009)
  })

  test('F-R9: more fragments than a message may have close with a code that is published', async () => {
    const { client } = await start()
    const [first = '', ...others] = JSON.stringify({ type: 'ping', id: 'whole' })
    client.socket.send(first, { fin: false })
    for (const part of others) client.socket.send(part, { fin: false })
    client.socket.send('', { fin: true })
    expect(await client.reply('whole')).toMatchObject({ type: 'pong' })
    for (let n = 0; n < 200; n++) client.socket.send('', { fin: false })
    const { code } = await client.closed
    expect(CLOSE_CODES).toHaveProperty(String(code), expect.objectContaining({ retry: 'no' }))
    expect(code).toBe(1008)
  })
})

describe('draining', () => {
  test('F-D1: in order: answers in hand, then 1012 with a jittered hint; newcomers are told to come later', async () => {
    const { app, client, id, rooms, token, url } = await start()
    const idle = await TestClient.hello(url, (await makeGuest(url)).token)
    rooms.playing = new Set([id])
    let release = (): void => {}
    rooms.before = () =>
      new Promise<void>((resolve) => {
        release = resolve
      })
    client.send(unsubscribe('last'))
    await eventually(() => rooms.handled.length === 1)
    const drained = app.draining.begin()
    expect((await fetch(`${url}/readyz`)).status).toBe(503)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect((await refusedHandshake(TestClient.dial(url, token))).status).toBe(503)
    idle.send(unsubscribe('too late'))
    release()
    const ends = await Promise.all([client.closed, idle.closed])
    await drained
    expect(client.replies('last').length).toBe(1)
    expect(idle.messages.length).toBe(1)
    expect(ends.map(({ code }) => code)).toEqual([1012, 1012])
    const [seat, other] = ends.map(({ reason }) => JSON.parse(reason).retryAfterMs)
    expect(seat).toBeLessThanOrEqual(500)
    expect(other).toBeGreaterThanOrEqual(1000)
    expect(app.gateway.size).toBe(0)
  })

  test('F-D2: it ends although a client never answers the close, and a message never ends', async () => {
    const { app, client, rooms } = await start()
    rooms.before = () => new Promise(() => {})
    client.send(unsubscribe('never'))
    await eventually(() => rooms.handled.length === 1)
    client.socket.pause()
    await app.draining.begin()
    await eventually(() => app.gateway.size === 0)
  })
})
