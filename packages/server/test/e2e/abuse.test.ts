import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import type { App } from '../../src/app.ts'
import {
  closedUnread,
  eventually,
  makeGuest,
  startApp,
  stopApps,
  TestClient,
} from '../support/test-app.ts'

const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await stopApps()
})

async function dial(url: string): Promise<Socket> {
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {}).resume()
  await once(socket, 'connect')
  return socket
}

function openSockets({ http }: App): Promise<number> {
  return new Promise((resolve) => http.server.getConnections((_, count) => resolve(count)))
}

/** Sends bytes, and gives what came back when it ends so. */
async function exchange(url: string, bytes: string, end: string): Promise<string> {
  const socket = await dial(url)
  let answer = ''
  socket.on('data', (data) => {
    answer += String(data)
  })
  socket.write(bytes)
  await eventually(() => answer.endsWith(end) || socket.destroyed)
  return answer
}

test('F-U2: sockets on which nothing comes are so many to an address, and keep nobody else out', async () => {
  const { app, url } = await startApp({ JUNQI_MAX_CONNECTIONS_PER_ADDRESS: '5' })
  const idle = await Promise.all(Array.from({ length: 255 }, () => dial(url)))
  await eventually(() => idle.filter((socket) => socket.destroyed).length === 50)
  for (const socket of idle) socket.destroy()
  await vi.waitUntil(async () => (await openSockets(app)) === 0, 30_000)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
})

test.each([
  ['requests', 'GET /v1/meta HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['requests that expect something', 'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\n\r\n'],
  ['requests for what is no path', 'GET /% HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['requests without a host', 'GET / HTTP/1.1\r\n\r\n'],
])(
  'F-U2: who sends very many %s at once loses its other sockets unread, but for its WebSockets, and comes in again later',
  async (_, request) => {
    const { app, url, clock } = await startApp()
    const { token } = await makeGuest(url)
    const client = await TestClient.hello(url, token)
    const others = await Promise.all(Array.from({ length: 8 }, () => dial(url)))
    const offering = await dial(url)
    others.push(offering)
    offering.write(
      'GET /v1/meta HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    )
    await once(offering, 'data')
    for (let n = 0; n < 3; n++) {
      const many = await dial(url)
      many.write(request.repeat(500))
      await eventually(() => many.destroyed)
      // One bad program may be behind the same address as many good ones.
      expect(others.some((socket) => socket.destroyed)).toBe(false)
    }
    const many = await dial(url)
    many.write(request.repeat(500))
    await eventually(() => [many, ...others].every((socket) => socket.destroyed))
    const late = await dial(url)
    await eventually(() => late.destroyed)
    expect(await openSockets(app)).toBe(1)
    client.send({ type: 'ping', id: 'p' })
    expect(await client.reply('p')).toMatchObject({ type: 'pong' })
    await clock.advance(5_000)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  },
)

test('F-R1: a handshake that does not wait for the answers before it gets none before them', async () => {
  const { url } = await startApp()
  const { token } = await makeGuest(url)
  const handshake = [
    'GET /v1/ws HTTP/1.1',
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    `Sec-WebSocket-Protocol: junqi.v1, bearer.${token}`,
    '',
    '',
  ].join('\r\n')
  const get = 'GET /v1/meta HTTP/1.1\r\nHost: localhost\r\n\r\n'
  expect(await exchange(url, get + handshake, '101')).not.toContain('101')
  const patient = await dial(url)
  let answer = ''
  patient.on('data', (data) => {
    answer += String(data)
  })
  patient.write(get)
  await eventually(() => answer.includes('presets'))
  patient.write(handshake)
  await eventually(() => answer.includes('HTTP/1.1 101'))
})

test('F-U2: the sockets of a trusted proxy are not one address', async () => {
  const { url } = await startApp({
    JUNQI_MAX_CONNECTIONS_PER_ADDRESS: '5',
    JUNQI_TRUSTED_PROXIES: '127.0.0.1',
  })
  const idle = await Promise.all(Array.from({ length: 255 }, () => dial(url)))
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect(idle.filter((socket) => socket.destroyed)).toEqual([])
})

test('F-M1: who asks over HTTP and does not read the answers is let go of, a quiet WebSocket is not', async () => {
  const { app, url } = await startApp()
  expect(app.http.server.timeout).toBe(30_000)
  const quiet = await TestClient.hello(url, (await makeGuest(url)).token)
  app.http.server.setTimeout(50)
  const accepted: Socket[] = []
  app.http.server.on('connection', (socket: Socket) => accepted.push(socket))
  const deaf = await dial(url)
  deaf.pause()
  // Some 20 MB of answers: more than the kernel holds for anybody.
  deaf.write('GET /docs/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(150))
  await eventually(() => accepted[0]?.destroyed === true)
  expect(accepted).toHaveLength(1)
  quiet.send({ type: 'ping', id: 'still' })
  expect(await quiet.reply('still')).toMatchObject({ type: 'pong' })
})

test('F-M1: pongs that nobody asked for count as messages', async () => {
  const { clock, url } = await startApp({
    JUNQI_RATE_MESSAGES: '1/s burst 10',
    JUNQI_RATE_STRIKES: '1/s burst 20',
  })
  const client = await TestClient.hello(url, (await makeGuest(url)).token)
  for (let n = 0; n < 100; n++) client.socket.pong()
  expect(await closedUnread(client, clock)).toBe(4429)
})

test('F-M1: a socket on which another protocol is offered again and again gathers nothing', async () => {
  const { app, url } = await startApp()
  let accepted: Socket | null = null
  app.http.server.once('connection', (socket: Socket) => {
    accepted = socket
  })
  const listeners = () =>
    Object.fromEntries(
      accepted?.eventNames().map((name) => [name, accepted?.listenerCount(name)]) ?? [],
    )
  const socket = await dial(url)
  let answers = 0
  socket.on('data', (data) => {
    answers += String(data).split('HTTP/1.1 200').length - 1
  })
  const offer = async (times: number) => {
    for (const until = answers + times; answers < until; ) {
      const before = answers
      socket.write(
        'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
      )
      await eventually(() => answers > before)
    }
  }
  await offer(1)
  const before = listeners()
  await offer(10)
  expect(before.close).toBeGreaterThan(0)
  expect(listeners()).toEqual(before)
})

test('an offer of another protocol than WebSocket is passed over', async () => {
  const { url } = await startApp()
  const body = '{"name":"Ann"}'
  const head = [
    'POST /v1/guests HTTP/1.1',
    'Host: x',
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQAAP__',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  const answer = await exchange(url, `${head.join('\r\n')}\r\n\r\n${body}`, '}')
  expect(answer).toMatch(/^HTTP\/1\.1 201 /)
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
})
