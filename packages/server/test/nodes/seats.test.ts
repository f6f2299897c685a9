import type { RoomId } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { SEATS_PER_PLAYER } from '../../src/room/seats.ts'
import type { FakeSession } from '../support/fake-session.ts'
import { Nodes } from '../support/nodes.ts'
import { ANN, BO, playerNumber } from '../support/players.ts'

const OF_BO = { whose: 'own', player: BO.id } as const

const seated = (session: FakeSession): readonly RoomId[] =>
  session.of('seated').map(({ room }) => room)

/** What a player is told of its seats who connects to a node now. */
async function seatsAt(nodes: Nodes, n: number, player = BO): Promise<readonly RoomId[]> {
  const session = nodes.at(n).connect(player)
  await nodes.settle()
  nodes.at(n).disconnect(session)
  return session.last('seats').rooms
}

test('a seat is told to every socket of its player, at whichever node, and to nobody else', async () => {
  const nodes = await Nodes.open()
  const tabs = [nodes.at(0).connect(BO), nodes.at(1).connect(BO)]
  const ann = nodes.at(0).connect(ANN)
  const room = await nodes.at(0).createRoom(ann)
  const sitting = nodes.at(1).connect(BO)
  await nodes.at(1).do(sitting, { type: 'sit', room, seat: 'south' })
  await nodes.settle()
  for (const session of [...tabs, sitting]) expect(seated(session)).toEqual([room])
  expect(seated(ann)).toEqual([])
})

test('after a welcome all seats are told, also those of a hint that was lost', async () => {
  const nodes = await Nodes.open()
  nodes.store.hints = 'lost'
  const { room } = await nodes.gather({}, 1)
  expect(await seatsAt(nodes, 1)).toEqual([room])
  expect(await seatsAt(nodes, 0)).toEqual([room])
  expect(await seatsAt(nodes, 1, playerNumber(9))).toEqual([])
})

test('a rematch tells everyone of it where they are', async () => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.play({ preset: 'duel' })
  const [ann, bo] = sessions
  if (ann === undefined || bo === undefined) throw new Error('nobody there')
  await nodes.at(0).do(ann, { type: 'offerDraw', room })
  const offer = (await nodes.at(1).view(room, BO)).game?.offer?.number
  await nodes.at(1).do(bo, { type: 'answerDraw', room, offer, accept: true })
  await nodes.at(0).do(ann, { type: 'rematch', room })
  await nodes.settle()
  const next = (await nodes.at(1).view(room, BO)).rematch
  expect(seated(bo).at(-1)).toBe(next)
  expect(await seatsAt(nodes, 1)).toEqual([next])
})

test.each([
  ['stands up', { type: 'stand' }],
  ['leaves', { type: 'leave' }],
])('F-S5, F-C6: who %s has no seat there, and nothing is kept of it', async (_, fields) => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.gather()
  await nodes.at(1).do(sessions[1] as FakeSession, { ...fields, room })
  await nodes.settle()
  expect(await nodes.store.truth.notedSeats(OF_BO)).toEqual(new Map())
  expect(await seatsAt(nodes, 0)).toEqual([])
})

test('F-C2, F-C7: a note of a seat that was never taken is dropped by whoever reads it', async () => {
  const nodes = await Nodes.open()
  const ann = nodes.at(0).connect(ANN)
  const room = await nodes.at(0).createRoom(ann)
  const { truth } = nodes.store
  await truth.noteSeat(OF_BO, room, 2, 9)
  // It may be on its way: the room is at version 1.
  expect(await seatsAt(nodes, 1)).toEqual([])
  expect((await truth.notedSeats(OF_BO)).size).toBe(1)
  await nodes.at(0).do(ann, { type: 'sit', room, seat: 'south' })
  expect(await seatsAt(nodes, 1)).toEqual([])
  await nodes.settle()
  expect((await truth.notedSeats(OF_BO)).size).toBe(0)
})

test('F-C7: of a room that was never made the note is dropped when nobody can be making it any more', async () => {
  const nodes = await Nodes.open()
  const { truth } = nodes.store
  await truth.noteSeat(OF_BO, '00000009' as RoomId, 1, 9)
  expect(await seatsAt(nodes, 1)).toEqual([])
  await nodes.clock.advance(9_000)
  expect(await seatsAt(nodes, 1)).toEqual([])
  expect((await truth.notedSeats(OF_BO)).size).toBe(1)
  await nodes.clock.advance(1_000)
  expect(await seatsAt(nodes, 1)).toEqual([])
  expect((await truth.notedSeats(OF_BO)).size).toBe(0)
})

test('F-C2: no seat is taken while it cannot be noted, and none is missing whose answer was lost', async () => {
  const nodes = await Nodes.open()
  const ann = nodes.at(0).connect(ANN)
  const room = await nodes.at(0).createRoom(ann)
  const bo = nodes.at(1).connect(BO)
  const { store } = nodes.at(1)
  store.failing.add('noteSeat')
  const sit = { type: 'sit', room, seat: 'south' }
  expect(await nodes.at(1).refusal(bo, sit)).toBe('unavailable')
  expect((await nodes.at(0).view(room, ANN)).seats.south).toBeNull()
  store.failing.clear()
  store.failNext('unanswered')
  await nodes.at(1).do(bo, sit)
  expect(seated(bo)).toEqual([room])
  expect(await seatsAt(nodes, 0)).toEqual([room])
})

test('seats that could not be read at the welcome are told when the store answers again', async () => {
  const nodes = await Nodes.open()
  const { room } = await nodes.gather()
  const { store } = nodes.at(1)
  store.failing.add('notedSeats')
  const bo = nodes.at(1).connect(BO)
  await nodes.settle()
  expect(bo.of('seats')).toEqual([])
  store.failing.clear()
  await nodes.clock.advance(2_000)
  await nodes.settle()
  expect(bo.last('seats').rooms).toEqual([room])
})

test('a player takes so many seats and no more, until one of its games is over', async () => {
  const nodes = await Nodes.open()
  const bo = nodes.at(0).connect(BO)
  const rooms: RoomId[] = []
  for (let n = 0; n <= SEATS_PER_PLAYER; n++) {
    const host = nodes.at(n % 2).connect(playerNumber(10 + n))
    rooms.push(await nodes.at(n % 2).createRoom(host))
  }
  const sit = (n: number) => ({ type: 'sit', room: rooms[n], seat: 'south' })
  for (let n = 0; n < SEATS_PER_PLAYER; n++) await nodes.at(0).do(bo, sit(n))
  expect(await nodes.at(0).refusal(bo, sit(SEATS_PER_PLAYER))).toBe('too_many_rooms')
  // In a room where it sits it may change seats.
  await nodes.at(0).do(bo, { type: 'sit', room: rooms[0], seat: 'north' })
  await nodes.at(0).do(bo, { type: 'stand', room: rooms[0] })
  await nodes.at(0).do(bo, sit(SEATS_PER_PLAYER))
  expect(nodes.faults).toEqual([])
})
