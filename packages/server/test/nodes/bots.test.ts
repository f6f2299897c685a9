import type { BotLevel, Player, RoomId } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { LOBBY_IDLE_MS } from '../../src/room/room-limits.ts'
import { BOT_ROOMS_PER_PLAYER } from '../../src/room/seats.ts'
import type { FakeSession } from '../support/fake-session.ts'
import { Nodes } from '../support/nodes.ts'
import { ANN, BO, playerNumber } from '../support/players.ts'

/** A bot's account, and its connection to a node. */
async function enlist(nodes: Nodes, n: number, level: BotLevel, at: number): Promise<FakeSession> {
  const bot: Player = { id: playerNumber(900 + n).id, name: `${level}-${n}`, bot: level }
  await nodes.store.truth.createPlayer({ ...bot, tokenHash: 'ab'.repeat(32), createdAt: 0 })
  const session = nodes.at(at).connect(bot)
  await nodes.settle()
  return session
}

const addBot = (room: RoomId, seat: string, level: BotLevel = 'easy') => ({
  type: 'addBot',
  room,
  seat,
  level,
})

async function hosted(setup: object = {}) {
  const nodes = await Nodes.open()
  const host = nodes.at(1).connect(ANN)
  const room = await nodes.at(1).createRoom(host, setup)
  return { nodes, host, room }
}

test('a bot that is connected to another node is seated and told, marked as what it is', async () => {
  const { nodes, host, room } = await hosted()
  const bot = await enlist(nodes, 1, 'easy', 0)
  await nodes.at(1).do(host, { type: 'subscribe', room })
  await nodes.at(1).do(host, addBot(room, 'north'))
  await nodes.settle()
  expect(host.last('event').events).toEqual([
    { type: 'seatTaken', seat: 'north', player: bot.player },
  ])
  expect(bot.last('seated')).toEqual({ type: 'seated', room })
  const { seats } = await nodes.at(0).view(room, bot.player)
  expect(seats.north?.player).toEqual({ id: bot.player.id, name: 'easy-1', bot: 'easy' })
  expect((await nodes.at(0).rooms.listRooms())[0]?.seats).toContainEqual({
    seat: 'north',
    player: bot.player,
  })
  // And is taken away again.
  await nodes.at(1).do(host, { type: 'removePlayer', room, player: bot.player.id })
  await nodes.settle()
  expect((await nodes.at(0).view(room, ANN)).seats.north).toBeNull()
})

test('a private room lets its bot in', async () => {
  const { nodes, host, room } = await hosted({ private: true })
  const bot = await enlist(nodes, 1, 'hard', 0)
  await nodes.at(1).do(host, addBot(room, 'north', 'hard'))
  await nodes.at(0).do(bot, { type: 'subscribe', room })
  expect(bot.last('snapshot').view.you.seat).toBe('north')
})

test('of the bots of a level the one with the fewest games is taken, and none twice in a room', async () => {
  const { nodes, host, room } = await hosted()
  const [one, two] = [await enlist(nodes, 1, 'easy', 0), await enlist(nodes, 2, 'easy', 1)]
  await enlist(nodes, 3, 'normal', 0)
  await nodes.at(1).do(host, addBot(room, 'north'))
  await nodes.at(1).do(host, addBot(room, 'east'))
  const { seats } = await nodes.at(1).view(room, ANN)
  const seated = [seats.north, seats.east].map((occupant) => occupant?.player.name).sort()
  expect(seated).toEqual([one, two].map(({ player }) => player.name))
  expect(await nodes.at(1).refusal(host, addBot(room, 'west'))).toBe('no_bot_available')
  await nodes.at(1).do(host, { type: 'removePlayer', room, player: one?.player.id })
  await nodes.settle()
  const other = await nodes.at(1).createRoom(host)
  await nodes.at(1).do(host, addBot(other, 'north'))
  expect((await nodes.at(1).view(other, ANN)).seats.north?.player).toEqual(one?.player)
})

test.each([
  ['not_host', { who: BO }],
  ['seat_taken', { seat: 'south' }],
  ['no_such_seat', { preset: 'duel', seat: 'east' }],
  ['no_bot_available', { level: 'hard' }],
  ['no_bot_available', { isGone: true }],
  ['room_not_found', { who: BO, private: true }],
  ['wrong_phase', { hasStarted: true }],
] as const)('addBot is refused as %s: %j', async (code, setting) => {
  const given = {
    who: ANN,
    seat: 'north',
    level: 'easy' as BotLevel,
    preset: 'duel',
    private: false,
    ...setting,
  }
  const { nodes, host, room } = await hosted({ preset: given.preset, private: given.private })
  const bot = await enlist(nodes, 1, 'easy', 0)
  if ('isGone' in given) nodes.at(0).disconnect(bot)
  await nodes.settle()
  await nodes.at(1).do(host, { type: 'sit', room, seat: 'south' })
  if ('hasStarted' in given) {
    await nodes.at(1).do(host, addBot(room, 'north'))
    await nodes.at(0).do(bot, { type: 'ready', room })
    await nodes.at(1).do(host, { type: 'ready', room })
    await nodes.at(1).do(host, { type: 'start', room })
  }
  const session = given.who === ANN ? host : nodes.at(0).connect(given.who)
  const asked = addBot(room, given.seat, given.level)
  expect(await nodes.at(session === host ? 1 : 0).refusal(session, asked)).toBe(code)
})

test('F-S3: of many hosts’ rooms at once a bot takes as many games as it plays, and no seat gets two', async () => {
  const nodes = await Nodes.open()
  const bots = [await enlist(nodes, 1, 'easy', 0), await enlist(nodes, 2, 'easy', 1)]
  const hosts = Array.from({ length: 20 }, (_, n) => nodes.at(n % 2).connect(playerNumber(n)))
  const rooms = await Promise.all(
    hosts.map((host, n) => nodes.at(n % 2).createRoom(host, { preset: 'duel' })),
  )
  let seated = 0
  for (const [n, host] of hosts.entries()) {
    const reply = await nodes.at(n % 2).say(host, addBot(rooms[n] as RoomId, 'north'))
    if (reply.type === 'error') expect(reply.code).toBe('no_bot_available')
    else seated++
  }
  expect(seated).toBe(16)
  for (const bot of bots) expect(bot.of('seated')).toHaveLength(8)
})

test('F-S3: of ten hosts who ask at once, at two nodes, as many get a bot as there are games', async () => {
  const nodes = await Nodes.open(2, { botGames: 1 })
  const bots = [await enlist(nodes, 1, 'easy', 0), await enlist(nodes, 2, 'easy', 1)]
  const hosts = Array.from({ length: 10 }, (_, n) => nodes.at(n % 2).connect(playerNumber(n)))
  const rooms = await Promise.all(
    hosts.map((host, n) => nodes.at(n % 2).createRoom(host, { preset: 'duel' })),
  )
  const replies = await Promise.all(
    hosts.map((host, n) => nodes.at(n % 2).say(host, addBot(rooms[n] as RoomId, 'north'))),
  )
  const refused = replies.flatMap((reply) => (reply.type === 'error' ? [reply.code] : []))
  expect(refused).toEqual(Array.from({ length: 8 }, () => 'no_bot_available'))
  for (const bot of bots) expect(bot.of('seated')).toHaveLength(1)
  // What was noted for those who came too late holds no place.
  const lucky = replies.findIndex(({ type }) => type !== 'error')
  await nodes.at(0).do(hosts[lucky] as FakeSession, { type: 'leave', room: rooms[lucky] })
  const late = nodes.at(1).connect(playerNumber(50))
  await nodes.at(1).do(late, addBot(await nodes.at(1).createRoom(late), 'north'))
})

test('a rematch leaves the seat of a bot empty that has no game left', async () => {
  const nodes = await Nodes.open(2, { botGames: 1 })
  const bot = await enlist(nodes, 1, 'easy', 0)
  const host = nodes.at(1).connect(ANN)
  const room = await nodes.at(1).createRoom(host, { preset: 'flip' })
  await nodes.at(1).do(host, { type: 'sit', room, seat: 'south' })
  await nodes.at(1).do(host, addBot(room, 'north'))
  for (const session of [host, bot]) await nodes.at(1).do(session, { type: 'ready', room })
  await nodes.at(1).do(host, { type: 'start', room })
  await nodes.at(1).do(host, { type: 'subscribe', room })
  await nodes.at(0).do(bot, { type: 'leave', room })
  await nodes.settle()
  const other = nodes.at(0).connect(BO)
  const taken = await nodes.at(0).createRoom(other, { preset: 'flip' })
  await nodes.at(0).do(other, addBot(taken, 'north'))
  await nodes.at(1).do(host, { type: 'rematch', room })
  const { rematch } = await nodes.at(1).view(room, ANN)
  const { seats } = await nodes.at(0).view(rematch as RoomId, ANN)
  expect(seats.south?.player).toEqual(ANN)
  expect(seats.north).toBeNull()
  expect(bot.of('seated').map((seat) => seat.room)).toEqual([room, taken])
})

test('bots sit in so many rooms that one host asked for, until one of these is over', async () => {
  const nodes = await Nodes.open()
  for (let n = 0; n < 3; n++) await enlist(nodes, n, 'easy', n % 2)
  const host = nodes.at(1).connect(ANN)
  const rooms: RoomId[] = []
  for (let n = 0; n <= BOT_ROOMS_PER_PLAYER; n++) {
    rooms.push(await nodes.at(n % 2).createRoom(host, { private: n % 2 === 0 }))
  }
  const [first, last] = [rooms[0] as RoomId, rooms.at(-1) as RoomId]
  for (const room of rooms.slice(0, -1)) await nodes.at(0).do(host, addBot(room, 'north'))
  expect(await nodes.at(0).refusal(host, addBot(last, 'north'))).toBe('too_many_bots')
  // Where there is one already there may be others.
  await nodes.at(1).do(host, addBot(first, 'east'))
  // Whoever is host of it now: it was this player who asked for them.
  const heir = nodes.at(0).connect(BO)
  const { invitation } = await nodes.at(0).view(first, ANN)
  await nodes.at(0).do(heir, { type: 'sit', room: first, seat: 'west', invitation })
  await nodes.at(1).do(host, { type: 'leave', room: first })
  expect(await nodes.at(0).refusal(host, addBot(last, 'north'))).toBe('too_many_bots')
  await nodes.at(0).do(heir, { type: 'leave', room: first })
  await nodes.settle()
  await nodes.at(1).do(host, addBot(last, 'north'))
  expect(nodes.faults).toEqual([])
})

test('F-R2: addBot that is sent twice seats one bot', async () => {
  const { nodes, host, room } = await hosted()
  await enlist(nodes, 1, 'easy', 0)
  await enlist(nodes, 2, 'easy', 0)
  const asked = { ...addBot(room, 'north'), id: 'same' }
  const first = await nodes.at(1).do(host, asked)
  const again = await nodes.at(1).do(host, asked)
  expect(again).toMatchObject({ type: 'ack', version: first.type === 'ack' ? first.version : 0 })
  expect(Object.values((await nodes.at(0).view(room, ANN)).seats).filter(Boolean)).toHaveLength(1)
})

test('F-C3: a bot whose hint was lost is told all its seats again before long', async () => {
  const { nodes, host, room } = await hosted()
  const bot = await enlist(nodes, 1, 'easy', 0)
  const person = nodes.at(0).connect(BO)
  await nodes.settle()
  nodes.store.hints = 'lost'
  await nodes.at(1).do(host, addBot(room, 'north'))
  await nodes.settle()
  expect(bot.of('seated')).toEqual([])
  bot.takeFrames()
  person.takeFrames()
  await nodes.clock.advance(15_000)
  await nodes.settle()
  expect(bot.last('seats').rooms).toEqual([room])
  expect(person.of('seats')).toEqual([])
})

test('bots alone keep no lobby open, and none of them becomes host', async () => {
  const { nodes, host, room } = await hosted()
  await enlist(nodes, 1, 'easy', 0)
  await nodes.at(1).do(host, addBot(room, 'north'))
  nodes.at(1).disconnect(host)
  await nodes.clock.advance(LOBBY_IDLE_MS + 5_000)
  await nodes.settle()
  expect(await nodes.at(0).rooms.listRooms()).toEqual([])

  const again = await hosted()
  await enlist(again.nodes, 1, 'easy', 0)
  await again.nodes.at(1).do(again.host, addBot(again.room, 'north'))
  await again.nodes.at(1).do(again.host, { type: 'leave', room: again.room })
  expect((await again.nodes.at(1).view(again.room, ANN)).closed).toBe(true)
})

test('a bot is never host, not of a rematch either, whoever was seated longest', async () => {
  const { nodes, host, room } = await hosted({ preset: 'duel' })
  const bot = await enlist(nodes, 1, 'easy', 0)
  const person = nodes.at(0).connect(BO)
  await nodes.at(1).do(host, addBot(room, 'north'))
  await nodes.at(0).do(person, { type: 'sit', room, seat: 'south' })
  for (const session of [bot, person]) await nodes.at(0).do(session, { type: 'ready', room })
  await nodes.at(1).do(host, { type: 'start', room })
  for (const session of [bot, person]) {
    const formation = '963175358137B246L2LB4FL21'
    await nodes.at(0).do(session, { type: 'submitFormation', room, formation })
  }
  await nodes.at(0).do(person, { type: 'offerDraw', room })
  await nodes.at(0).do(bot, { type: 'answerDraw', room, offer: 1, accept: true })
  await nodes.at(0).do(person, { type: 'rematch', room })
  const { rematch } = await nodes.at(0).view(room, BO)
  if (rematch === null) throw new Error('no rematch')
  expect(await nodes.at(0).view(rematch, BO)).toMatchObject({
    host: BO.id,
    seats: { north: { player: bot.player } },
  })
})
