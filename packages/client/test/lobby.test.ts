import { type ListedRoom, listedRoom, type RoomId, roomId } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { evolveLobby } from '../src/index.ts'
import { settle } from './fake-world.ts'
import { accept, ming, online, welcome } from './online.ts'

const [A, B, C] = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'].map((id) => roomId.parse(id)) as [
  RoomId,
  RoomId,
  RoomId,
]

const listed = (room: RoomId, phase = 'lobby'): ListedRoom =>
  listedRoom.parse({
    room,
    phase,
    preset: 'duel',
    custom: false,
    scored: true,
    spectators: 'public',
    host: ming.id,
    seats: [],
  })

test('the list comes whole, then by differences, and every change is told', async () => {
  const { world, client } = online()
  const lobby = client.lobby({ presets: ['duel'] })
  expect(accept(world.socket)).toMatchObject({ type: 'watchLobby', filters: { presets: ['duel'] } })
  expect(lobby.rooms).toBeNull()
  const opened = lobby.opened()
  const told: (readonly RoomId[])[] = []
  lobby.onChange((rooms) => told.push(rooms.map(({ room }) => room)))
  world.socket.push({ type: 'lobby', rooms: [listed(A)] })
  expect(await opened).toEqual({ ok: true, value: [listed(A)] })
  world.socket.push({ type: 'lobbyChanged', put: [listed(B)], removed: [] })
  world.socket.push({ type: 'lobbyChanged', put: [listed(C)], removed: [A] })
  expect(told).toEqual([[A], [B, A], [C, B]])
  client.close()
})

test('after a reconnect the list is asked for again, once, and is what the server tells then', async () => {
  const { world, client } = online()
  const lobby = client.lobby()
  accept(world.socket)
  await settle()
  world.socket.push({ type: 'lobby', rooms: [listed(A), listed(B)] })
  world.socket.end(1006)
  await world.pass(1_000)
  welcome(world.socket)
  expect(world.socket.received.map(({ type }) => type)).toEqual(['watchLobby'])
  accept(world.socket)
  world.socket.push({ type: 'lobby', rooms: [listed(C)] })
  expect(lobby.rooms).toEqual([listed(C)])
  client.close()
})

test('a list that is closed is not watched after a reconnect', async () => {
  const { world, client } = online()
  const lobby = client.lobby()
  accept(world.socket)
  lobby.close()
  expect(accept(world.socket).type).toBe('unwatchLobby')
  await settle()
  world.socket.end(1006)
  await world.pass(1_000)
  welcome(world.socket)
  expect(world.socket.received).toEqual([])
  expect(await lobby.opened()).toMatchObject({ ok: false, error: { code: 'closed' } })
  client.close()
})

test('another list takes the place of the first, which hears nothing more', async () => {
  const { world, client } = online()
  const first = client.lobby()
  const heard: unknown[] = []
  first.onChange((rooms) => heard.push(rooms))
  accept(world.socket)
  const second = client.lobby({ freeSeats: true })
  accept(world.socket)
  world.socket.push({ type: 'lobby', rooms: [listed(A)] })
  expect([heard, second.rooms]).toEqual([[], [listed(A)]])
  client.close()
})

test('a list that is refused ends with the reason', async () => {
  const { world, client } = online()
  const lobby = client.lobby()
  const re = world.socket.received.at(-1)?.id ?? null
  world.socket.push({
    type: 'error',
    re,
    code: 'internal',
    message: 'A fault of the server.',
    retryable: false,
    retryAfterMs: null,
    room: null,
    version: null,
    turn: null,
  })
  expect(await lobby.opened()).toMatchObject({ ok: false, error: { code: 'internal' } })
  client.close()
})

test('a room that changes keeps its place', () => {
  const rooms = [listed(A), listed(B), listed(C)]
  const after = evolveLobby(rooms, { put: [listed(B, 'playing')], removed: [C] })
  expect(after).toEqual([listed(A), listed(B, 'playing')])
})
