import { expect, test } from 'vitest'
import { LOBBY_IDLE_MS } from '../../src/room/room-limits.ts'
import { Nodes, type NodeTable } from '../support/nodes.ts'
import { ANN, BO } from '../support/players.ts'
import type { Reply } from '../support/room-table.ts'

const CREATE = { type: 'createRoom', preset: 'duel', options: {}, private: false }

const codeOf = (reply: Reply): string => (reply.type === 'error' ? reply.code : reply.type)

/** A player asks for a room at a node. */
const create = (table: NodeTable, fields: object = {}): Promise<Reply> =>
  table.say(table.connect(ANN), { ...CREATE, ...fields })

test('a player makes so many rooms and no more, over whichever node, however much at once', async () => {
  const nodes = await Nodes.open()
  const replies = await Promise.all(Array.from({ length: 30 }, (_, n) => create(nodes.at(n % 2))))
  expect(replies.map(codeOf).filter((code) => code === 'ack')).toHaveLength(8)
  expect(new Set(replies.map(codeOf))).toEqual(new Set(['ack', 'too_many_rooms']))
  expect(await nodes.at(0).rooms.listRooms()).toHaveLength(8)
})

test('a room that has ended counts no more, at whichever node it ended and by whatever', async () => {
  const nodes = await Nodes.open()
  const replies: Reply[] = []
  for (let n = 0; n < 8; n++) replies.push(await create(nodes.at(0)))
  expect(codeOf(await create(nodes.at(0)))).toBe('too_many_rooms')
  // Left by its host, and closed.
  await nodes.at(1).do(nodes.at(1).connect(ANN), { type: 'leave', room: replies[0]?.room })
  expect(codeOf(await create(nodes.at(0)))).toBe('ack')
  // Handed to another player.
  const [ann, bo] = [nodes.at(1).connect(ANN), nodes.at(1).connect(BO)]
  await nodes.at(1).do(bo, { type: 'sit', room: replies[1]?.room, seat: 'south' })
  expect(codeOf(await create(nodes.at(0)))).toBe('too_many_rooms')
  await nodes.at(1).do(ann, { type: 'leave', room: replies[1]?.room })
  expect(codeOf(await create(nodes.at(0)))).toBe('ack')
  expect(codeOf(await create(nodes.at(1)))).toBe('too_many_rooms')
})

test('an idle lobby that was closed counts no more', async () => {
  const nodes = await Nodes.open()
  const ann = nodes.at(0).connect(ANN)
  for (let n = 0; n < 8; n++) await nodes.at(0).do(ann, CREATE)
  nodes.at(0).disconnect(ann)
  await nodes.clock.advance(LOBBY_IDLE_MS + 5_000)
  expect(codeOf(await create(nodes.at(1)))).toBe('ack')
})

test('where it was not kept that a room has ended, that is found out when there are too many', async () => {
  const nodes = await Nodes.open()
  const ann = nodes.at(0).connect(ANN)
  const replies: Reply[] = []
  for (let n = 0; n < 8; n++) replies.push(await nodes.at(0).do(ann, CREATE))
  const { store } = nodes.at(0)
  store.failing.add('uncountRoom')
  await nodes.at(0).do(ann, { type: 'leave', room: replies[0]?.room })
  expect(codeOf(await create(nodes.at(1)))).toBe('ack')
  expect(codeOf(await create(nodes.at(1)))).toBe('too_many_rooms')
  expect(nodes.faults).toEqual([])
})

test('a room that was counted and never made counts no more after a while', async () => {
  const nodes = await Nodes.open()
  const ann = nodes.at(0).connect(ANN)
  nodes.at(0).store.failNext('lost')
  expect(await nodes.at(0).refusal(ann, { ...CREATE, id: 'lost' })).toBe('unavailable')
  for (let n = 0; n < 7; n++) await nodes.at(0).do(ann, CREATE)
  expect(codeOf(await create(nodes.at(1)))).toBe('too_many_rooms')
  await nodes.clock.advance(10_000)
  expect(codeOf(await create(nodes.at(1)))).toBe('ack')
  // Asked for again it is one too many now.
  expect(await nodes.at(0).refusal(ann, { ...CREATE, id: 'lost' })).toBe('too_many_rooms')
})

test('a room that was counted and never made is made when it is asked for again', async () => {
  const nodes = await Nodes.open()
  const ann = nodes.at(0).connect(ANN)
  for (let n = 0; n < 7; n++) await nodes.at(0).do(ann, CREATE)
  nodes.at(0).store.failNext('lost')
  expect(await nodes.at(0).refusal(ann, { ...CREATE, id: 'lost' })).toBe('unavailable')
  expect(codeOf(await create(nodes.at(1), { id: 'lost' }))).toBe('ack')
})

test('rooms are made at a rate for all nodes together; one that was made already takes nothing', async () => {
  const nodes = await Nodes.open(2, { newRooms: { perSecond: 1, burst: 3 } })
  const ids = ['a', 'b', 'c']
  for (const [n, id] of ids.entries())
    expect(codeOf(await create(nodes.at(n % 2), { id }))).toBe('ack')
  for (const table of nodes.tables) {
    for (const id of ids) expect(codeOf(await create(table, { id }))).toBe('ack')
    expect(await create(table, { id: 'd' })).toMatchObject({
      type: 'error',
      code: 'rate_limited',
      retryable: true,
      retryAfterMs: 1_000,
    })
  }
  const other = nodes.at(0).connect(BO)
  expect(codeOf(await nodes.at(0).say(other, CREATE))).toBe('ack')
  await nodes.clock.advance(1_000)
  expect(codeOf(await create(nodes.at(1), { id: 'd' }))).toBe('ack')
})

test('rules that cannot be played take nothing', async () => {
  const nodes = await Nodes.open(1, { newRooms: { perSecond: 1, burst: 1 } })
  expect(codeOf(await create(nodes.at(0), { options: { turnSeconds: 1 } }))).toBe('bad_rules')
  expect(codeOf(await create(nodes.at(0)))).toBe('ack')
})
