import { expect, test } from 'vitest'
import type { FakeSession } from '../support/fake-session.ts'
import { Nodes } from '../support/nodes.ts'
import { ANN, BO, CAI, DEE, playerNumber } from '../support/players.ts'

const SEATS = ['south', 'east', 'north', 'west'] as const

/** What a socket was told of the log, without which of it was an answer. */
const entriesOf = (session: FakeSession) => session.of('event').map(({ re: _, ...entry }) => entry)

test('F-C1: of two nodes that write the same version one does, and the other decides again', async () => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.gather()
  const [ann, bo] = sessions
  if (ann === undefined || bo === undefined) throw new Error('nobody there')
  const version = await nodes.store.truth.version(room)
  const since = sessions.map((session) => session.of('event').length)
  for (const { store } of nodes.tables) store.holdQuestions()
  const saying = [ann, bo].map((session) => nodes.at(0).say(session, { type: 'ready', room }))
  await nodes.settle()
  for (const { store } of nodes.tables) store.release()
  const replies = await Promise.all(saying)
  await nodes.settle()
  expect(replies.map((reply) => reply.version)).toEqual([version + 1, version + 2])
  const told = sessions.map((session, n) => entriesOf(session).slice(since[n]))
  for (const entries of told) expect(entries).toEqual(told[0])
  expect(told[0]).toMatchObject([
    { version: version + 1, events: [{ type: 'readyChanged', seat: 'south', ready: true }] },
    { version: version + 2, events: [{ type: 'readyChanged', seat: 'east', ready: true }] },
  ])
  expect(nodes.faults).toEqual([])
})

test('F-C1: what is decided again is decided by what the other node wrote', async () => {
  const nodes = await Nodes.open()
  const room = await nodes.at(0).createRoom(nodes.at(0).connect(ANN))
  const rivals = [nodes.at(0).connect(BO), nodes.at(1).connect(CAI)]
  for (const rival of rivals) await nodes.at(0).do(rival, { type: 'subscribe', room })
  for (const { store } of nodes.tables) store.holdQuestions()
  const sitting = rivals.map((rival) => nodes.at(0).say(rival, { type: 'sit', room, seat: 'east' }))
  await nodes.settle()
  for (const { store } of nodes.tables) store.release()
  expect(await Promise.all(sitting)).toMatchObject([
    { type: 'event', version: 2 },
    { type: 'error', code: 'seat_taken', version: 2 },
  ])
  for (const rival of rivals) expect(rival.last('event').events).toMatchObject([{ player: BO }])
})

test('F-S1, F-S2: of 100 who sit down at once, at two nodes, as many sit as there are seats', async () => {
  const nodes = await Nodes.open()
  const room = await nodes.at(0).createRoom(nodes.at(0).connect(ANN))
  const sessions = Array.from({ length: 100 }, (_, n) => nodes.at(n % 2).connect(playerNumber(n)))
  const replies = await Promise.all(
    sessions.map((session, n) =>
      nodes.at(0).say(session, { type: 'sit', room, seat: SEATS[n % 4] ?? 'south' }),
    ),
  )
  const taken = sessions.filter((_, n) => replies[n]?.type === 'ack').map(({ player }) => player.id)
  const refused = replies.filter((reply) => reply.type === 'error')
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['seat_taken']))
  for (const table of nodes.tables) {
    const { seats } = await table.view(room, null)
    const seated = SEATS.map((seat) => seats[seat]?.player.id)
    expect(new Set(seated)).toEqual(new Set(taken))
    expect(new Set(seated).size).toBe(4)
  }
})

test('F-S1: a room that is asked for at two nodes at once is one room', async () => {
  const nodes = await Nodes.open(3)
  const create = { type: 'createRoom', preset: 'duel', options: {}, private: false, id: 'one' }
  const replies = await Promise.all(
    nodes.tables.map((table) => table.do(table.connect(ANN), create)),
  )
  expect(new Set(replies.map((reply) => reply.room)).size).toBe(1)
  expect(await nodes.at(0).rooms.listRooms()).toHaveLength(1)
})

test('F-S1: a rematch that is asked for at two nodes at once is one room, which is there', async () => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.play({ preset: 'duel' })
  for (let n = 0; n < 12; n++) await nodes.clock.advance(60_000)
  await Promise.all(sessions.map((session) => nodes.at(0).do(session, { type: 'rematch', room })))
  const { rematch } = await nodes.at(0).view(room, ANN)
  expect(await nodes.at(1).rooms.listRooms()).toMatchObject([{ room: rematch }])
})

test('F-S3: a player that sits down on all seats at once, from two nodes, has one', async () => {
  const nodes = await Nodes.open()
  const room = await nodes.at(0).createRoom(nodes.at(0).connect(ANN))
  await Promise.all(
    SEATS.map((seat, n) =>
      nodes.at(0).do(nodes.at(n % 2).connect(BO), { type: 'sit', room, seat }),
    ),
  )
  for (const table of nodes.tables) {
    const { seats } = await table.view(room, null)
    expect(SEATS.filter((seat) => seats[seat]?.player.id === BO.id)).toHaveLength(1)
  }
})

test('F-T1: of a move at one node and the timeout at the other exactly one is', async () => {
  for (const first of ['move', 'timeout'] as const) {
    const nodes = await Nodes.open()
    const { room, sessions } = await nodes.play()
    const { session, move } = await nodes.at(0).nextMove({ room, sessions })
    const [mover, other] =
      session.player.id === ANN.id || session.player.id === CAI.id ? [0, 1] : [1, 0]
    const { until } = await nodes.at(0).view(room, null)
    const deadline = until ?? 0
    await nodes.clock.advance(deadline - 1 - nodes.clock.now())
    nodes.at(mover).store.holdQuestions()
    const moving = nodes.at(mover).say(session, move)
    await nodes.clock.advance(first === 'move' ? 50 : 200)
    nodes.at(mover).store.release()
    const reply = await moving
    await nodes.clock.advance(1_000)
    const { history } = await nodes.at(other).view(room, null)
    expect(history).toHaveLength(1)
    if (first === 'move') expect(history[0]?.type).toMatch(/^piece/)
    else expect(history[0]?.type).toBe('turnSkipped')
    expect(reply.type).toBe(first === 'move' ? 'event' : 'error')
    for (const each of sessions) expect(each.of('event').at(-1)?.turn).toBe(1)
    expect((await nodes.at(mover).view(room, DEE)).history).toEqual(history)
  }
})
