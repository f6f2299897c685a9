import { expect, test } from 'vitest'
import { CLOSED_KEPT_MS, LOBBY_IDLE_MS } from '../../src/room/room-limits.ts'
import { Nodes } from '../support/nodes.ts'
import { ANN, BO, EVE } from '../support/players.ts'

test('a room that another node has removed is gone here as well, and who watched it is told', async () => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.gather()
  nodes.store.hints = 'held'
  await nodes.store.remove(room)
  const [, bo] = sessions
  if (bo === undefined) throw new Error('nobody there')
  nodes.store.deliver()
  await nodes.settle()
  for (const session of sessions) {
    expect(session.messages.at(-1)).toEqual({ type: 'dropped', room, code: 'room_closed' })
  }
  expect(await nodes.at(1).refusal(bo, { type: 'ready', room })).toBe('room_not_found')
  expect(nodes.tables.map(({ rooms }) => rooms.size)).toEqual([0, 0])
  expect(nodes.tables.map(({ store }) => store.followed.size)).toEqual([0, 0])
  expect(await nodes.store.truth.isFailed(room)).toBe(false)
  expect(nodes.faults).toEqual([])
})

test('a command to a room that another node has removed finds no room, hint or none', async () => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.gather()
  const [ann, bo] = sessions
  if (ann === undefined || bo === undefined) throw new Error('nobody there')
  nodes.store.hints = 'lost'
  await nodes.store.remove(room)
  const replies = await Promise.all([
    nodes.at(0).refusal(ann, { type: 'ready', room }),
    nodes.at(0).refusal(ann, { type: 'answerSwap', swap: 9, accept: true, room }),
    nodes.at(1).refusal(bo, { type: 'subscribe', room }),
    nodes.at(1).rooms.publicRoom(room, BO),
  ])
  expect(replies).toEqual(['room_not_found', 'room_not_found', 'room_not_found', null])
  expect(nodes.faults).toEqual([])
})

test('a hint that a room is gone, which is not, changes nothing', async () => {
  const nodes = await Nodes.open()
  const { room, sessions, host } = await nodes.gather()
  for (const { store } of nodes.tables) store.hear((hints) => hints.roomGone(room))
  await nodes.settle()
  for (const session of sessions) expect(session.of('dropped')).toEqual([])
  await nodes.at(0).do(host, { type: 'ready', room })
  await nodes.settle()
  for (const session of sessions) {
    expect(session.last('event').events).toMatchObject([{ type: 'readyChanged' }])
  }
})

test('a room that another node has marked as failed is served here no more', async () => {
  for (const hints of ['told', 'lost'] as const) {
    const nodes = await Nodes.open()
    const { room, sessions } = await nodes.gather()
    const other = await nodes.at(1).createRoom(nodes.at(1).connect(EVE))
    const [ann, bo, , dee] = sessions
    if (ann === undefined || bo === undefined || dee === undefined) throw new Error('nobody there')
    nodes.at(0).store.append = async () => {
      throw new Error('a fault of ours')
    }
    nodes.store.hints = hints
    expect(await nodes.at(0).refusal(ann, { type: 'ready', room })).toBe('room_failed')
    await nodes.settle()
    // Without a hint it is found out by whoever asks.
    expect(await nodes.at(1).refusal(bo, { type: 'start', room })).toBe('room_failed')
    for (const session of [ann, bo, dee]) {
      expect(session.last('dropped')).toEqual({ type: 'dropped', room, code: 'room_failed' })
    }
    expect(await nodes.at(1).refusal(bo, { type: 'subscribe', room })).toBe('room_failed')
    expect(await nodes.at(1).rooms.publicRoom(room, BO)).toBeNull()
    expect(await nodes.at(1).view(other, null)).toMatchObject({ closed: false })
    expect(nodes.faults).toHaveLength(1)
  }
})

test('an idle lobby that one node has closed is closed at the other, and removed once', async () => {
  const nodes = await Nodes.open()
  const ann = nodes.at(0).connect(ANN)
  const room = await nodes.at(0).createRoom(ann)
  const watching = nodes.at(1).connect(BO)
  await nodes.at(1).do(watching, { type: 'subscribe', room })
  nodes.at(0).disconnect(ann)
  await nodes.clock.advance(LOBBY_IDLE_MS + 1_000)
  expect(watching.messages.slice(-2)).toMatchObject([
    { type: 'event', events: [{ type: 'roomClosed' }] },
    { type: 'dropped', code: 'room_closed' },
  ])
  await nodes.clock.advance(CLOSED_KEPT_MS + 2_000)
  expect(await nodes.store.truth.version(room)).toBe(0)
  expect(nodes.tables.map(({ rooms }) => rooms.size)).toEqual([0, 0])
  expect(nodes.faults).toEqual([])
})

test('F-C4: a node that believes a room to be closed, which the store has lost, does not remove it', async () => {
  const nodes = await Nodes.open(1)
  const { room, host } = await nodes.gather({ preset: 'duel' })
  const bo = nodes.at(0).connect(EVE)
  await nodes.at(0).do(bo, { type: 'subscribe', room })
  for (const player of [BO.id]) await nodes.at(0).do(host, { type: 'removePlayer', room, player })
  await nodes.at(0).do(host, { type: 'leave', room })
  const version = await nodes.store.truth.version(room)
  await nodes.store.cut(room, version - 1)
  await nodes.clock.advance(CLOSED_KEPT_MS + 5_000)
  expect(await nodes.store.truth.version(room)).toBeGreaterThanOrEqual(version - 1)
  expect(await nodes.at(0).view(room, null)).toMatchObject({ closed: false })
})
