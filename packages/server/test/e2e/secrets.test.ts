import { PIECE_KINDS, parseRecord, SEATS } from '@junqi/engine'
import { roomView } from '@junqi/protocol'
import { afterEach, expect, test } from 'vitest'
import { seededRandom } from '../support/players.ts'
import { command, deploy, seatedRoom, startRoom } from '../support/socket-table.ts'
import { makeGuest, startRealApp, stopApps, TestClient } from '../support/test-app.ts'

afterEach(stopApps)

async function startTable(preset: 'duel' | 'siguo') {
  const server = await startRealApp()
  const seats = preset === 'duel' ? SEATS.slice(0, 2) : SEATS
  const guests = await Promise.all(seats.map((seat) => makeGuest(server.url, `Name-${seat}`)))
  const clients = await Promise.all(guests.map(({ token }) => TestClient.hello(server.url, token)))
  const room = await seatedRoom(clients, preset)
  await startRoom(clients, room)
  const formations = await deploy(clients, room, { preset, random: seededRandom(3) })
  return { ...server, clients, guests, room, formations }
}

/** Plays a legal move of whoever is to move, as its own snapshot has it; false: nobody is to move. */
async function playOne(clients: readonly TestClient[], room: string): Promise<boolean> {
  for (const client of clients) {
    const { view } = await command(client, { type: 'subscribe', room })
    const { game, legalMoves, you } = roomView.parse(view)
    if (game === null || game.toMove === null) return false
    if (game.toMove !== you.seat) continue
    const moves = Object.entries(legalMoves)
    const [from, targets] = moves[game.turn % moves.length] ?? []
    await command(client, { type: 'move', room, turn: game.turn, from, to: targets?.[0] })
    return true
  }
  throw new Error('somebody is to move')
}

/** An answer without what differs by the moment it was given. */
async function bytesOf(url: string, token: string | null): Promise<string> {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(url, { headers })
  const lines = [...response.headers].filter(([name]) => name !== 'date')
  return JSON.stringify([response.status, lines, await response.text()])
}

test('F-H10: neither the log at its finest level nor the metrics hold a token, a name, a formation or a piece', async () => {
  const { adminUrl, clients, formations, guests, logs, room, url } = await startTable('siguo')
  for (let n = 0; n < 60; n++) await playOne(clients, room)
  await command(clients[0] ?? raise(), { type: 'offerDraw', room })
  clients[1]?.send({ type: 'move', id: 'wrong', room, turn: 0, from: 'a1', to: 'a2' })
  await clients[1]?.reply('wrong')
  for (const query of ['debug=1', 'debug=true', 'admin=1', 'view=all', 'viewer=south']) {
    const asked = await bytesOf(`${url}/v1/rooms/${room}?${query}`, null)
    expect(asked).toMatch(/^\[400,.*query has no field /)
  }
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text()
  const log = logs.join('')
  const tokens = guests.flatMap(({ token }) => [token, token.split('.')[1] ?? ''])
  const names = guests.map(({ name }) => name)
  for (const secret of [...tokens, ...names, ...formations]) {
    expect(log + metrics).not.toContain(secret)
  }
  // What Node says of itself has kinds and versions as well, minor and major.
  const counted = metrics.replace(/^.*junqi_nodejs_.*$/gm, '')
  for (const kind of PIECE_KINDS) expect(log + counted).not.toContain(kind)
  expect(metrics).not.toContain(room)
})

test('F-H12: to who may not see them a private room, a running record and an unknown one are the same bytes', async () => {
  const { clients, guests, room, url } = await startTable('duel')
  const host = clients[0] ?? raise()
  const made = await command(host, {
    type: 'createRoom',
    preset: 'duel',
    options: {},
    private: true,
  })
  const stranger = await makeGuest(url, 'Stranger')
  const seated = guests[0] ?? raise()
  const answers = await Promise.all([
    bytesOf(`${url}/v1/rooms/zzzzzzzz`, null),
    bytesOf(`${url}/v1/rooms/${made.room}`, null),
    bytesOf(`${url}/v1/rooms/${made.room}`, stranger.token),
    bytesOf(`${url}/v1/games/zzzzzzzz/record`, null),
    bytesOf(`${url}/v1/games/${made.room}/record`, stranger.token),
    bytesOf(`${url}/v1/games/${room}/record`, null),
    bytesOf(`${url}/v1/games/${room}/record`, stranger.token),
    bytesOf(`${url}/v1/games/${room}/record`, seated.token),
  ])
  expect(new Set(answers).size).toBe(1)
  expect(await bytesOf(`${url}/v1/rooms/${made.room}`, seated.token)).toMatch(/^\[200/)
  const { rooms } = await (await fetch(`${url}/v1/rooms`)).json()
  expect(JSON.stringify(rooms)).not.toContain(made.room)
})

test('F-H1, F-H7: over HTTP a stranger sees of a running game what a spectator may, a player its own', async () => {
  const { formations, guests, room, url } = await startTable('duel')
  const read = async (token: string | null) => {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` }
    return (await fetch(`${url}/v1/rooms/${room}`, { headers })).text()
  }
  const stranger = await read(null)
  for (const kind of PIECE_KINDS) expect(stranger).not.toContain(`"kind":"${kind}"`)
  for (const formation of formations) expect(stranger).not.toContain(formation)
  const [south, north] = await Promise.all(guests.map(({ token }) => read(token)))
  expect(south).toContain(formations[0])
  expect(south).not.toContain(formations[1])
  expect(north).toContain(formations[1])
  expect(north).not.toContain(formations[0])
})

test('a finished game has a record that anyone may replay', async () => {
  const { clients, room, url } = await startTable('duel')
  for (let n = 0; n < 6; n++) await playOne(clients, room)
  await command(clients[0] ?? raise(), { type: 'leave', room })
  const response = await fetch(`${url}/v1/games/${room}/record`)
  expect(response.status).toBe(200)
  const record = parseRecord(await response.json())
  expect(record.ok && record.value.result).toMatchObject({ winners: ['north'] })
  expect(record.ok && record.value.actions.length).toBe(7)
})

test('F-R2: a room asked for twice with one id is one room, over HTTP and WebSocket alike', async () => {
  const { url } = await startRealApp()
  const { token } = await makeGuest(url)
  const client = await TestClient.hello(url, token)
  const post = async () => {
    const response = await fetch(`${url}/v1/rooms`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': 'same',
      },
      body: JSON.stringify({ preset: 'duel' }),
    })
    return response.json()
  }
  const made = await Promise.all([post(), post()])
  client.send({ type: 'createRoom', id: 'same', preset: 'duel', options: {}, private: false })
  const { room, version } = await client.reply('same')
  expect([...made, { room, version }]).toEqual([made[0], made[0], made[0]])
  const { rooms } = await (await fetch(`${url}/v1/rooms`)).json()
  expect(rooms.length).toBe(1)
})

function raise(): never {
  throw new Error('the table has players')
}
