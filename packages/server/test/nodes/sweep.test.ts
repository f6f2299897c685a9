import { expect, test } from 'vitest'
import type { RoomId } from '../../src/ports.ts'
import { LOBBY_IDLE_MS } from '../../src/room/room-limits.ts'
import { Nodes } from '../support/nodes.ts'
import { ANN, EVE } from '../support/players.ts'

/** Lets time pass until so long after a deadline. */
async function passDeadline(nodes: Nodes, room: RoomId, by: number): Promise<void> {
  const [due] = (await nodes.store.truth.due(Number.MAX_SAFE_INTEGER, 100)).filter(
    (each) => each.room === room,
  )
  if (due === undefined) throw new Error('the room waits for nothing')
  await nodes.clock.advance(due.deadline + by - nodes.clock.now())
}

test('F-T1: a room in memory is served 150 ms after its deadline, no earlier and once', async () => {
  const nodes = await Nodes.open(3)
  const { room, sessions } = await nodes.play()
  const version = await nodes.store.truth.version(room)
  await passDeadline(nodes, room, 149)
  expect(await nodes.store.truth.version(room)).toBe(version)
  await passDeadline(nodes, room, 150)
  await nodes.settle()
  expect(await nodes.store.truth.version(room)).toBe(version + 1)
  for (const session of sessions) {
    expect(session.last('event').events).toMatchObject([{ type: 'turnSkipped' }])
  }
  const lags = nodes.tables.flatMap(({ observed }) => observed.lags)
  expect(lags).toEqual([150])
})

test('F-T2: a room that only a dead node had in memory is served by another one, after a while', async () => {
  const nodes = await Nodes.open(3)
  const { room } = await nodes.play({}, 1)
  const version = await nodes.store.truth.version(room)
  nodes.at(0).store.die()
  await passDeadline(nodes, room, 599)
  expect(await nodes.store.truth.version(room)).toBe(version)
  await passDeadline(nodes, room, 1_100)
  expect(await nodes.store.truth.version(room)).toBe(version + 1)
})

test('a room that one node has in memory is not opened by the others', async () => {
  const nodes = await Nodes.open(3)
  const { room } = await nodes.play({}, 1)
  for (let n = 0; n < 3; n++) await passDeadline(nodes, room, 150)
  await nodes.clock.advance(5_000)
  expect(nodes.tables.map(({ rooms }) => rooms.size)).toEqual([1, 0, 0])
})

test('F-T6: a game whose nodes die one after the other comes to its end', async () => {
  const nodes = await Nodes.open(3)
  const { room } = await nodes.play({}, 2)
  for (let n = 0; n < 20; n++) {
    if (n === 3) nodes.at(0).store.die()
    if (n === 6) nodes.at(1).store.die()
    await nodes.clock.advance(32_000)
  }
  expect(await nodes.at(2).view(room, ANN)).toMatchObject({ phase: 'finished', until: null })
  expect(await nodes.store.truth.nextDeadline()).toBeNull()
})

test('F-T6: whatever is done at two nodes, no running room is without a next deadline', async () => {
  const nodes = await Nodes.open()
  const { room, sessions } = await nodes.play({ options: { leaving: 'forfeit' } })
  for (let n = 0; n < 30; n++) {
    const { phase } = await nodes.at(n % 2).view(room, null)
    if (phase === 'finished') break
    if (n % 7 === 3) nodes.at(n % 2).store.failNext('unanswered')
    if (n % 7 === 5) nodes.at(n % 2).store.failNext('lost')
    if (n % 5 === 4) await nodes.clock.advance(31_000)
    else {
      const { session, move } = await nodes.at(0).nextMove({ room, sessions })
      await nodes.at(0).say(session, move)
    }
    if (n === 20) await nodes.at(0).do(sessions[3] ?? raise(), { type: 'leave', room })
    const { until } = await nodes.at(0).view(room, null)
    const [due] = await nodes.store.truth.due(Number.MAX_SAFE_INTEGER, 1)
    expect(due).toEqual({ room, deadline: until })
  }
  expect(nodes.faults).toEqual([])
})

test('F-C4: a deadline of a branch that the store has lost is not served, the store’s own is', async () => {
  const nodes = await Nodes.open(1)
  const { room, sessions } = await nodes.play()
  await nodes.clock.advance(20_000)
  const version = await nodes.store.truth.version(room)
  await nodes.at(0).step({ room, sessions })
  await nodes.store.cut(room, version)
  await passDeadline(nodes, room, 200)
  expect(await nodes.at(0).view(room, null)).toMatchObject({
    game: { turn: 1 },
    history: [{ type: 'turnSkipped' }],
  })
})

test('a node that cannot reach the store serves when it can again', async () => {
  const nodes = await Nodes.open(1)
  const { room } = await nodes.play()
  nodes.at(0).store.isDown = true
  await passDeadline(nodes, room, 10_000)
  nodes.at(0).store.isDown = false
  await nodes.clock.advance(2_000)
  expect((await nodes.at(0).view(room, EVE)).history).toMatchObject([{ type: 'turnSkipped' }])
  expect(nodes.faults).toEqual([])
})

test('each node looks at the store about every second, and not all of them at once', async () => {
  const nodes = await Nodes.open(2)
  await nodes.clock.advance(1_000)
  const looks: number[][] = [[], []]
  for (let ms = 0; ms < 20_000; ms += 10) {
    for (const { store } of nodes.tables) store.asked.length = 0
    await nodes.clock.advance(10)
    for (const [n, { store }] of nodes.tables.entries()) {
      if (store.asked.includes('due')) looks[n]?.push(ms)
    }
  }
  for (const times of looks) {
    const gaps = times.slice(1).map((at, i) => at - (times[i] ?? 0))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(1_010)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(490)
    expect(new Set(gaps).size).toBeGreaterThan(5)
  }
  expect(looks[0]).not.toEqual(looks[1])
})

const raise = (): never => {
  throw new Error('nobody there')
}

test('F-C7: what names a room that has no log any more is cleared away, and asked for no more', async () => {
  const nodes = await Nodes.open()
  const { room } = await nodes.gather()
  const dangling = await nodes.store.truth.due(Number.MAX_SAFE_INTEGER, 1)
  await nodes.store.cut(room, 0)
  for (const { store } of nodes.tables) store.hear((hints) => hints.storeReplaced())
  await nodes.settle()
  const { store } = nodes.at(0)
  store.asked.length = 0
  store.due = async () => (store.asked.includes('remove') ? [] : dangling)
  await nodes.clock.advance(LOBBY_IDLE_MS + 10_000)
  expect(store.asked.filter((question) => question === 'remove')).toHaveLength(1)
  expect(nodes.faults).toEqual([])
})

test('F-C7: a room whose first entry cannot be read is failed, not cleared away', async () => {
  const nodes = await Nodes.open(1)
  const { room } = await nodes.gather()
  const dangling = await nodes.store.truth.due(Number.MAX_SAFE_INTEGER, 1)
  const fresh = await Nodes.open(1)
  const { store } = fresh.at(0)
  store.due = async () => dangling
  store.read = async () => [{ version: 1, data: 'damaged' }]
  store.version = async () => 1
  await fresh.clock.advance(LOBBY_IDLE_MS + 10_000)
  expect(await fresh.store.truth.isFailed(room)).toBe(true)
  expect(store.asked).not.toContain('remove')
})
