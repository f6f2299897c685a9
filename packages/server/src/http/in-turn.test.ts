import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createConnection, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { makeLogger } from '../logger.ts'
import { makeHttpServer } from './server.ts'

const open: { destroy(): unknown }[] = []
const apps: FastifyInstance[] = []

afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  await Promise.all(apps.splice(0).map((app) => app.close()))
})

/** A server on which a request for `/name` waits until it is released by that name. */
async function setUp(answer = 'done') {
  const overran: Socket[] = []
  const app = makeHttpServer({
    logger: makeLogger('silent', { write: () => {} }),
    overran: (socket) => overran.push(socket),
  })
  apps.push(app)
  const begun: string[] = []
  const release = new Map<string, () => void>()
  const seen = { requests: 0, sockets: [] as Socket[] }
  app.get<{ Params: { name: string } }>('/:name', async ({ params: { name } }) => {
    begun.push(name)
    await new Promise<void>((resolve) => release.set(name, resolve))
    return `${name} ${answer}`
  })
  app.server.on('request', () => {
    seen.requests += 1
  })
  app.server.on('connection', (socket: Socket) => seen.sockets.push(socket))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const dial = async (): Promise<Socket> => {
    const socket = createConnection((app.server.address() as AddressInfo).port, '127.0.0.1')
    open.push(socket.on('error', () => {}))
    await once(socket, 'connect')
    return socket
  }
  return { app, begun, seen, overran, dial, release: (name: string) => release.get(name)?.() }
}

const ask = (...names: readonly string[]): string =>
  names.map((name) => `GET /${name} HTTP/1.1\r\nHost: x\r\n\r\n`).join('')

const until = (holds: () => boolean): Promise<unknown> =>
  vi.waitUntil(holds, { timeout: 30_000, interval: 5 })

test('F-U2: the requests of one connection are handled one after the other, those of others beside them', async () => {
  const { begun, seen, dial, release } = await setUp()
  const [many, other] = await Promise.all([dial(), dial()])
  let read = ''
  many.on('data', (data) => {
    read += String(data)
  })
  many.write(ask('a', 'b', 'c'))
  await until(() => seen.requests === 3)
  expect(begun).toEqual(['a'])
  other.write(ask('d'))
  await until(() => begun.includes('d'))
  for (const name of ['a', 'b', 'c']) {
    await until(() => begun.includes(name))
    release(name)
  }
  await until(() => read.endsWith('c done'))
  expect(begun).toEqual(['a', 'd', 'b', 'c'])
  expect(read.match(/[abc] done/g)).toEqual(['a done', 'b done', 'c done'])
  many.write(ask('e'))
  await until(() => begun.includes('e'))
})

test('F-U2: an answer that nobody reads holds up its connection', async () => {
  // More than the kernel holds for anybody.
  const { begun, seen, dial, release } = await setUp('x'.repeat(32_000_000))
  const [deaf, other] = [await dial(), await dial()]
  deaf.pause().write(ask('a', 'b'))
  await until(() => seen.requests === 2)
  release('a')
  await until(() => (seen.sockets[0]?.writableLength ?? 0) > 0)
  other.write(ask('c'))
  await until(() => begun.includes('c'))
  release('c')
  await once(other.resume(), 'data')
  expect(begun).toEqual(['a', 'c'])
  deaf.resume()
  await until(() => begun.includes('b'))
})

test('F-U2: what waits for its turn when the connection ends is not begun', async () => {
  const { begun, seen, dial, release } = await setUp()
  const gone = await dial()
  gone.write(ask('a', 'b', 'c'))
  await until(() => seen.requests === 3)
  const closed = new Promise((resolve) => seen.sockets[0]?.once('close', resolve))
  gone.resetAndDestroy()
  seen.sockets[0]?.resume()
  await closed
  release('a')
  const next = await dial()
  next.write(ask('d'))
  await until(() => begun.includes('d'))
  expect(begun).toEqual(['a', 'd'])
})

test('F-U2: a connection that sends very many requests at once is ended, and others are served', async () => {
  const { begun, seen, overran, dial } = await setUp()
  const [many, other] = [await dial(), await dial()]
  const names = Array.from({ length: 1000 }, (_, n) => `n${n}`)
  const closed = new Promise((resolve) => many.once('close', resolve))
  many.resume().write(ask(...names))
  await closed
  other.write(ask('other'))
  await until(() => begun.includes('other'))
  expect(begun).toEqual(['n0', 'other'])
  expect(seen.sockets.map(({ destroyed }) => destroyed)).toEqual([true, false])
  expect(overran).toEqual(seen.sockets.slice(0, 1))
})

test('F-U2: between two requests of one connection the event loop comes round', async () => {
  const { app, dial } = await setUp()
  const answered: number[] = []
  let turn = 0
  const count = (): void => {
    turn += 1
    if (answered.length < 12) setImmediate(count)
  }
  app.server.on('request', (_request, response: ServerResponse) => {
    response.on('finish', () => answered.push(turn))
  })
  const many = await dial()
  count()
  many.resume().write(ask(...Array.from({ length: 12 }, () => 'no/where')))
  await until(() => answered.length === 12)
  expect(new Set(answered).size).toBe(12)
})
