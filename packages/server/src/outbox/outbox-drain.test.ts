import { describe, expect, test } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { FlakyStore } from '../../test/support/flaky-store.ts'
import { Nodes } from '../../test/support/nodes.ts'
import { RoomTable, seededRng } from '../../test/support/room-table.ts'
import { type RoomId, StoreUnavailableError } from '../ports.ts'
import type { EndConsumer } from './consumer.ts'
import type { EndedGame } from './ended-game.ts'

/** Keeps what it was handed, and fails as often as it is told to. */
class Keeper implements EndConsumer {
  readonly name: string
  readonly taken: EndedGame[] = []
  readonly voided: RoomId[] = []
  tries = 0
  failures: Error[] = []

  constructor(name = 'keeper') {
    this.name = name
  }

  async take(game: EndedGame): Promise<void> {
    this.tries += 1
    const failure = this.failures.shift()
    if (failure !== undefined) throw failure
    this.taken.push(game)
  }

  async takeVoid(room: RoomId): Promise<void> {
    this.voided.push(room)
  }
}

async function openWith(...keepers: readonly Keeper[]): Promise<RoomTable> {
  const clock = new FakeClock()
  const store = new FlakyStore({ clock, rng: seededRng() })
  return RoomTable.over(clock, store, { seed: 2, consumersOf: () => keepers })
}

/** A game of two that ends as the first player leaves. */
async function endGame(table: Pick<RoomTable, 'do' | 'play'>): Promise<RoomId> {
  const { room, host } = await table.play({ preset: 'duel' })
  await table.do(host, { type: 'leave', room })
  return room
}

describe('one node', () => {
  test('hands a game on as soon as it has ended, whole, and once', async () => {
    const keeper = new Keeper()
    const table = await openWith(keeper)
    const { room, host } = await table.play({ preset: 'duel' })
    await table.clock.advance(3_000)
    await table.do(host, { type: 'leave', room })
    await table.clock.advance(0)
    const endedAt = table.clock.now()
    await table.clock.advance(600_000)
    expect(keeper.taken).toHaveLength(1)
    const [game] = keeper.taken
    expect(game).toMatchObject({ room, startedAt: endedAt - 3_000, endedAt })
    expect(game?.game.result).toEqual({ winners: ['north'], reason: 'left' })
    expect(game?.record).toMatchObject({ actions: ['leave south'], rules: { preset: 'duel' } })
    expect(game?.state.seats.south?.player).toEqual(host.player)
    expect(await table.store.outbox(10)).toEqual([])
    expect(table.faults).toEqual([])
  })

  test('F-C2: tries again what a consumer could not take, ever later, and keeps nobody else from it', async () => {
    const [failing, well] = [new Keeper('failing'), new Keeper('well')]
    failing.failures = Array.from({ length: 12 }, () => new Error('no'))
    const table = await openWith(failing, well)
    const room = await endGame(table)
    await table.clock.advance(0)
    expect([failing.tries, well.taken.length]).toEqual([1, 1])
    await table.clock.advance(999)
    expect(failing.tries).toBe(1)
    await table.clock.advance(1)
    expect(failing.tries).toBe(2)
    await table.clock.advance(2_000 + 4_000)
    expect(failing.tries).toBe(4)
    await table.clock.advance(24 * 3_600_000)
    expect(failing.taken.map((game) => game.room)).toEqual([room])
    expect(await table.store.outbox(10)).toEqual([])
    expect(table.faults).toHaveLength(12)
    expect(table.faults[0]).toContain('"consumer":"failing"')
  })

  test('an end that nobody can take keeps no later one from being taken', async () => {
    const keeper = new Keeper()
    const table = await openWith(keeper)
    keeper.failures = [new Error('no')]
    const stuck = await endGame(table)
    await table.clock.advance(0)
    const later = await endGame(table)
    await table.clock.advance(0)
    expect(keeper.taken.map((game) => game.room)).toEqual([later])
    await table.clock.advance(1_000)
    expect(keeper.taken.map((game) => game.room)).toEqual([later, stuck])
  })

  test('F-C2: a store that is away is asked again soon, and is no fault', async () => {
    const keeper = new Keeper()
    const table = await openWith(keeper)
    keeper.failures = Array.from({ length: 30 }, () => new StoreUnavailableError('away'))
    await endGame(table)
    await table.clock.advance(30_000)
    expect(keeper.taken).toHaveLength(1)
    expect(table.faults).toEqual([])
  })

  test('F-C7: what an earlier run left in the outbox is handed on at the start', async () => {
    const keeper = new Keeper()
    const table = await openWith(keeper)
    keeper.failures = [new Error('no')]
    const room = await endGame(table)
    await table.clock.advance(0)
    expect(keeper.taken).toEqual([])
    await table.restart()
    await table.clock.advance(0)
    expect(keeper.taken.map((game) => game.room)).toEqual([room])
  })

  test('F-C7: what the log does not say is not so', async () => {
    const keeper = new Keeper()
    const table = await openWith(keeper)
    keeper.failures = [new Error('no')]
    const room = await endGame(table)
    await table.clock.advance(0)
    await table.store.remove(room)
    await table.clock.advance(10_000)
    expect(keeper.taken).toEqual([])
    expect(await table.store.outbox(10)).toEqual([])
    expect(table.warnings.join()).toContain('an end without a game was dropped')
  })

  test('the game of a room that has failed is void', async () => {
    const keeper = new Keeper()
    const table = await openWith(keeper)
    keeper.failures = [new Error('no')]
    const room = await endGame(table)
    await table.clock.advance(0)
    await table.store.markFailed(room)
    await table.clock.advance(1_000)
    expect([keeper.taken, keeper.voided]).toEqual([[], [room]])
    expect(await table.store.outbox(10)).toEqual([])
  })

  test('a log that cannot be read is told, and tried again', async () => {
    const keeper = new Keeper()
    const table = await openWith(keeper)
    keeper.failures = [new Error('no')]
    const room = await endGame(table)
    await table.clock.advance(0)
    table.store.damaged.add(room)
    await table.clock.advance(1_000)
    expect(table.faults.at(-1)).toContain('"consumer":"log"')
    table.store.damaged.delete(room)
    await table.clock.advance(2_000)
    expect(keeper.taken.map((game) => game.room)).toEqual([room])
  })

  test('a stop waits for what is in hand', async () => {
    const keeper = new Keeper()
    const table = await openWith(keeper)
    await endGame(table)
    await table.clock.advance(0)
    await table.rooms.stop()
    expect([keeper.taken.length, await table.store.outbox(10)]).toEqual([1, []])
  })
})

describe('several nodes', () => {
  test('an end is left to the node that wrote it', async () => {
    const keepers = [new Keeper(), new Keeper()]
    let opened = 0
    const nodes = await Nodes.open(2, { consumersOf: () => keepers.slice(opened, ++opened) })
    await nodes.clock.advance(2_000)
    await endGame(nodes.at(1))
    await nodes.clock.advance(60_000)
    expect(keepers.map(({ taken }) => taken.length)).toEqual([0, 1])
    expect(await nodes.store.truth.outbox(10)).toEqual([])
  })

  test('F-C7: when that node dies, another one takes it, soon', async () => {
    const keepers = [new Keeper(), new Keeper()]
    let opened = 0
    const nodes = await Nodes.open(2, { consumersOf: () => keepers.slice(opened, ++opened) })
    const room = await endGame(nodes.at(1))
    nodes.at(1).store.die()
    await nodes.clock.advance(6_000)
    expect(keepers.map(({ taken }) => taken.map((game) => game.room))).toEqual([[room], []])
    expect(await nodes.store.truth.outbox(10)).toEqual([])
  })
})
