import { roomView } from '@junqi/protocol'
import { expect } from 'vitest'
import {
  type AskedFor,
  fuzzRequests,
  type HttpScene,
  type Secret,
  send,
  TOLD,
  wrongWith,
} from './fuzz-http.ts'
import { seededRandom } from './players.ts'
import { command, deploy, seatedRoom, startRoom } from './socket-table.ts'
import { makeGuest, startRealApp, TestClient } from './test-app.ts'

const ADMIN = 'sixteen-letters-at-least'
const UNBOUND = '1000000/s burst 1000000'
const ENV = {
  JUNQI_ADMIN_TOKEN: ADMIN,
  ...Object.fromEntries(
    ['REQUESTS', 'REPLAYS', 'GUESTS', 'ROOMS'].map((name) => [`JUNQI_RATE_${name}`, UNBOUND]),
  ),
}

const admin = (method: string, path: string, body: unknown = null): AskedFor => ({
  ...{ method, path: `/admin/${path}`, body, query: path === 'rooms' ? ['limit'] : [] },
  statuses: [200, 204, 409],
})
const BAN = {
  type: 'object',
  properties: {
    reason: { type: 'string' },
    seconds: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
  },
}
/** Draining, which ends it all, is for its own test. */
const ADMIN_ROUTES: readonly AskedFor[] = [
  admin('GET', 'node'),
  admin('GET', 'rooms'),
  admin('GET', 'rooms/{id}'),
  admin('POST', 'rooms/{id}/close'),
  admin('GET', 'bans'),
  admin('PUT', 'bans/{stranger}', BAN),
  admin('DELETE', 'bans/{stranger}'),
]

/**
 * Asks for everything that the OpenAPI document has, and at the admin port: no fault, no status and no refusal that is not
 * told of (of the public port every answer is held against `ROUTES` besides), and no secret in any answer.
 */
export async function fuzzHttp(count: number, seed: number): Promise<void> {
  const { adminUrl, logs, url } = await startRealApp(ENV)
  const random = seededRandom(seed)
  const guests = await Promise.all(['Ann', 'Bo', 'Eve'].map((name) => makeGuest(url, name)))
  const clients = await Promise.all(
    guests.slice(0, 2).map(({ token }) => TestClient.hello(url, token)),
  )
  const [ann] = clients
  if (ann === undefined) throw new Error('nobody there')
  const lobby = await seatedRoom(clients, 'duel')
  const hidden = await seatedRoom([ann], 'duel', { private: true })
  const { view } = await command(ann, { type: 'subscribe', room: hidden })
  const rooms = [lobby, hidden]
  const formations: string[] = []
  for (const isOver of [false, true]) {
    const room = await seatedRoom(clients, 'duel')
    await startRoom(clients, room)
    const own = await deploy(clients, room, { preset: 'duel', random })
    if (isOver) await command(ann, { type: 'leave', room })
    // Players keep what they handed in last, and are told it.
    else formations.push(...own)
    rooms.push(room)
  }
  const scene: HttpScene = {
    tokens: guests.map(({ token }) => token),
    values: new Map(
      Object.entries({
        id: [...rooms, ...guests.map(({ id }) => id)],
        code: rooms.map((room) => room.toUpperCase()),
        n: ['0', '1'],
        name: ['mine', 'my other one'],
        as: ['south', 'north', 'spectator', 'truth'],
        preset: ['duel', 'siguo', 'flip'],
        limit: ['1', '10'],
        player: guests.map(({ id }) => id),
        stranger: ['000000000000'],
        board: ['score', 'duel'],
      }),
    ),
  }
  const owner = guests[0]?.token ?? null
  const secrets: readonly Secret[] = [
    ...formations.map((text, n) => ({ text, owner: guests[n]?.token ?? null })),
    ...guests.map(({ token }) => ({ text: token, owner: null })),
    { text: roomView.parse(view).invitation ?? '', owner },
    { text: ADMIN, owner: null },
  ]
  const atAdmin = { ...scene, tokens: [ADMIN, ...scene.tokens] }
  const share = count / (TOLD.length + ADMIN_ROUTES.length)
  const requests = [
    ...fuzzRequests(TOLD, scene, { count: share * TOLD.length, seed }).map((each) => ({
      to: url,
      each,
    })),
    ...fuzzRequests(ADMIN_ROUTES, atAdmin, { count: share * ADMIN_ROUTES.length, seed }).map(
      (each) => ({ to: adminUrl, each }),
    ),
  ]
  const wrongs: string[] = []
  for (const { each, to } of requests) {
    const { method, target } = each
    const wrong = wrongWith(each, await send(to, each), secrets)
    if (wrong !== null) wrongs.push(`${method} ${target.slice(0, 200)} (seed ${seed}): ${wrong}`)
  }
  expect(wrongs).toEqual([])
  expect(logs.filter((line) => /"level":[56]0/.test(line))).toEqual([])
  expect(logs.filter((line) => secrets.some((secret) => line.includes(secret.text)))).toEqual([])
  for (const client of clients) client.socket.close()
}
