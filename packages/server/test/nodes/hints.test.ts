import { expect, test } from 'vitest'
import type { FakeSession } from '../support/fake-session.ts'
import { Nodes } from '../support/nodes.ts'
import { BO, EVE, playerNumber } from '../support/players.ts'

/** The versions that a socket was told, in the order it was. */
const versionsOf = (session: FakeSession): readonly number[] =>
  session.of('event').map(({ version }) => version)

const dense = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)

test('what one node writes is told at the other, to all but its sender as the same bytes', async () => {
  const nodes = await Nodes.open()
  const { room, sessions, host } = await nodes.gather()
  for (const session of sessions) session.takeFrames()
  await nodes.at(0).do(host, { type: 'ready', room })
  await nodes.settle()
  const [first, ...others] = sessions.slice(1).map(({ frames }) => frames)
  expect(host.frames).toHaveLength(1)
  expect(first).toHaveLength(1)
  for (const frames of others) expect(frames).toEqual(first)
})

test('what is told with its entry is not read', async () => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.play()
  const { store } = nodes.at(1)
  const version = await nodes.store.truth.version(room)
  store.asked.length = 0
  for (let n = 0; n < 8; n++) await nodes.at(0).step({ room, sessions })
  await nodes.settle()
  for (const session of sessions) {
    expect(versionsOf(session).slice(-8)).toEqual(dense(version + 1, 8))
  }
  expect(store.asked).not.toContain('read')
})

test.each([
  ['follows on another', { previous: '{}' }],
  ['is some versions ahead', { version: 1_000 }],
])('F-C4: of an entry that %s nothing is taken: the log is read', async (_, wrong) => {
  const nodes = await Nodes.open()
  const { room, sessions, host } = await nodes.gather()
  nodes.store.hints = 'lost'
  await nodes.at(0).do(host, { type: 'ready', room })
  const [before, entry] = (await nodes.store.truth.read(room, 0)).slice(-2)
  if (before === undefined || entry === undefined) throw new Error('no entries')
  const { store } = nodes.at(1)
  store.asked.length = 0
  const told = { ...entry, previous: before.data, ...wrong }
  store.hear((hints) => hints.roomChanged(room, told.version, { ...told, data: before.data }))
  await nodes.settle()
  expect(store.asked).toContain('read')
  expect(sessions[1]?.last('event')).toMatchObject({
    version: entry.version,
    events: [{ type: 'readyChanged', seat: 'south' }],
  })
  expect(nodes.faults).toEqual([])
})

test('F-C3: hints that come late, twice and out of order tell everything once and in order', async () => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.play()
  const version = await nodes.store.truth.version(room)
  const spectator = nodes.at(1).connect(EVE)
  await nodes.at(1).do(spectator, { type: 'subscribe', room })
  nodes.store.hints = 'held'
  for (let n = 0; n < 12; n++) {
    await nodes.at(0).step({ room, sessions })
    if (n % 4 === 3) nodes.store.deliver((hints) => [...hints, ...hints].reverse())
    await nodes.settle()
  }
  for (const session of [...sessions, spectator]) {
    expect(versionsOf(session).slice(-12)).toEqual(dense(version + 1, 12))
  }
  expect(nodes.faults).toEqual([])
})

test('F-C3: a hint that comes before the answer to what it is about is no conflict, and nothing is read', async () => {
  const nodes = await Nodes.open()
  const { room, sessions, host } = await nodes.gather()
  const { store, observed } = nodes.at(0)
  store.asked.length = 0
  store.holdAnswers()
  const saying = nodes.at(0).say(host, { type: 'ready', room })
  await nodes.settle()
  // The other node has told it already.
  expect(sessions[1]?.last('event').events).toMatchObject([{ type: 'readyChanged' }])
  expect(host.last('event').events).not.toMatchObject([{ type: 'readyChanged' }])
  store.release()
  expect(await saying).toMatchObject({ type: 'event' })
  await nodes.settle()
  expect(store.asked).toEqual(['append'])
  expect(observed.conflicts).toBe(0)
})

test('F-C3: hints that come while a room is busy are one look', async () => {
  const nodes = await Nodes.open()
  const { room, sessions, host } = await nodes.gather()
  const [, bo] = sessions
  if (bo === undefined) throw new Error('nobody there')
  nodes.store.hints = 'held'
  for (const type of ['ready', 'notReady', 'ready']) await nodes.at(0).do(host, { type, room })
  const { store } = nodes.at(1)
  store.asked.length = 0
  store.holdQuestions()
  const saying = nodes.at(1).do(bo, { type: 'ready', room })
  nodes.store.deliver((hints) => [...hints, ...hints, ...hints])
  store.release()
  await saying
  await nodes.settle()
  expect(store.asked).toEqual(['append', 'read', 'isFailed', 'append'])
  expect(versionsOf(bo).slice(-4)).toEqual(dense((await store.version(room)) - 3, 4))
})

test('F-C3: what a lost hint was about comes with the next one', async () => {
  const nodes = await Nodes.open()
  const { room, sessions, host } = await nodes.gather()
  const [, bo] = sessions
  if (bo === undefined) throw new Error('nobody there')
  const version = await nodes.store.truth.version(room)
  nodes.store.hints = 'lost'
  await nodes.at(0).do(host, { type: 'ready', room })
  await nodes.settle()
  expect(versionsOf(bo).at(-1)).toBe(version)
  nodes.store.hints = 'told'
  await nodes.at(0).do(host, { type: 'notReady', room })
  await nodes.settle()
  expect(versionsOf(bo).slice(-2)).toEqual([version + 1, version + 2])
})

test('F-C3: what is written while somebody is being shown the room is told after it', async () => {
  const nodes = await Nodes.open()
  const { room, host } = await nodes.at(0).gather()
  const version = await nodes.store.truth.version(room)
  const { eve, arrive } = await nodes.showing(room)
  await nodes.at(0).do(host, { type: 'ready', room })
  await arrive()
  expect(eve.last('snapshot').version).toBe(version)
  expect(versionsOf(eve).at(-1)).toBe(version + 1)
})

test.each([
  ['subscribe', (room: string) => ({ type: 'subscribe', room })],
  ['a refused command', (room: string) => ({ type: 'start', room })],
  ['a command', (room: string) => ({ type: 'ready', room })],
])('F-C3: what a lost hint was about comes with the next look: %s', async (_, messageOf) => {
  const nodes = await Nodes.open()
  const { room, sessions, host } = await nodes.gather()
  const [, bo, , dee] = sessions
  if (bo === undefined || dee === undefined) throw new Error('nobody there')
  nodes.store.hints = 'lost'
  await nodes.at(0).do(host, { type: 'ready', room })
  const version = await nodes.store.truth.version(room)
  await nodes.at(1).say(bo, messageOf(room))
  expect(versionsOf(dee)).toContain(version)
})

test('F-C3: over HTTP nobody is shown less than was written, and those who watch learn of it', async () => {
  const nodes = await Nodes.open()
  const { room, sessions, host } = await nodes.gather()
  nodes.store.hints = 'lost'
  await nodes.at(0).do(host, { type: 'ready', room })
  expect((await nodes.at(1).view(room, null)).seats.south?.ready).toBe(true)
  expect(sessions[1]?.last('event').events).toMatchObject([{ type: 'readyChanged' }])
})

test('F-C3: a hint that comes while the room is being read is not lost', async () => {
  const nodes = await Nodes.open()
  const { room, host } = await nodes.gather({}, 1)
  const bo = nodes.at(1).connect(BO)
  const { store } = nodes.at(1)
  store.holdAnswers()
  const subscribing = nodes.at(1).say(bo, { type: 'subscribe', room })
  await nodes.settle()
  await nodes.at(0).do(host, { type: 'ready', room })
  store.release()
  await subscribing
  await nodes.settle()
  expect(bo.last('snapshot').version).toBe(await store.version(room))
})

test('F-C3: news that could not be read when they were heard of are read before long', async () => {
  const nodes = await Nodes.open()
  const { room, sessions, host } = await nodes.gather()
  const [, bo] = sessions
  const { store } = nodes.at(1)
  store.isDown = true
  nodes.store.hints = 'lost'
  await nodes.at(0).do(host, { type: 'ready', room })
  const version = await nodes.store.truth.version(room)
  store.hear((hints) => hints.roomChanged(room, version))
  await nodes.settle()
  store.isDown = false
  expect(bo?.last('event').events).not.toMatchObject([{ type: 'readyChanged' }])
  await nodes.clock.advance(3_000)
  expect(bo?.last('event').events).toMatchObject([{ type: 'readyChanged' }])
})

test('rooms that nobody watches at a node are read there when they are needed, not at every hint', async () => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.play({}, 1)
  await nodes.at(1).view(room, null)
  const { store } = nodes.at(1)
  store.asked.length = 0
  for (let n = 0; n < 10; n++) await nodes.at(0).step({ room, sessions })
  await nodes.settle()
  expect(store.asked).toEqual([])
  expect((await nodes.at(1).view(room, null)).game?.turn).toBe(10)
})

test('F-C6: rooms that nobody watches leave a node’s memory, and are followed no longer', async () => {
  const nodes = await Nodes.open()
  for (let n = 0; n < 300; n++) {
    const session = nodes.at(0).connect(playerNumber(n))
    const room = await nodes.at(0).createRoom(session)
    await nodes.at(0).do(session, { type: 'subscribe', room })
    await nodes.at(0).do(session, { type: 'sit', room, seat: 'south' })
    await nodes.at(1).view(room, null)
    nodes.at(0).disconnect(session)
  }
  for (const { rooms, store } of nodes.tables) {
    expect(rooms.size).toBeLessThanOrEqual(128)
    expect(store.followed.size).toBe(rooms.size)
  }
})

test('F-C6: rooms that a node opened for their deadlines only leave its memory as well', async () => {
  const nodes = await Nodes.open()
  for (let n = 0; n < 300; n++) {
    const session = nodes.at(0).connect(playerNumber(n))
    await nodes.at(0).createRoom(session)
    nodes.at(0).disconnect(session)
  }
  nodes.at(0).store.die()
  // Idle lobbies are closed by the node that is left.
  await nodes.clock.advance(31 * 60_000)
  expect(await nodes.store.truth.lobby(1)).toEqual([])
  const { rooms, store } = nodes.at(1)
  expect(rooms.size).toBeLessThanOrEqual(128)
  expect(store.followed.size).toBe(rooms.size)
})

test('F-C6: more rooms than are kept idle can be looked at, all at once', async () => {
  const nodes = await Nodes.open()
  const players = Array.from({ length: 300 }, (_, n) => playerNumber(n))
  const views = players.map(async (player) => {
    const session = nodes.at(0).connect(player)
    const room = await nodes.at(0).createRoom(session)
    await nodes.at(0).do(session, { type: 'sit', room, seat: 'south' })
    return () => nodes.at(1).view(room, player)
  })
  const looks = await Promise.all(views)
  const seen = await Promise.all(looks.map((look) => look()))
  expect(seen.map(({ you }) => you.seat)).toEqual(players.map(() => 'south'))
  expect(nodes.at(1).rooms.size).toBeLessThanOrEqual(128)
})
