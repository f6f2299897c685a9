import { PRESETS } from '@junqi/engine'
import { type GameQuery, type GameSummary, roomId } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { FlakyStore } from '../../test/support/flaky-store.ts'
import { Nodes } from '../../test/support/nodes.ts'
import { ANN, BO, EVE } from '../../test/support/players.ts'
import { RoomTable, seededRng } from '../../test/support/room-table.ts'
import { readEndedGame } from '../outbox/ended-game.ts'
import type { RoomId, Store } from '../ports.ts'
import { Archive } from './archive.ts'
import { archiveConsumer } from './archive-consumer.ts'
import { deriveIndex } from './derive-index.ts'
import { Retention } from './retention.ts'
import { LISTS, placeOfDate } from './summary.ts'

const DAY_MS = 24 * 3_600_000
const NOBODY = { player: null, share: null }
const consumersOf = (store: Store) => [archiveConsumer(store)]

const archiveOver = (store: Store): Archive =>
  new Archive({ store, date: () => store.clock.now() }, new Uint8Array(32))

/** A store that counts what is read of logs. */
class CountingStore extends FlakyStore {
  entriesRead = 0
  override async read(...asked: Parameters<FlakyStore['read']>) {
    const entries = await super.read(...asked)
    this.entriesRead += entries.length
    return entries
  }
}

async function openTable(): Promise<RoomTable<CountingStore>> {
  const clock = new FakeClock()
  return RoomTable.over(clock, new CountingStore({ clock, rng: seededRng() }), {
    seed: 2,
    consumersOf,
  })
}

async function endGame(
  table: Pick<RoomTable, 'play' | 'do' | 'clock'>,
  setup: object = {},
): Promise<RoomId> {
  const { room, host } = await table.play({ preset: 'duel', ...setup })
  await table.do(host, { type: 'leave', room })
  await table.clock.advance(5_000)
  return room
}

test('the log of a finished game is read once, however often and in whatever form it is asked for', async () => {
  const table = await openTable()
  const room = await endGame(table)
  const archive = archiveOver(table.store)
  await archive.record(room, NOBODY)
  const { entriesRead } = table.store
  for (let n = 0; n < 20; n++) {
    await archive.summary(room, NOBODY)
    await archive.position(room, { n: 1, as: 'truth' }, NOBODY)
    await archive.jgs(room, { player: ANN, share: null })
  }
  expect(table.store.entriesRead).toBe(entriesRead)
})

test('those who ask at once share one reading', async () => {
  const table = await openTable()
  const room = await endGame(table)
  const archive = archiveOver(table.store)
  const before = table.store.entriesRead
  const version = await table.store.version(room)
  await Promise.all(Array.from({ length: 50 }, () => archive.record(room, NOBODY)))
  expect(table.store.entriesRead - before).toBeLessThanOrEqual(2 * version)
})

test('F-H2: a game that goes on is no ended one, whoever reads its log', async () => {
  const table = await openTable()
  const { room } = await table.play({ preset: 'duel' })
  expect(await readEndedGame(table.store, room, { date: 0, service: 0 })).toBeNull()
  await table.do(table.connect(ANN), { type: 'leave', room })
  expect(await readEndedGame(table.store, room, { date: 0, service: 0 })).not.toBeNull()
})

test('a game that goes on is not replayed for who asks for its record', async () => {
  const table = await openTable()
  const { room } = await table.play({ preset: 'duel' })
  const entries = await table.store.read(room, 0)
  // A log that cannot be replayed is none that anybody would notice here.
  table.store.read = async () => entries.map((entry) => ({ ...entry, data: '{' }))
  const archive = archiveOver(table.store)
  expect(await archive.record(room, { player: ANN, share: null })).toBeNull()
})

/** Puts a game of Ann and Bo that ended at n into the index. */
async function index(store: Store, n: number, about: Partial<GameSummary>): Promise<RoomId> {
  const room = roomId.parse(String(n).padStart(8, '0'))
  const game: GameSummary = {
    room,
    preset: 'duel',
    custom: false,
    private: false,
    seats: { south: ANN, north: BO },
    result: { winners: [], reason: 'agreed' },
    actions: 1,
    startedAt: n,
    endedAt: n,
    ...about,
  }
  const end = `${placeOfDate(n)}${room}`
  const places = { [LISTS.public]: end, [LISTS.of(ANN.id)]: end }
  await store.indexGame({ room, places, summary: JSON.stringify(game) })
  return room
}

test('R-OUT-7: a game that was ended by leaving, with no winner, is void and not drawn', async () => {
  const { store } = await openTable()
  const archive = archiveOver(store)
  const drawn = await index(store, 1, { result: { winners: [], reason: 'agreed' } })
  const left = await index(store, 2, { result: { winners: [], reason: 'left' } })
  const won = await index(store, 3, { result: { winners: ['south'], reason: 'left' } })
  const found = async (query: GameQuery) =>
    (await archive.list(query, null)).games.map(({ room }) => room)
  expect(await found({ result: 'drawn' })).toEqual([drawn])
  expect(await found({ result: 'void' })).toEqual([left])
  expect(await found({ result: 'decided' })).toEqual([won])
  for (const [result, room] of Object.entries({ drawn, void: left, won })) {
    expect(await found({ player: ANN.id, result: result as never })).toEqual([room])
  }
  expect(await found({ player: ANN.id, result: 'lost' })).toEqual([])
})

test('who looks for what is rare goes on, page by page, and finds it', async () => {
  const table = await openTable()
  const archive = archiveOver(table.store)
  for (let n = 0; n < 240; n++) {
    await index(table.store, n, { preset: n === 0 ? 'siguo' : 'duel' })
  }
  const sizes: number[] = []
  let cursor: string | null = null
  let looks = 0
  do {
    const page = await archive.list({ preset: 'siguo', ...(cursor !== null && { cursor }) }, null)
    sizes.push(page.games.length)
    cursor = page.next
    looks += 1
  } while (cursor !== null && looks < 10)
  expect(sizes).toEqual([0, 0, 1])
  expect(Object.keys(PRESETS)).toContain('siguo')
})

test('F-C7: a game that the index has lost is put into it again by who looks at it', async () => {
  const table = await openTable()
  const room = await endGame(table)
  await table.clock.advance(0)
  const archive = archiveOver(table.store)
  const indexed = await table.store.findGame(room)
  expect(indexed).not.toBeNull()
  await table.store.dropGame(room)
  expect(await archive.list({}, null)).toMatchObject({ games: [] })
  expect(await archive.summary(room, NOBODY)).toMatchObject({ room })
  expect(await table.store.findGame(room)).toEqual(indexed)
  expect(await archive.list({}, null)).toMatchObject({ games: [{ room }] })
})

test('F-C7: the index is what the logs say, whatever it was before', async () => {
  const table = await openTable()
  const [kept, lost, gone, failed] = [
    await endGame(table),
    await endGame(table, { private: true }),
    await endGame(table),
    await endGame(table),
  ]
  await table.play({ preset: 'duel' })
  const indexed = await table.store.findGame(lost)
  await table.store.dropGame(lost)
  await table.store.remove(gone)
  await table.store.markFailed(failed)
  const deps = { store: table.store, date: () => table.clock.now() }
  expect(await deriveIndex(deps)).toEqual({ games: 2, added: 1, dropped: 2 })
  expect(await table.store.findGame(lost)).toEqual(indexed)
  const archive = archiveOver(table.store)
  expect(await archive.list({}, null)).toMatchObject({ games: [{ room: kept }], next: null })
  expect(await archive.list({ player: ANN.id }, ANN)).toMatchObject({
    games: [{ room: lost }, { room: kept }],
  })
  expect(await deriveIndex(deps)).toEqual({ games: 2, added: 0, dropped: 0 })
})

test('a game that ended at one node is listed, and read, at another', async () => {
  const nodes = await Nodes.open(2, { consumersOf })
  const { room, sessions } = await nodes.play({ preset: 'duel' })
  const [ann] = sessions
  if (ann === undefined) throw new Error('nobody there')
  await nodes.at(0).do(ann, { type: 'leave', room })
  await nodes.clock.advance(10_000)
  for (const { store } of nodes.tables) {
    const archive = archiveOver(store)
    expect(await archive.list({}, null)).toMatchObject({ games: [{ room }], next: null })
    expect(await archive.record(room, { player: EVE, share: null })).toMatchObject({
      actions: ['leave south'],
    })
  }
  expect(nodes.faults).toEqual([])
})

test('a link to a private game counts at every node', async () => {
  const nodes = await Nodes.open(2, { consumersOf })
  const { room, sessions } = await nodes.play({ preset: 'duel', private: true })
  const [ann] = sessions
  if (ann === undefined) throw new Error('nobody there')
  await nodes.at(0).do(ann, { type: 'leave', room })
  await nodes.settle()
  const [one, other] = await Promise.all(
    nodes.tables.map(async ({ store }) => {
      const secret = await store.secret('game shares')
      return new Archive({ store, date: () => 0 }, secret)
    }),
  )
  const shared = await one?.share(room, ANN)
  expect(shared?.share).toMatch(/^.{22}$/)
  const reader = { player: null, share: shared?.share ?? null }
  expect(await other?.record(room, reader)).not.toBeNull()
  expect(await other?.record(room, NOBODY)).toBeNull()
  expect(await other?.share(room, EVE)).toBeNull()
})

const retentionAt = (
  store: Store,
  days: number | null,
  removed: (room: RoomId) => void = () => {},
): Retention =>
  new Retention({
    store,
    days,
    removed,
    log: {
      warn() {},
      error: (details) => {
        throw new Error(JSON.stringify(details))
      },
    },
  })

test('of two nodes that remove what is old at once nothing is left, and nothing young is gone', async () => {
  const nodes = await Nodes.open(2, { consumersOf })
  const ended: RoomId[] = []
  for (let n = 0; n < 3; n++) {
    const { room, sessions } = await nodes.play({ preset: 'duel' })
    if (sessions[0] === undefined) throw new Error('nobody there')
    await nodes.at(0).do(sessions[0], { type: 'leave', room })
    await nodes.clock.advance(10_000)
    ended.push(room)
    if (n === 1) await nodes.clock.advance(40 * 60_000)
  }
  const [first, second, young] = ended
  const sweeps = nodes.tables.map(({ store }) => retentionAt(store, 1 / 24))
  await nodes.clock.advance(30 * 60_000)
  for (const sweep of sweeps) sweep.start()
  await nodes.clock.advance(1_000)
  for (const room of [first, second]) {
    if (room === undefined) throw new Error('no room')
    expect(await nodes.store.truth.version(room)).toBe(0)
    expect(await nodes.store.truth.findGame(room)).toBeNull()
  }
  expect(await archiveOver(nodes.at(1).store).list({}, null)).toMatchObject({
    games: [{ room: young }],
  })
  await Promise.all(sweeps.map((sweep) => sweep.stop()))
  expect(nodes.faults).toEqual([])
})

test('without a number of days nothing is ever removed', async () => {
  const table = await openTable()
  const room = await endGame(table)
  const retention = retentionAt(table.store, null)
  retention.start()
  await table.clock.advance(5_000 * DAY_MS)
  await retention.stop()
  expect(await archiveOver(table.store).summary(room, NOBODY)).toMatchObject({ room })
})

test('F-C6: with a game goes what was kept of it for its players, whose sums stay', async () => {
  const table = await openTable()
  const { store } = table
  const room = await endGame(table)
  const { seats } = (await archiveOver(store).summary(room, NOBODY)) ?? {}
  const players = Object.values(seats ?? {}).map(({ id }) => id)
  expect(players).toHaveLength(2)
  const change = { add: { score: 2 }, line: 'a line' }
  for (const player of players) await store.addOnce(player, room, change)
  const retention = retentionAt(store, 10)
  await table.clock.advance(11 * DAY_MS)
  retention.start()
  await table.clock.advance(0)
  await retention.stop()
  for (const player of players) {
    expect(await store.tally(player)).toEqual({ revision: 1, numbers: { score: 2 } })
    // Nothing is known of the room: it would be another game.
    expect((await store.addOnce(player, room, change)).revision).toBe(2)
  }
})

test('what a node had half removed when it died is removed by the next sweep', async () => {
  const table = await openTable()
  const room = await endGame(table)
  await table.store.remove(room)
  await table.clock.advance(11 * DAY_MS)
  const removed: RoomId[] = []
  const retention = retentionAt(table.store, 10, (gone) => removed.push(gone))
  retention.start()
  await table.clock.advance(0)
  await retention.stop()
  expect(removed).toEqual([room])
  expect(await table.store.findGame(room)).toBeNull()
})
