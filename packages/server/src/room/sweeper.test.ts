import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { requestOf, roomOf } from '../../test/contract/requests.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { ANN, BO, EVE, playerNumber } from '../../test/support/players.ts'
import { RoomTable, seededRng } from '../../test/support/room-table.ts'
import { MemoryStore } from '../adapters/memory/memory-store.ts'
import type { RoomId } from '../ports.ts'
import { CLOSED_KEPT_MS, LOBBY_IDLE_MS } from './room-limits.ts'
import { ALONE } from './sweep-turns.ts'
import { Sweeper } from './sweeper.ts'

test('F-T2: deadlines outlive a restart, and are kept without anyone coming', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play({ options: { firstSeat: 'south' } })
  const before = await table.view(room, ANN)
  await table.restart()
  expect(table.clock.nextWakeUp()).toBe(before.until)
  await table.clock.advance(30_000)
  const after = await table.view(room, ANN)
  expect(after.history).toEqual([{ type: 'turnSkipped', seat: 'south' }])
  expect(after.game?.toMove).toBe('east')
  expect(sessions[0]?.of('dropped')).toEqual([])
})

test('a turn is skipped at its deadline, no earlier', async () => {
  const table = await RoomTable.open()
  const { room } = await table.play()
  await table.clock.advance(29_999)
  expect((await table.view(room, ANN)).history).toEqual([])
  await table.clock.advance(1)
  expect((await table.view(room, ANN)).history).toMatchObject([{ type: 'turnSkipped' }])
})

test('F-T1: a move that came in time wins over the deadline that comes while it is written', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play()
  const { session, move } = await table.nextMove({ room, sessions })
  await table.clock.advance(29_999)
  table.store.hold()
  const moving = table.send(session, move)
  await table.clock.advance(1)
  table.store.release()
  await moving
  await table.clock.advance(0)
  const { history } = await table.view(room, ANN)
  expect(history).toHaveLength(1)
  expect(history[0]?.type).toMatch(/^piece/)
})

test('F-T1: a move that came in time wins although it waits for another message of its player', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play()
  const { session, move } = await table.nextMove({ room, sessions })
  await table.clock.advance(29_999)
  const handle = table.queue(session, move)
  await table.clock.advance(500)
  await handle()
  await table.clock.advance(0)
  const { history } = await table.view(room, ANN)
  expect(history).toHaveLength(1)
  expect(history[0]?.type).toMatch(/^piece/)
})

test('F-T1: messages of those who do not play, and of who has moved, put off nothing', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play()
  const { session, move } = await table.nextMove({ room, sessions })
  await table.queue(session, move)()
  table.queue(table.connect(EVE), { type: 'subscribe', room })
  await table.clock.advance(30_000)
  const { history } = await table.view(room, ANN)
  expect(history).toMatchObject([
    { type: expect.stringMatching(/^piece/) },
    { type: 'turnSkipped' },
  ])
})

test('F-T1: a move that comes after the deadline loses, whether or not the timeout is written', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play()
  const { session, move } = await table.nextMove({ room, sessions })
  table.store.hold()
  await table.clock.advance(30_000)
  const moving = table.send(session, move)
  table.store.release()
  await moving
  expect(session.last('error').code).toBe('stale_turn')
  expect((await table.view(room, ANN)).history).toMatchObject([{ type: 'turnSkipped' }])
})

test('F-T6: a game that everyone has left alone comes to its end by itself', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play()
  for (const session of sessions) table.disconnect(session)
  await table.clock.advance(20 * 30_000)
  expect(await table.view(room, ANN)).toMatchObject({ phase: 'finished', until: null })
  expect(table.clock.nextWakeUp()).toBeNull()
})

test('R-DEPLOY-7: who is away when deployment ends plays its draft, or chance deploys for it', async () => {
  const table = await RoomTable.open()
  const gathered = await table.deploy()
  const { room, sessions, host } = gathered
  const formation = await table.formation(gathered)
  await table.do(host, { type: 'saveDraft', room, formation })
  for (const session of sessions) table.disconnect(session)
  await table.restart()
  await table.clock.advance(180_000)
  const { phase, game } = await table.view(room, ANN)
  expect(phase).toBe('playing')
  expect(game?.formations.south).toBe(formation)
  expect((await table.view(room, BO)).game?.formations.east).toMatch(/^[1-9BLF]{25}$/)
})

test('R-DEPLOY-7: a draft that other rules do not allow any more is not played', async () => {
  const table = await RoomTable.open()
  const options = { bombFrontRow: true }
  const { room, sessions, host } = await table.deploy({ preset: 'duel', options })
  const formation = 'BB9877665544333222111FLLL'
  await table.do(host, { type: 'saveDraft', room, formation })
  await table.do(host, { type: 'stand', room })
  await table.do(host, { type: 'sit', room, seat: 'south' })
  await table.do(host, { type: 'setRules', room, preset: 'duel', options: {} })
  for (const session of sessions) await table.do(session, { type: 'ready', room })
  await table.do(host, { type: 'start', room })
  await table.clock.advance(180_000)
  const { game } = await table.view(room, ANN)
  expect(game?.formations.south).not.toMatch(/^.{0,4}B/)
})

test('F-T7: an idle lobby closes after its last act, and is gone a while later', async () => {
  const table = await RoomTable.open()
  const ann = table.connect(ANN)
  const room = await table.createRoom(ann)
  table.disconnect(ann)
  await table.clock.advance(LOBBY_IDLE_MS - 1)
  expect(await table.view(room, null)).toMatchObject({ closed: false })
  await table.clock.advance(1)
  expect(await table.view(room, null)).toMatchObject({ closed: true })
  expect(await table.rooms.listRooms()).toEqual([])
  expect(await table.refusal(table.connect(BO), { type: 'subscribe', room })).toBe('room_closed')
  await table.clock.advance(CLOSED_KEPT_MS)
  expect(await table.rooms.publicRoom(room, null)).toBeNull()
  expect(await table.store.version(room)).toBe(0)
  expect(table.clock.nextWakeUp()).toBeNull()
})

test('F-T7: a lobby in which somebody waits stays open', async () => {
  const table = await RoomTable.open()
  const { room } = await table.gather()
  await table.clock.advance(3 * LOBBY_IDLE_MS)
  expect(await table.view(room, null)).toMatchObject({ closed: false, phase: 'lobby' })
})

test('who watches a room that closes is told, and hears no more', async () => {
  const table = await RoomTable.open()
  const [ann, bo] = [table.connect(ANN), table.connect(BO)]
  const room = await table.createRoom(ann)
  await table.do(bo, { type: 'subscribe', room })
  table.disconnect(ann)
  await table.clock.advance(LOBBY_IDLE_MS)
  expect(bo.messages.slice(-2)).toMatchObject([
    { type: 'event', events: [{ type: 'roomClosed' }] },
    { type: 'dropped', room, code: 'room_closed' },
  ])
  expect(await table.refusal(bo, { type: 'unsubscribe', room })).toBe('not_subscribed')
})

test('one wake-up is scheduled for all rooms, at the earliest deadline', async () => {
  const table = await RoomTable.open()
  for (let n = 0; n < 20; n++) {
    await table.createRoom(table.connect(playerNumber(n)))
    await table.clock.advance(1_000)
  }
  expect(table.clock.nextWakeUp()).toBe(table.clock.now() - 20_000 + LOBBY_IDLE_MS)
})

test('more rooms than are served at once are all served', async () => {
  const table = await RoomTable.open()
  const rooms = []
  for (let n = 0; n < 300; n++) {
    const session = table.connect(playerNumber(n))
    rooms.push(await table.createRoom(session))
    table.disconnect(session)
  }
  await table.restart()
  await table.clock.advance(LOBBY_IDLE_MS)
  for (const room of rooms) expect(await table.view(room, null)).toMatchObject({ closed: true })
})

test('a deadline that the store would not write is tried again', async () => {
  const table = await RoomTable.open()
  const { room } = await table.play()
  table.store.failNext('lost')
  await table.clock.advance(30_000)
  expect((await table.view(room, ANN)).history).toEqual([])
  await table.clock.advance(1_000)
  expect((await table.view(room, ANN)).history).toMatchObject([{ type: 'turnSkipped' }])

  table.store.isDown = true
  await table.clock.advance(29_000)
  table.store.isDown = false
  await table.clock.advance(2_000)
  expect((await table.view(room, ANN)).history).toHaveLength(2)
})

test('F-C6: rooms that are over leave memory', async () => {
  const table = await RoomTable.open()
  for (let n = 0; n < 300; n++) {
    const session = table.connect(playerNumber(n))
    const room = await table.createRoom(session)
    await table.do(session, { type: 'subscribe', room })
    await table.do(session, { type: 'sit', room, seat: 'south' })
    await table.do(session, { type: 'leave', room })
    table.disconnect(session)
  }
  expect(table.rooms.size).toBeLessThanOrEqual(128)
  await table.clock.advance(CLOSED_KEPT_MS)
  expect(table.rooms.size).toBe(0)
})

test('F-C6: rooms that were asked for in vain leave memory', async () => {
  const table = await RoomTable.open()
  const rooms: RoomId[] = []
  for (let n = 0; n < 300; n++) {
    rooms.push(await table.createRoom(table.connect(playerNumber(n + 10))))
  }
  await table.restart()
  const eve = table.connect(EVE)
  for (const room of rooms.slice(0, 16)) await table.do(eve, { type: 'subscribe', room })
  for (const [n, room] of rooms.slice(16).entries()) {
    if (n % 3 === 0) {
      expect(await table.refusal(eve, { type: 'unsubscribe', room })).toBe('not_subscribed')
    } else if (n % 3 === 1) {
      expect(await table.refusal(eve, { type: 'subscribe', room })).toBe('too_many_rooms')
    } else expect(await table.rooms.publicRoom(room, EVE)).not.toBeNull()
  }
  expect(table.rooms.size).toBe(128 + 16)
})

test('a room whose log is damaged fails once and for all when its time comes', async () => {
  const table = await RoomTable.open()
  const { room } = await table.play()
  table.store.damaged.add(room)
  await table.restart()
  await table.clock.advance(60_000)
  expect(table.faults).toEqual([expect.stringMatching(/^room failed .*LogDamagedError/)])
  expect(await table.store.isFailed(room)).toBe(true)
  expect(table.clock.nextWakeUp()).toBeNull()
})

test('F-T6: a write whose answer was lost has its deadline kept', async () => {
  const table = await RoomTable.open()
  table.store.failNext('unanswered')
  const create = { type: 'createRoom', preset: 'duel', options: {}, private: false }
  const ann = table.connect(ANN)
  expect(await table.refusal(ann, create)).toBe('unavailable')
  table.disconnect(ann)
  expect(await table.store.lobby(1)).toHaveLength(1)
  await table.clock.advance(LOBBY_IDLE_MS)
  expect(await table.store.lobby(1)).toEqual([])
})

/** A sweeper of rooms that are served when the test says so. */
async function sweepRooms(deadlines: readonly number[]) {
  const clock = new FakeClock(0)
  const store = new MemoryStore({ clock, rng: seededRng() })
  const setDeadline = async (number: number, deadline: number | null) => {
    const expectedVersion = await store.version(roomOf(number))
    await store.append(requestOf(number, { expectedVersion, deadline }))
  }
  for (const [number, deadline] of deadlines.entries()) await setDeadline(number, deadline)
  const served: RoomId[] = []
  const done: ((isDone: boolean) => void)[] = []
  const sweeper = new Sweeper({
    store,
    expire: (room) => {
      served.push(room)
      return new Promise((resolve) => done.push(resolve))
    },
    turns: ALONE,
    isOpen: () => true,
    served: () => {},
    fault: (error) => {
      throw error
    },
  })
  await sweeper.start()
  return { clock, sweeper, served, done, setDeadline }
}

test('a room that is long in being served delays no other, and is not served twice', async () => {
  const { clock, served } = await sweepRooms([10, 20, 30])
  await clock.advance(25)
  expect(served).toEqual([roomOf(0), roomOf(1)])
  await clock.advance(5)
  expect(served).toEqual([roomOf(0), roomOf(1), roomOf(2)])
})

test('a deadline that came while its room was being served is served after that', async () => {
  const { clock, served, done, setDeadline } = await sweepRooms([10])
  await clock.advance(10)
  await setDeadline(0, 20)
  await clock.advance(30)
  expect(served).toEqual([roomOf(0)])
  done[0]?.(true)
  await clock.advance(0)
  expect(served).toEqual([roomOf(0), roomOf(0)])
})

test('the sweeper stops when the rooms that are being served are', async () => {
  const { clock, sweeper, served, done } = await sweepRooms([10, 20])
  await clock.advance(10)
  let isStopped = false
  const stopping = sweeper.stop().then(() => {
    isStopped = true
  })
  await setImmediate()
  expect(isStopped).toBe(false)
  done[0]?.(true)
  await stopping
  await clock.advance(20)
  expect(served).toEqual([roomOf(0)])
})
