import { describe, expect, test } from 'vitest'
import type { FakeSession } from '../../test/support/fake-session.ts'
import { Nodes } from '../../test/support/nodes.ts'
import { EVE } from '../../test/support/players.ts'
import { type Gathered, RoomTable } from '../../test/support/room-table.ts'
import { CLOSED_KEPT_MS } from './room-limits.ts'

type Phase = 'gather' | 'deploy' | 'play'

async function watched(phase: Phase, setup: Parameters<RoomTable['gather']>[0] = {}) {
  const table = await RoomTable.open()
  const game = await table[phase](setup)
  const eve = table.connect(EVE)
  await table.do(eve, { type: 'subscribe', room: game.room })
  return { table, game, eve }
}

const frameOf = ({ frames }: FakeSession, type: string): string =>
  frames.findLast((frame) => frame.includes(`"type":"${type}"`)) ?? ''

describe('R-ROOM-6: a room that is closed by who runs the server', () => {
  test.each<Phase>(['gather', 'deploy', 'play'])(
    'tells all who watch, and takes nothing more (%s)',
    async (phase) => {
      const { table, game, eve } = await watched(phase)
      const { room, sessions, host } = game
      const { version } = (await table.rooms.summary(room)) ?? { version: 0 }
      expect(await table.rooms.closeRoom(room)).toMatchObject({ ok: true })
      for (const session of [...sessions, eve]) {
        const [told, dropped] = session.messages.slice(-2)
        expect(told).toMatchObject({
          type: 'event',
          version: version + 1,
          until: null,
          events: [{ type: 'roomClosed' }],
        })
        expect(dropped).toEqual({ type: 'dropped', room, code: 'room_closed' })
      }
      for (const message of [{ type: 'leave' }, { type: 'ready' }, { type: 'resign', turn: 0 }]) {
        expect(await table.refusal(host, { ...message, room })).toBe('room_closed')
      }
      expect(await table.refusal(eve, { type: 'subscribe', room })).toBe('room_closed')
      expect(await table.view(room, null)).toMatchObject({ closed: true, until: null })
      expect(await table.rooms.listRooms()).toEqual([])
      for (const { player } of sessions) expect(await table.rooms.seatsOf(player)).toEqual([])
      expect(table.faults).toEqual([])
    },
  )

  test.each<[string, Parameters<RoomTable['gather']>[0]]>([
    ['a game of two', { preset: 'duel' }],
    ['a game whose spectators are behind', { spectators: { mode: 'delayed', moves: 5 } }],
  ])(
    'shows nothing that was hidden, salts and moves that were held back too: %s',
    async (_, setup) => {
      const { table, game, eve } = await watched('play', setup)
      for (let n = 0; n < 3; n++) await table.step(game)
      const before = eve.frames.length
      await table.rooms.closeRoom(game.room)
      const told = eve.frames.slice(before)
      expect(told.at(-1)).toContain('room_closed')
      for (const frame of told)
        expect(frame).not.toMatch(/sealOpened|salts|kind|formation|pieceMoved/)
      expect(frameOf(eve, 'snapshot')).not.toContain('"salts":{"')
      expect(JSON.stringify(await table.rooms.publicRoom(game.room, null))).not.toMatch(
        /"salts":{"/,
      )
    },
  )

  test('is void: nobody takes it over as ended, and it has no record', async () => {
    const { table, game } = await watched('play', { preset: 'duel' })
    await table.rooms.closeRoom(game.room)
    expect(await table.store.outbox(10)).toEqual([])
    const [session] = game.sessions
    expect(await table.record(game.room, session?.player ?? null)).toBeNull()
  })

  test('is gone after ten minutes, and until then says that it is closed, also to the next process', async () => {
    const { table, game } = await watched('play')
    await table.rooms.closeRoom(game.room)
    await table.restart()
    await table.clock.advance(CLOSED_KEPT_MS - 1)
    expect(await table.rooms.summary(game.room)).toMatchObject({ closed: true, phase: 'playing' })
    await table.clock.advance(1)
    expect(await table.rooms.summary(game.room)).toBeNull()
    expect(await table.store.version(game.room)).toBe(0)
    expect(table.faults).toEqual([])
  })

  test('is closed once, however often that is asked; one whose game has ended stays', async () => {
    const { table, game } = await watched('play', { preset: 'duel' })
    const { room, host } = game
    await table.rooms.closeRoom(room)
    const version = await table.store.version(room)
    expect(await table.rooms.closeRoom(room)).toMatchObject({ ok: true })
    expect(await table.store.version(room)).toBe(version)
    const other = await table.play({ preset: 'duel' })
    await table.do(other.host, { type: 'leave', room: other.room })
    expect(await table.rooms.closeRoom(other.room)).toMatchObject({
      ok: false,
      error: { code: 'game_over' },
    })
    expect(await table.rooms.summary(other.room)).toMatchObject({ phase: 'finished' })
    expect(host.of('dropped')).toHaveLength(1)
  })

  test('of which the host has a place for another one again', async () => {
    const table = await RoomTable.open()
    const eve = table.connect(EVE)
    const rooms: Gathered['room'][] = []
    for (let n = 0; n < 8; n++) rooms.push(await table.createRoom(eve))
    const create = { type: 'createRoom', preset: 'duel', options: {}, private: false }
    expect(await table.refusal(eve, create)).toBe('too_many_rooms')
    for (const room of rooms.slice(0, 1)) await table.rooms.closeRoom(room)
    await table.do(eve, create)
  })

  test('at one node is closed at the others', async () => {
    const nodes = await Nodes.open()
    const { room, sessions } = await nodes.play()
    expect(await nodes.at(1).rooms.closeRoom(room)).toMatchObject({ ok: true })
    await nodes.settle()
    for (const session of sessions) {
      expect(session.messages.at(-1)).toEqual({ type: 'dropped', room, code: 'room_closed' })
    }
    expect(await nodes.at(0).rooms.closeRoom(room)).toMatchObject({ ok: true })
    expect(nodes.faults).toEqual([])
  })

  test('that both nodes close at once, while somebody moves, is closed once', async () => {
    const nodes = await Nodes.open()
    const game = await nodes.play()
    const { session, move } = await nodes.at(0).nextMove(game)
    await Promise.all([
      nodes.at(0).rooms.closeRoom(game.room),
      nodes.at(0).say(session, move),
      nodes.at(1).rooms.closeRoom(game.room),
    ])
    await nodes.settle()
    const log = await nodes.store.truth.read(game.room, 0)
    expect(log.filter(({ data }) => data.includes('roomClosed'))).toHaveLength(1)
    expect(log.at(-1)?.data).toContain('roomClosed')
    expect(nodes.faults).toEqual([])
  })
})

describe('what who runs the server is told of rooms', () => {
  test('F-H2: is the same whatever stands on the board, and never a way in', async () => {
    const told = []
    for (const seed of [1, 2]) {
      const table = await RoomTable.open()
      const { random } = table
      for (let n = 0; n < seed; n++) random()
      const game = await table.play({ private: true })
      const view = await table.view(game.room, game.host.player)
      const summary = await table.rooms.summary(game.room)
      expect(JSON.stringify(summary)).not.toContain(view.invitation ?? 'no invitation')
      expect(JSON.stringify(summary)).not.toMatch(/formation|kind|pieces|salt|commitment|marshal/i)
      told.push({ ...summary, room: null })
    }
    expect(told[0]).toEqual(told[1])
  })

  test('names who sits there, and how far it is', async () => {
    const { table, game } = await watched('play', { preset: 'duel' })
    await table.step(game)
    const [south, north] = game.sessions
    if (north !== undefined) table.disconnect(north)
    expect(await table.rooms.summaries(10)).toEqual([
      {
        room: game.room,
        phase: 'playing',
        closed: false,
        failed: false,
        private: false,
        version: expect.any(Number),
        preset: 'duel',
        custom: false,
        scored: true,
        spectators: 'public',
        host: game.host.player.id,
        seats: [
          { seat: 'south', player: south?.player, ready: true, connected: true, out: false },
          { seat: 'north', player: north?.player, ready: true, connected: false, out: false },
        ],
        turn: 1,
        until: expect.any(Number),
        result: null,
        rematch: null,
      },
    ])
  })

  test('is of so many rooms at most, private ones too, and of none that is over', async () => {
    const table = await RoomTable.open()
    const open = await table.gather({ private: true })
    const over = await table.play({ preset: 'duel' })
    await table.do(over.host, { type: 'leave', room: over.room })
    const rooms = async (limit: number) =>
      (await table.rooms.summaries(limit)).map(({ room }) => room)
    expect(await rooms(10)).toEqual([open.room])
    expect(await rooms(0)).toEqual([])
    expect(await table.rooms.summary(over.room)).toMatchObject({
      phase: 'finished',
      result: { reason: 'left' },
    })
  })
})
