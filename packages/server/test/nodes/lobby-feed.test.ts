import { PRESET_NAMES } from '@junqi/engine'
import type { ListedRoom, LobbyFilters, RoomId } from '@junqi/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { passes } from '../../src/room/lobby-filter.ts'
import { FILTERS_PER_PLAYER, KEPT_FOR_FIRSTS, MOST_FILTERS } from '../../src/room/lobby-groups.ts'
import type { FakeSession } from '../support/fake-session.ts'
import { Nodes } from '../support/nodes.ts'
import { ANN, BO, playerNumber } from '../support/players.ts'
import { RoomTable } from '../support/room-table.ts'

/** Longer than changes are gathered, and than a look that no hint asked for is waited for. */
const SOON_MS = 1_100
const AT_LENGTH_MS = 12_000

/** The list that a client has: the last whole one, and all differences since. */
function listAt(session: FakeSession): ReadonlyMap<RoomId, ListedRoom> {
  const rooms = new Map<RoomId, ListedRoom>()
  for (const message of session.messages) {
    if (message.type === 'lobby') rooms.clear()
    if (message.type !== 'lobby' && message.type !== 'lobbyChanged') continue
    const put = message.type === 'lobby' ? message.rooms : message.put
    for (const listed of put) rooms.set(listed.room, listed)
    for (const room of message.type === 'lobbyChanged' ? message.removed : []) {
      expect(rooms.delete(room)).toBe(true)
    }
  }
  return rooms
}

const byRoom = (rooms: Iterable<ListedRoom>): readonly ListedRoom[] =>
  [...rooms].sort((one, other) => (one.room < other.room ? -1 : 1))

async function expectInStep(
  table: Pick<RoomTable, 'rooms'>,
  session: FakeSession,
  filters: LobbyFilters,
) {
  const listed = await table.rooms.listRooms()
  const wanted = listed.filter((room) => passes(room, filters))
  expect(byRoom(listAt(session).values())).toEqual(byRoom(wanted))
}

async function watch(table: RoomTable, player = ANN, filters: LobbyFilters = {}) {
  const session = table.connect(player)
  await table.do(session, { type: 'watchLobby', filters })
  return session
}

test('who watches gets an ack, the list, and then what changes: put, changed, removed', async () => {
  const table = await RoomTable.open()
  const host = table.connect(BO)
  const before = await table.createRoom(host, { preset: 'duel' })
  const ann = await watch(table)
  expect(ann.messages.map(({ type }) => type).filter((type) => type !== 'seats')).toEqual([
    'ack',
    'lobby',
  ])
  expect(ann.last('lobby').rooms.map(({ room }) => room)).toEqual([before])

  const room = await table.createRoom(host)
  await table.do(host, { type: 'sit', room, seat: 'south' })
  await table.clock.advance(SOON_MS)
  expect(ann.of('lobbyChanged')).toEqual([
    {
      type: 'lobbyChanged',
      put: [expect.objectContaining({ room, preset: 'siguo', phase: 'lobby' })],
      removed: [],
    },
  ])
  await table.do(host, { type: 'leave', room: before })
  await table.clock.advance(SOON_MS)
  expect(ann.last('lobbyChanged')).toEqual({ type: 'lobbyChanged', put: [], removed: [before] })
})

test('F-S4: private rooms appear in no feed, whatever the filters', async () => {
  const table = await RoomTable.open()
  const host = table.connect(BO)
  const secret = await table.createRoom(host, { private: true })
  const filters: readonly LobbyFilters[] = [{}, { freeSeats: true }, { phases: ['lobby'] }]
  const watchers = await Promise.all(
    filters.map((each, n) => watch(table, playerNumber(n + 2), each)),
  )
  await table.do(host, { type: 'sit', room: secret, seat: 'south' })
  await table.createRoom(host, { private: true })
  await table.clock.advance(AT_LENGTH_MS)
  for (const session of watchers) {
    expect(session.frames.join()).not.toContain(secret)
    expect(session.of('lobbyChanged')).toEqual([])
  }
})

test('what happens within a moment is told in one frame, and equal filters share it', async () => {
  const table = await RoomTable.open()
  const host = table.connect(playerNumber(9))
  const [ann, bo] = [
    await watch(table, ANN, { presets: ['siguo', 'duel'] }),
    await watch(table, BO, { presets: ['duel', 'siguo'] }),
  ]
  for (let n = 0; n < 5; n++) await table.createRoom(host)
  await table.clock.advance(SOON_MS)
  const frames = [ann, bo].map((session) =>
    session.frames.filter((frame) => frame.includes('lobbyChanged')),
  )
  expect(frames[0]).toHaveLength(1)
  expect(frames[0]?.[0]).toBe(frames[1]?.[0])
  expect(ann.last('lobbyChanged').put).toHaveLength(5)
})

test('new filters replace the old ones, and unwatching ends it, as often as it is said', async () => {
  const table = await RoomTable.open()
  const host = table.connect(BO)
  const ann = await watch(table, ANN, { presets: ['duel'] })
  await table.do(ann, { type: 'watchLobby', filters: { presets: ['siguo'] } })
  const room = await table.createRoom(host)
  await table.createRoom(host, { preset: 'duel' })
  await table.clock.advance(SOON_MS)
  expect([...listAt(ann).keys()]).toEqual([room])
  for (let n = 0; n < 2; n++) await table.do(ann, { type: 'unwatchLobby' })
  ann.takeFrames()
  await table.createRoom(host)
  await table.clock.advance(AT_LENGTH_MS)
  expect(ann.frames).toEqual([])
})

test('F-C6: when nobody watches any more nothing is read and nobody is woken', async () => {
  const table = await RoomTable.open()
  const ann = await watch(table)
  table.disconnect(ann)
  const asleep = table.clock.nextWakeUp()
  await table.clock.advance(AT_LENGTH_MS)
  expect(table.clock.nextWakeUp()).toBe(asleep)
})

test('F-C6: who closes before the list is read is not kept', async () => {
  const table = await RoomTable.open()
  const asleep = table.clock.nextWakeUp()
  const ann = table.connect(ANN)
  const asked = table.send(ann, { type: 'watchLobby', filters: {} })
  table.disconnect(ann)
  await asked
  expect(table.clock.nextWakeUp()).toBe(asleep)
})

/** All different, none of them empty. */
const filtersNumber = (n: number): LobbyFilters => {
  const presets = PRESET_NAMES.filter((_preset, bit) => ((n + 1) >> bit) % 2 === 1)
  return { presets }
}

const watchAs = (table: RoomTable, session: FakeSession, filters: LobbyFilters) =>
  table.say(session, { type: 'watchLobby', filters })

const BUSY = { type: 'error', code: 'busy' }
const ACK = { type: 'ack' }

test('one player has a few different filters here, on however many connections', async () => {
  const table = await RoomTable.open()
  const sockets = Array.from({ length: 300 }, () => table.connect(ANN))
  const answers = []
  for (const [n, socket] of sockets.entries()) {
    answers.push(await watchAs(table, socket, filtersNumber(n)))
  }
  expect(answers.filter(({ type }) => type === 'ack')).toHaveLength(FILTERS_PER_PLAYER)
  const [first, ...others] = sockets
  const [last] = others.slice(-1)
  if (first === undefined || last === undefined) throw new Error('there are sockets')
  expect(await watchAs(table, last, filtersNumber(2)), 'filters it has').toMatchObject(ACK)
  expect(await watchAs(table, last, {}), 'no filters').toMatchObject(ACK)
  expect(await watchAs(table, first, filtersNumber(77)), 'instead of others').toMatchObject(ACK)
  expect(await watchAs(table, last, filtersNumber(0)), 'one too many').toMatchObject(BUSY)
  table.disconnect(first)
  expect(await watchAs(table, last, filtersNumber(0)), 'when one is gone').toMatchObject(ACK)
})

test('second filters of players leave room for the first ones of others, and the whole list is never refused', async () => {
  const table = await RoomTable.open()
  const ask = (player: number, n: number) =>
    watchAs(table, table.connect(playerNumber(player)), filtersNumber(n))
  for (let n = 0; n < MOST_FILTERS - KEPT_FOR_FIRSTS; n++) {
    expect(await ask(Math.floor(n / FILTERS_PER_PLAYER), n)).toMatchObject(ACK)
  }
  expect(await ask(100, 900)).toMatchObject(ACK)
  expect(await ask(100, 901), 'a second one').toMatchObject(BUSY)
  for (let n = 1; n < KEPT_FOR_FIRSTS; n++) expect(await ask(100 + n, 200 + n)).toMatchObject(ACK)
  expect(await ask(400, 901), 'one more than is kept apart').toMatchObject(BUSY)
  expect(await ask(401, 900), 'those of another').toMatchObject(ACK)
  expect(await watchAs(table, table.connect(playerNumber(402)), {})).toMatchObject(ACK)
})

test('on several nodes each is told what happens at another, and none reads more than once a second', async () => {
  const nodes = await Nodes.open()
  const ann = nodes.at(1).connect(ANN)
  await nodes.at(1).do(ann, { type: 'watchLobby', filters: {} })
  const host = nodes.at(0).connect(BO)
  const reads = () => nodes.at(1).store.asked.filter((name) => name === 'lobby').length
  const before = reads()
  for (let n = 0; n < 8; n++) {
    await nodes.at(0).createRoom(host)
    await nodes.clock.advance(500)
  }
  await nodes.clock.advance(SOON_MS)
  expect(reads() - before).toBeLessThanOrEqual(6)
  await expectInStep(nodes.at(1), ann, {})
  expect(listAt(ann).size).toBe(8)
})

test('F-C3: a hint that is lost is made good by a look', async () => {
  const nodes = await Nodes.open()
  const ann = nodes.at(1).connect(ANN)
  await nodes.at(1).do(ann, { type: 'watchLobby', filters: {} })
  nodes.store.hints = 'lost'
  await nodes.at(0).createRoom(nodes.at(0).connect(BO))
  await nodes.clock.advance(AT_LENGTH_MS)
  expect(listAt(ann).size).toBe(1)
})

test('a store that does not answer costs nothing but time', async () => {
  const nodes = await Nodes.open()
  const [one, two] = [nodes.at(0), nodes.at(1)]
  const ann = one.connect(ANN)
  await one.do(ann, { type: 'watchLobby', filters: {} })
  one.store.failing.add('lobby')
  two.store.failing.add('lobby')
  const refused = await two.refusal(two.connect(BO), { type: 'watchLobby', filters: {} })
  expect(refused).toBe('unavailable')
  const room = await two.createRoom(two.connect(playerNumber(5)))
  await nodes.clock.advance(AT_LENGTH_MS)
  expect(listAt(ann).size).toBe(0)
  one.store.failing.delete('lobby')
  await nodes.clock.advance(SOON_MS)
  expect([...listAt(ann).keys()]).toEqual([room])
  expect(nodes.faults).toEqual([])
})

type Act = readonly [host: number, room: number, fields: Readonly<Record<string, unknown>>]

const acts: fc.Arbitrary<Act> = fc.tuple(
  fc.nat(2),
  fc.nat(5),
  fc.oneof(
    fc.constantFrom('duel', 'siguo').chain((preset) =>
      fc.record({
        type: fc.constant('createRoom'),
        preset: fc.constant(preset),
        options: fc.constantFrom({}, { turnSeconds: 20 }),
        private: fc.boolean(),
      }),
    ),
    fc.record({ type: fc.constant('sit'), seat: fc.constantFrom('south', 'north', 'east') }),
    fc.constantFrom(
      { type: 'stand' },
      { type: 'leave' },
      { type: 'ready' },
      { type: 'start' },
      { type: 'setRules', preset: 'duel', options: { turnSeconds: 20 } },
      { type: 'advance', ms: 300 },
      { type: 'advance', ms: 2_000 },
    ),
  ),
)

const FILTERS: readonly LobbyFilters[] = [
  {},
  { presets: ['duel'] },
  { freeSeats: true },
  { freeSeats: false },
  { custom: true, phases: ['lobby'] },
  { phases: ['deployment', 'playing'] },
]

test('a feed that has applied all differences is the list, whenever it began and at whichever node', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { maxLength: 40 }), fc.boolean(), async (script, isLossy) => {
      const nodes = await Nodes.open()
      if (isLossy) nodes.store.hints = 'lost'
      const hosts = [0, 1, 2].map((n) => nodes.at(n % 2).connect(playerNumber(n)))
      const watchers: (readonly [FakeSession, LobbyFilters, number])[] = []
      const rooms: RoomId[] = []
      for (const [step, [host, room, fields]] of script.entries()) {
        const filters = FILTERS[step % FILTERS.length] ?? {}
        const session = hosts[host]
        if (session === undefined) continue
        if (watchers.length < 12) {
          const watcher = nodes.at(step % 2).connect(playerNumber(20 + step))
          await nodes.at(step % 2).do(watcher, { type: 'watchLobby', filters })
          watchers.push([watcher, filters, step % 2])
        }
        if (fields.type === 'advance') await nodes.clock.advance(Number(fields.ms))
        else if (fields.type === 'createRoom') {
          const made = await nodes.at(host % 2).say(session, { ...fields, type: 'createRoom' })
          if (made.type === 'ack' && made.room !== null) rooms.push(made.room)
        } else if (rooms.length > 0) {
          const about = rooms[room % rooms.length]
          await nodes
            .at(host % 2)
            .say(session, { ...fields, type: String(fields.type), room: about })
        }
      }
      await nodes.clock.advance(AT_LENGTH_MS)
      for (const [session, filters, n] of watchers)
        await expectInStep(nodes.at(n), session, filters)
      expect(nodes.faults).toEqual([])
    }),
    { numRuns: 40 },
  )
})

test('F-M1: a room that changes all the time is told now and then, and at length as it is', async () => {
  const table = await RoomTable.open()
  const host = table.connect(BO)
  const room = await table.createRoom(host, { preset: 'siguo' })
  const ann = await watch(table)
  const quiet = table.connect(playerNumber(7))
  ann.takeFrames()
  const seats = ['south', 'east', 'north', 'west']
  for (let n = 0; n < 100; n++) {
    await table.do(host, { type: 'sit', room, seat: seats[n % 4] })
    await table.clock.advance(300)
  }
  // Eight at once, and half a line a second.
  const told = ann.of('lobbyChanged').length
  expect(told).toBeGreaterThan(15)
  expect(told).toBeLessThanOrEqual(8 + 30_000 / 2_000)
  const other = await table.createRoom(quiet, { preset: 'duel' })
  await table.clock.advance(300)
  expect(listAt(ann).has(other)).toBe(true)
  await table.clock.advance(2_100)
  await expectInStep(table, ann, {})
})
