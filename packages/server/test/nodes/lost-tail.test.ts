import { expect, test } from 'vitest'
import type { FakeSession } from '../support/fake-session.ts'
import { Nodes } from '../support/nodes.ts'
import { ANN, BO, CAI, DEE, playerNumber } from '../support/players.ts'

/** What a socket shows: its last snapshot, and the entries told since. */
function shownBy(session: FakeSession) {
  const messages = session.messages.filter(({ type }) => type === 'snapshot' || type === 'event')
  const from = messages.findLastIndex(({ type }) => type === 'snapshot')
  return messages.slice(from).map((message) => ('version' in message ? message.version : null))
}

test('F-C4: when the store has lost entries, everyone at every node gets a snapshot, and goes on', async () => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.play()
  for (let n = 0; n < 6; n++) await nodes.at(0).step({ room, sessions })
  await nodes.settle()
  const version = await nodes.store.truth.version(room)
  await nodes.store.cut(room, version - 2)
  for (const { store } of nodes.tables) store.hear((hints) => hints.storeReplaced())
  await nodes.settle()
  for (const session of sessions) expect(shownBy(session)).toEqual([version - 2])
  expect(nodes.tables.map(({ observed }) => observed.resyncs)).toEqual([1, 1])
  expect(nodes.warnings).toEqual(
    Array(2).fill(
      `the store has lost entries of a room ${JSON.stringify({ room, version: version - 2, known: version })}`,
    ),
  )
  for (let n = 0; n < 4; n++) await nodes.at(0).step({ room, sessions })
  await nodes.settle()
  for (const session of sessions) {
    expect(shownBy(session)).toEqual([-2, -1, 0, 1, 2].map((ahead) => version + ahead))
  }
  expect(nodes.faults).toEqual([])
})

test('F-C4: who is being shown the room while the store loses entries of it is brought back as well', async () => {
  const nodes = await Nodes.open()
  const { room, host } = await nodes.at(0).gather()
  await nodes.at(0).do(host, { type: 'ready', room })
  const version = await nodes.store.truth.version(room)
  const { eve, arrive } = await nodes.showing(room)
  await nodes.store.cut(room, version - 1)
  nodes.at(1).store.hear((hints) => hints.storeReplaced())
  await arrive()
  expect(eve.of('snapshot').map((snapshot) => snapshot.version)).toEqual([
    version,
    version,
    version - 1,
  ])
})

test('F-C4: a branch of equal length is found when one writes on, and nothing is written on it', async () => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.gather()
  const [ann, bo, , dee] = sessions
  if (ann === undefined || bo === undefined || dee === undefined) throw new Error('nobody there')
  await nodes.at(0).do(ann, { type: 'ready', room })
  await nodes.settle()
  const version = await nodes.store.truth.version(room)
  // The node that is told of the failover writes another entry in the place of the lost one.
  await nodes.store.cut(room, version - 1)
  nodes.store.hints = 'lost'
  nodes.at(0).store.hear((hints) => hints.storeReplaced())
  await nodes.at(0).do(ann, { type: 'requestSwap', room, seat: 'east' })
  expect(await nodes.store.truth.version(room)).toBe(version)
  // The other one believes that south is ready, and finds out as it writes.
  const reply = await nodes.at(1).do(bo, { type: 'answerSwap', room, swap: 1, accept: true })
  expect(reply.version).toBe(version + 1)
  expect(shownBy(dee)).toEqual([version, version + 1])
  expect(nodes.at(1).observed).toMatchObject({ conflicts: 0, resyncs: 1 })
  const { seats } = await nodes.at(1).view(room, null)
  expect([seats.south?.player, seats.east?.player]).toEqual([BO, ANN])
  expect((await nodes.at(0).view(room, null)).seats).toEqual(seats)
})

test('F-C4: a command that is decided on a lost branch is decided again on the one that is', async () => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.gather()
  const [ann, bo] = sessions
  if (ann === undefined || bo === undefined) throw new Error('nobody there')
  await nodes.at(0).do(ann, { type: 'stand', room })
  await nodes.settle()
  const version = await nodes.store.truth.version(room)
  await nodes.store.cut(room, version - 1)
  nodes.store.hints = 'lost'
  nodes.at(0).store.hear((hints) => hints.storeReplaced())
  await nodes.at(0).do(ann, { type: 'ready', room })
  // South is empty at the other node, and taken in the store.
  expect(await nodes.at(1).refusal(bo, { type: 'sit', room, seat: 'south' })).toBe('seat_taken')
  expect(nodes.at(1).observed).toMatchObject({ conflicts: 1, resyncs: 1 })
})

test('F-C4: a node that was told of no failover never shows what is gone to who comes', async () => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.play()
  for (let n = 0; n < 4; n++) await nodes.at(0).step({ room, sessions })
  await nodes.settle()
  const version = await nodes.store.truth.version(room)
  await nodes.store.cut(room, version - 3)
  const back = nodes.at(1).connect(CAI)
  await nodes.at(1).do(back, { type: 'subscribe', room, since: version })
  expect(back.messages.filter(({ type }) => type !== 'seats')).toHaveLength(1)
  expect(back.last('snapshot')).toMatchObject({ version: version - 3 })
  expect((await nodes.at(0).view(room, DEE)).game?.turn).toBe(1)
})

test('F-C4: of a room that the store has lost whole everyone is told that it is closed', async () => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.gather()
  await nodes.store.cut(room, 0)
  for (const { store } of nodes.tables) store.hear((hints) => hints.storeReplaced())
  await nodes.settle()
  for (const session of sessions) {
    expect(session.messages.at(-1)).toEqual({ type: 'dropped', room, code: 'room_closed' })
  }
  expect(nodes.tables.map(({ rooms }) => rooms.size)).toEqual([0, 0])
  expect(await nodes.store.truth.isFailed(room)).toBe(false)
  expect(nodes.faults).toEqual([])
})

test('F-C4: all rooms in memory are compared, so many at once, and a second failover is not passed over', async () => {
  const nodes = await Nodes.open(1)
  const made = []
  for (let n = 0; n < 100; n++) {
    const { room, sessions } = await watchedRoom(nodes, n)
    made.push({ room, sessions })
  }
  const { store } = nodes.at(0)
  store.asked.length = 0
  store.holdQuestions()
  store.hear((hints) => hints.storeReplaced())
  await nodes.settle()
  expect(store.asked.filter((name) => name === 'read')).toHaveLength(32)
  for (const { room } of made) await nodes.store.cut(room, 1)
  store.hear((hints) => hints.storeReplaced())
  store.release()
  await nodes.settle()
  for (const { room, sessions } of made) {
    for (const session of sessions)
      expect(session.last('snapshot')).toMatchObject({ room, version: 1 })
  }
})

async function watchedRoom(nodes: Nodes, n: number) {
  const session = nodes.at(0).connect(playerNumber(n))
  const room = await nodes.at(0).createRoom(session, { preset: 'duel' })
  await nodes.at(0).do(session, { type: 'subscribe', room })
  await nodes.at(0).do(session, { type: 'sit', room, seat: 'south' })
  return { room, sessions: [session] }
}
