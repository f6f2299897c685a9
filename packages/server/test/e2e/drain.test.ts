import { createConnection } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { ok } from '@junqi/engine'
import { parseRetryHint } from '@junqi/protocol'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { StoreUnavailableError } from '../../src/ports.ts'
import { STUB_ROOM } from '../support/stub-rooms.ts'
import {
  eventually,
  makeGuest,
  refusedHandshake,
  startApp,
  stopApps,
  type TestApp,
  TestClient,
} from '../support/test-app.ts'

afterEach(stopApps)

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

function createRoom({ url }: TestApp, token: string): Promise<Response> {
  return fetch(`${url}/v1/rooms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ preset: 'duel' }),
  })
}

/** A stop ends by itself, and not because something else loses patience, such as `ws` after half a minute. */
async function endOf(stop: Promise<void>): Promise<void> {
  let isEnded = false
  void stop.then(() => {
    isEnded = true
  })
  await vi.waitUntil(() => isEnded, { timeout: 15_000 })
}

describe('health', () => {
  test('without its store a node is alive but not ready, and is ready again with it', async () => {
    const { adminUrl, store, url } = await startApp()
    const metrics = async () => (await fetch(`${adminUrl}/metrics`)).text()
    expect(await metrics()).toContain('junqi_ready 1\n')
    const ping = store.ping.bind(store)
    store.ping = () => Promise.reject(new StoreUnavailableError('planted'))
    const told = await fetch(`${url}/readyz`)
    expect(told.status).toBe(503)
    const error = { code: 'unavailable', message: 'The store does not answer.', retryable: true }
    expect(await told.json()).toEqual({ error })
    expect(await statusOf(`${url}/healthz`)).toBe(200)
    expect(await metrics()).toContain('junqi_ready 0\n')
    store.ping = ping
    expect(await statusOf(`${url}/readyz`)).toBe(200)
  })

  test('F-D1: it is asked without a limit, so that no balancer is turned away', async () => {
    const { url } = await startApp({ JUNQI_RATE_REQUESTS: '1/h burst 1' })
    for (let n = 0; n < 5; n++) {
      expect([await statusOf(`${url}/healthz`), await statusOf(`${url}/readyz`)]).toEqual([
        200, 200,
      ])
    }
  })
})

describe('a drain', () => {
  /** A server in whose hands a room is being made, on its way to stop. */
  async function stopWhileMaking() {
    const running = await startApp()
    const { token } = await makeGuest(running.url)
    let asked = 0
    let release = (): void => {}
    running.rooms.createRoom = async () => {
      asked += 1
      await new Promise<void>((resolve) => {
        release = resolve
      })
      return ok({ room: STUB_ROOM, version: 1 })
    }
    const answer = createRoom(running, token)
    await eventually(() => asked === 1)
    return { running, token, answer, release: () => release(), made: () => asked }
  }

  test('F-D1: a request in hand gets its answer before its connection is closed', async () => {
    const { running, answer, release } = await stopWhileMaking()
    const closed = running.app.close()
    // Long enough for a stop that waits for nothing to have closed everything.
    for (let turn = 0; turn < 50; turn++) await setImmediate()
    release()
    expect((await answer).status).toBe(201)
    await closed
  })

  test('F-D1: meanwhile the node is not ready, is alive, and makes no more rooms and guests', async () => {
    const { running, token, answer, release, made } = await stopWhileMaking()
    const { app, url } = running
    const closed = app.close()
    expect(await statusOf(`${url}/readyz`)).toBe(503)
    expect(await statusOf(`${url}/healthz`)).toBe(200)
    expect((await createRoom(running, token)).status).toBe(503)
    await expect(makeGuest(url)).rejects.toThrow()
    const refused = await refusedHandshake(TestClient.dial(url, token))
    expect([refused.status, refused.body]).toEqual([503, expect.stringContaining('"unavailable"')])
    const headers = { authorization: `Bearer ${token}` }
    const session = await fetch(`${url}/v1/session`, { headers })
    expect([session.status, await session.text()]).toEqual([503, refused.body])
    release()
    await Promise.all([answer, closed])
    expect(made()).toBe(1)
  })

  test('F-D2: it ends although a request never does, and another never comes in whole', async () => {
    const { running, answer } = await stopWhileMaking()
    const socket = createConnection(Number(new URL(running.url).port), '127.0.0.1')
    socket.on('error', () => {})
    const isAccepted = new Promise((resolve) => running.app.http.server.once('request', resolve))
    socket.write(
      'POST /v1/guests HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    )
    await isAccepted
    const cut = answer.catch(() => 'cut')
    await endOf(running.app.close())
    expect(await cut).toBe('cut')
    await eventually(() => socket.destroyed)
  })

  test('F-D2: it ends although clients read nothing, and open connections say nothing', async () => {
    const { app, url } = await startApp()
    const clients = await Promise.all(
      Array.from({ length: 20 }, async () => TestClient.hello(url, (await makeGuest(url)).token)),
    )
    for (const { socket } of clients) socket.pause()
    const mute = createConnection(Number(new URL(url).port), '127.0.0.1')
    await eventually(() => !mute.connecting)
    await endOf(app.close())
    await eventually(() => app.gateway.size === 0)
    await eventually(() => mute.destroyed || mute.readableEnded)
  })

  test('F-D1: who sits in a running game is told to be back in half a second, others in seconds, not all at once', async () => {
    const { app, rooms, url } = await startApp()
    const guests = await Promise.all(Array.from({ length: 40 }, () => makeGuest(url)))
    rooms.playing = new Set(guests.slice(0, 20).map(({ id }) => id))
    const clients = await Promise.all(guests.map(({ token }) => TestClient.hello(url, token)))
    await app.close()
    const ends = await Promise.all(clients.map(({ closed }) => closed))
    expect(new Set(ends.map(({ code }) => code))).toEqual(new Set([1012]))
    const hints = ends.map(({ reason }) => parseRetryHint(reason) ?? Number.NaN)
    const [playing, others] = [hints.slice(0, 20), hints.slice(20)]
    for (const hint of playing) expect(hint > 0 && hint <= 500).toBe(true)
    for (const hint of others) expect(hint >= 1000 && hint <= 5000).toBe(true)
    for (const group of [playing, others]) expect(new Set(group).size).toBeGreaterThan(10)
  })
})
