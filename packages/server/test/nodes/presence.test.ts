import { expect, test } from 'vitest'
import { CLOSED_KEPT_MS, LOBBY_IDLE_MS } from '../../src/room/room-limits.ts'
import { Nodes } from '../support/nodes.ts'
import { ANN, BO, CAI, EVE } from '../support/players.ts'

/** A player's comings and goings, as a socket was told. */
const toldOf = (
  session: { of(type: 'presence'): readonly { player: string; goneSince: number | null }[] },
  player: string,
) =>
  session
    .of('presence')
    .filter((told) => told.player === player)
    .map(({ goneSince }) => goneSince)

test('F-S7: who goes and comes back at one node is told to have done so at every node', async () => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.gather()
  const [ann, bo, cai] = sessions
  if (ann === undefined || bo === undefined || cai === undefined) throw new Error('nobody there')
  await nodes.clock.advance(5_000)
  const since = nodes.clock.now()
  nodes.at(1).disconnect(bo)
  await nodes.settle()
  for (const table of nodes.tables) {
    expect((await table.view(room, ANN)).seats.east).toMatchObject({ goneSince: since })
  }
  await nodes.clock.advance(5_000)
  nodes.at(0).connect(BO)
  await nodes.settle()
  for (const session of [ann, cai, sessions[3] ?? ann]) {
    expect(toldOf(session, BO.id)).toEqual([since, null])
  }
  for (const table of nodes.tables) {
    expect((await table.view(room, ANN)).seats.east).toMatchObject({ goneSince: null })
  }
})

test('nobody who sits at another node is told to be gone, from the first look on', async () => {
  const nodes = await Nodes.open(3)
  const { room, sessions } = await nodes.play()
  const eve = nodes.at(2).connect(EVE)
  const snapshot = await nodes.at(2).do(eve, { type: 'subscribe', room })
  expect(snapshot).toMatchObject({
    view: { seats: { south: { goneSince: null }, east: { goneSince: null } } },
  })
  await nodes.clock.advance(20_000)
  for (const session of [...sessions, eve]) expect(session.of('presence')).toEqual([])
})

test('F-R3: who has a tab at another node is not gone when one here is closed', async () => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.gather()
  const [ann, bo] = sessions
  if (ann === undefined || bo === undefined) throw new Error('nobody there')
  const tab = nodes.at(0).connect(BO)
  nodes.at(1).disconnect(bo)
  await nodes.clock.advance(10_000)
  for (const session of sessions) expect(session.of('presence')).toEqual([])
  nodes.at(0).disconnect(tab)
  await nodes.settle()
  expect(toldOf(ann, BO.id)).toEqual([nodes.clock.now()])
  expect((await nodes.at(1).view(room, null)).seats.east?.goneSince).toBe(nodes.clock.now())
})

test('who is gone is found out without a hint as well', async () => {
  const nodes = await Nodes.open()
  const { sessions } = await nodes.gather()
  const [ann, bo] = sessions
  if (ann === undefined || bo === undefined) throw new Error('nobody there')
  nodes.store.hints = 'lost'
  nodes.at(1).disconnect(bo)
  await nodes.clock.advance(3_000)
  expect(toldOf(ann, BO.id)).toHaveLength(1)
  nodes.at(1).connect(BO)
  await nodes.clock.advance(3_000)
  expect(toldOf(ann, BO.id)).toEqual([expect.any(Number), null])
})

test('the players of a node that has died are gone as soon as the store has forgotten it', async () => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.gather()
  const [ann, , cai] = sessions
  if (ann === undefined || cai === undefined) throw new Error('nobody there')
  nodes.at(1).store.die()
  await nodes.clock.advance(5_000)
  expect(ann.of('presence')).toEqual([])
  nodes.at(1).store.connected.clear()
  await nodes.clock.advance(3_000)
  const { seats } = await nodes.at(0).view(room, ANN)
  expect(
    [seats.south, seats.east, seats.north, seats.west].map((s) => s?.goneSince !== null),
  ).toEqual([false, true, false, true])
  expect(cai.of('presence')).toHaveLength(2)
})

test('while the store does not answer nobody is told to have gone; afterwards who has, is', async () => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.gather()
  const [ann, , cai] = sessions
  if (ann === undefined || cai === undefined) throw new Error('nobody there')
  nodes.at(0).store.isDown = true
  nodes.at(0).disconnect(cai)
  await nodes.settle()
  expect(ann.of('presence')).toEqual([])
  nodes.at(0).store.isDown = false
  await nodes.clock.advance(3_000)
  expect(toldOf(ann, CAI.id)).toHaveLength(1)
  expect((await nodes.at(1).view(room, null)).seats.north?.goneSince).not.toBeNull()
  expect(nodes.faults).toEqual([])
})

test('F-T7: a lobby stays open as long as somebody waits in it, at whichever node', async () => {
  const nodes = await Nodes.open()
  const host = nodes.at(1).connect(ANN)
  const room = await nodes.at(1).createRoom(host)
  await nodes.at(0).view(room, null)
  await nodes.clock.advance(2 * LOBBY_IDLE_MS + 5_000)
  expect(await nodes.at(0).view(room, null)).toMatchObject({ closed: false })
  nodes.at(1).disconnect(host)
  await nodes.clock.advance(LOBBY_IDLE_MS + 5_000)
  expect(await nodes.at(0).view(room, null)).toMatchObject({ closed: true })
  await nodes.clock.advance(CLOSED_KEPT_MS + 5_000)
  for (const table of nodes.tables) expect(await table.rooms.publicRoom(room, null)).toBeNull()
})
