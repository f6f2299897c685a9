import { expect, test } from 'vitest'
import type { FakeSession } from '../../test/support/fake-session.ts'
import { ANN, BO, EVE, playerNumber } from '../../test/support/players.ts'
import { RoomTable } from '../../test/support/room-table.ts'
import type { RoomEvent } from './room-event.ts'

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

test('F-C1: nothing is sent, and nobody sees a change, before the store has it', async () => {
  const table = await RoomTable.open()
  const { room, sessions, host } = await table.gather()
  for (const session of sessions) session.takeFrames()
  table.store.hold()
  const saying = table.send(host, { type: 'ready', room })
  await tick()
  for (const session of sessions) expect(session.frames).toEqual([])
  expect((await table.view(room, BO)).seats.south?.ready).toBe(false)
  table.store.release()
  await saying
  for (const session of sessions) expect(session.of('event')).toHaveLength(1)
})

test('F-C1: what was not written did not happen, and can be sent again', async () => {
  const table = await RoomTable.open()
  const { room, sessions, host } = await table.gather()
  for (const session of sessions) session.takeFrames()
  table.store.failNext('lost')
  const ready = { type: 'ready', room, id: 'r' }
  expect(await table.say(host, ready)).toMatchObject({ code: 'unavailable', retryable: true })
  for (const session of sessions.slice(1)) expect(session.frames).toEqual([])
  expect((await table.view(room, ANN)).seats.south?.ready).toBe(false)
  expect(await table.say(host, ready)).toMatchObject({ type: 'event', re: 'r' })
})

test('F-C2: a write whose answer was lost is looked up, and answered as what it is', async () => {
  const table = await RoomTable.open()
  const { room, sessions, host } = await table.gather()
  const version = await table.store.version(room)
  table.store.failNext('unanswered')
  const reply = await table.say(host, { type: 'ready', room, id: 'r' })
  expect(reply).toMatchObject({ type: 'event', re: 'r', version: version + 1 })
  expect(sessions[1]?.last('event')).toMatchObject({ version: version + 1 })
  expect(await table.store.version(room)).toBe(version + 1)
})

test('F-H9, R-DEPLOY-6: while a draft is being stored, everyone else is answered as ever', async () => {
  const table = await RoomTable.open()
  const { room, sessions, host } = await table.deploy()
  const [, other = host] = sessions
  const formation = await table.formation({ room, host })
  table.store.hold()
  const saving = table.send(host, { type: 'saveDraft', id: 'd', room, formation })
  const others = [
    table.send(other, { type: 'ready', id: 'r', room }),
    table.send(other, { type: 'subscribe', id: 's', room }),
  ]
  await tick()
  expect(other.messages.slice(-2)).toMatchObject([
    { type: 'error', re: 'r', code: 'wrong_phase' },
    { type: 'snapshot', re: 's' },
  ])
  expect(host.of('ack').filter(({ re }) => re === 'd')).toEqual([])
  table.store.release()
  await Promise.all([saving, ...others])
  expect(host.messages.slice(-2)).toMatchObject([{ type: 'draft' }, { type: 'ack', re: 'd' }])
})

test('R-DEPLOY-7: a draft that is still being stored when the time is up is played', async () => {
  const table = await RoomTable.open()
  const { room, host } = await table.deploy()
  const formation = await table.formation({ room, host })
  const { until } = await table.view(room, host.player)
  table.store.hold()
  const saving = table.send(host, { type: 'saveDraft', room, formation })
  await table.clock.advance((until ?? 0) - table.clock.now())
  table.store.release()
  await saving
  await tick()
  expect((await table.view(room, host.player)).game?.formations.south).toBe(formation)
})

test('a store that is down is told as such, and the room goes on when it is back', async () => {
  const table = await RoomTable.open()
  const { room, sessions, host } = await table.gather()
  table.store.isDown = true
  expect(await table.refusal(host, { type: 'ready', room, id: 'r' })).toBe('unavailable')
  expect(await table.refusal(host, { type: 'ready', room, id: 'r' })).toBe('unavailable')
  const unknown = { type: 'ready', room: 'zzzzzzzz' }
  expect(await table.refusal(host, unknown)).toBe('unavailable')
  table.store.isDown = false
  expect(await table.say(host, { type: 'ready', room, id: 'r' })).toMatchObject({ type: 'event' })
  expect(sessions[1]?.last('event').events).toEqual([
    { type: 'readyChanged', seat: 'south', ready: true },
  ])
  expect(table.faults).toEqual([])
})

test('what another node wrote is read, told to everyone, and decided upon', async () => {
  const table = await RoomTable.open()
  const { room, sessions, host } = await table.gather()
  const version = await table.store.version(room)
  await append(table, room, [{ type: 'readyChanged', seat: 'east', ready: true }])
  const reply = await table.say(host, { type: 'ready', room })
  expect(reply).toMatchObject({ type: 'event', version: version + 2 })
  const seen = sessions[2]?.of('event').slice(-2)
  expect(seen).toMatchObject([
    { version: version + 1, events: [{ seat: 'east', ready: true }] },
    { version: version + 2, events: [{ seat: 'south', ready: true }] },
  ])
})

test('F-T1: of a move and a timeout that another node wrote first, the move is stale', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play()
  const { session, move } = await table.nextMove({ room, sessions })
  const seat = (await table.view(room, session.player)).you.seat ?? 'south'
  await append(table, room, [{ type: 'turnSkipped', seat }])
  expect(await table.say(session, move)).toMatchObject({ code: 'stale_turn', turn: 1 })
  expect(sessions[0]?.last('event').events).toEqual([{ type: 'turnSkipped', seat }])
})

test('F-C4: a store that has lost the tail is noticed, and the viewers are brought back', async () => {
  const table = await RoomTable.open()
  const { room, host } = await table.gather()
  const log = await table.store.read(room, 0)
  await table.do(host, { type: 'ready', room })
  await table.store.remove(room)
  for (const { version, data } of log) {
    await table.store.append({
      room,
      expectedVersion: version - 1,
      previous: null,
      data,
      command: null,
      deadline: table.clock.now() + 60_000,
      lobby: null,
      ended: null,
    })
  }
  host.takeFrames()
  const reply = await table.say(host, { type: 'notReady', room })
  expect(host.messages[0]).toMatchObject({ type: 'snapshot', re: null, version: log.length })
  expect(reply).toMatchObject({ type: 'event', version: log.length + 1 })
})

test('a fault of ours stops its room, durably, and no other', async () => {
  const table = await RoomTable.open()
  const { room, sessions, host } = await table.gather()
  const other = await table.createRoom(host)
  await append(table, room, [{ type: 'readyChanged', seat: 'west', ready: true }], 'secret')
  expect(await table.refusal(host, { type: 'ready', room })).toBe('room_failed')
  for (const session of sessions) {
    expect(session.last('dropped')).toEqual({ type: 'dropped', room, code: 'room_failed' })
  }
  expect(await table.refusal(host, { type: 'ready', room })).toBe('room_failed')
  expect(await table.store.isFailed(room)).toBe(true)
  await table.restart()
  const ann = table.connect(ANN)
  expect(await table.refusal(ann, { type: 'subscribe', room })).toBe('room_failed')
  expect(await table.rooms.publicRoom(room, ANN)).toBeNull()
  expect(await table.do(ann, { type: 'sit', room: other, seat: 'south' })).toMatchObject({
    type: 'ack',
  })
})

test('F-H10: the fault of a room is logged with its version, and nothing that it holds', async () => {
  const table = await RoomTable.open()
  const { room, host } = await table.gather()
  await append(table, room, [{ type: 'readyChanged', seat: 'west', ready: true }], 'secret')
  await table.refusal(host, { type: 'ready', room })
  expect(table.faults).toHaveLength(1)
  expect(table.faults[0]).toContain(`"room":"${room}"`)
  expect(table.faults[0]).not.toContain('secret')
})

test('F-H10: what the error of a fault says is not logged: it may name what a room holds', async () => {
  const table = await RoomTable.open()
  const { room, host } = await table.gather()
  table.store.append = async () => {
    throw new Error('secret')
  }
  expect(await table.refusal(host, { type: 'ready', room })).toBe('room_failed')
  expect(table.faults).toHaveLength(1)
  expect(table.faults[0]).toContain(`"room":"${room}"`)
  expect(table.faults[0]).not.toContain('secret')
})

test('F-H12: to a stranger a private room that failed looks like no room at all', async () => {
  const table = await RoomTable.open()
  const { room, host } = await table.gather({ private: true })
  await append(table, room, [{ type: 'readyChanged', seat: 'west', ready: true }], 'secret')
  const eve = table.connect(EVE)
  await table.refusal(host, { type: 'ready', room })
  expect(await table.refusal(eve, { type: 'ready', room })).toBe('room_not_found')
  await table.restart()
  expect(await table.refusal(eve, { type: 'subscribe', room })).toBe('room_not_found')
  expect(await table.refusal(host, { type: 'subscribe', room })).toBe('room_failed')
})

test('F-M4: a room for which too much is waiting says so', async () => {
  const table = await RoomTable.open()
  const { room } = await table.gather()
  const crowd = Array.from({ length: 300 }, () => table.connect(EVE))
  table.store.hold()
  const saying = crowd.map((session) => table.send(session, { type: 'ready', room }))
  const first = table.send(crowd[0] ?? table.connect(EVE), { type: 'ready', room })
  table.store.release()
  await Promise.all([...saying, first])
  const codes = crowd.map((session: FakeSession) => session.of('error')[0]?.code)
  expect(codes.filter((code) => code === 'busy').length).toBeGreaterThan(0)
  expect(codes.filter((code) => code === 'not_seated').length).toBeGreaterThan(100)
  expect(codes.filter((code) => code === undefined)).toEqual([])
})

test('F-M4: who plays in a room is heard, however many others ask there', async () => {
  const table = await RoomTable.open()
  const { room, host } = await table.gather()
  const crowd = Array.from({ length: 300 }, (_, n) => table.connect(playerNumber(100 + n)))
  table.store.hold()
  const reply = table.say(host, { type: 'ready', room, id: 'r' })
  const saying = crowd.map((session) => table.send(session, { type: 'ready', room }))
  const later = table.say(host, { type: 'notReady', room, id: 'n' })
  table.store.release()
  await Promise.all(saying)
  expect([await reply, await later]).toMatchObject([{ type: 'event' }, { type: 'event' }])
})

test('F-M4: who is invited to a room for which too much is waiting may come back', async () => {
  const table = await RoomTable.open()
  const { room } = await table.gather({ private: true })
  const { invitation } = await table.view(room, playerNumber(0))
  const crowd = Array.from({ length: 300 }, (_, n) => table.connect(playerNumber(100 + n)))
  table.store.hold()
  const saying = crowd.map((session) =>
    table.send(session, { type: 'sit', room, seat: 'south', invitation }),
  )
  table.store.release()
  await Promise.all(saying)
  const codes = new Set(crowd.map((session) => session.of('error')[0]?.code))
  expect(codes).toEqual(new Set(['seat_taken', 'busy']))
})

/** An entry of another node; with a version twice in it, one that cannot be replayed. */
async function append(
  table: RoomTable,
  room: Parameters<RoomTable['view']>[0],
  events: readonly RoomEvent[],
  broken: string | null = null,
): Promise<void> {
  const expectedVersion = await table.store.version(room)
  const entry = { at: table.clock.now(), player: null, command: null, events }
  await table.store.append({
    room,
    expectedVersion,
    previous: null,
    data: JSON.stringify(broken === null ? entry : { ...entry, broken }),
    command: null,
    deadline: table.clock.now() + 60_000,
    lobby: null,
    ended: null,
  })
}
