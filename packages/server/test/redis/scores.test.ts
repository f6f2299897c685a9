import { PRESETS, type PresetName } from '@junqi/engine'
import type { Player } from '@junqi/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWithRedis, RedisServer, until } from '../../../../test/support/redis-server.ts'
import type { EndConsumer } from '../../src/outbox/consumer.ts'
import { OutboxDrain } from '../../src/outbox/outbox-drain.ts'
import type { Store } from '../../src/ports.ts'
import { encodeEntry } from '../../src/room/log-entry.ts'
import { UNOBSERVED } from '../../src/room/observer.ts'
import { ScoreKeeper } from '../../src/scores/score-keeper.ts'
import { ScoreReader } from '../../src/scores/score-reader.ts'
import { decodeSettlement } from '../../src/scores/settlement.ts'
import { requestOf, roomOf } from '../contract/requests.ts'
import { playerNumber, seededRandom } from '../support/players.ts'
import { PureRoom } from '../support/pure-room.ts'
import { makeRedisPlace } from './places.ts'

const GAMES = 50
const ROOMS = Array.from({ length: GAMES }, (_, n) => roomOf(n))
const PEOPLE: readonly Player[] = Array.from({ length: 6 }, (_, n) => playerNumber(n))
const PRESETS_PLAYED: readonly PresetName[] = ['duel', 'siguo-table', 'sanguo', 'siguo']

/** Puts a game into the store that has just ended: all but one have left it. */
async function storeGame(store: Store, n: number, random: () => number): Promise<void> {
  const preset = PRESETS_PLAYED[n % PRESETS_PLAYED.length] ?? 'duel'
  const players = [...PEOPLE].sort(() => random() - 0.5).slice(0, PRESETS[preset].seats.length)
  const [host] = players
  if (host === undefined) throw new Error('nobody plays')
  const room = new PureRoom({ host, preset })
  room.play(players)
  for (const player of players) {
    if (room.state.phase === 'playing') room.act(player, { type: 'leave' })
  }
  for (const [version, entry] of room.log.entries()) {
    const isEnd = entry.events.some(({ type }) => type === 'gameEnded')
    const change = {
      expectedVersion: version,
      data: encodeEntry(entry),
      ended: isEnd ? '{}' : null,
    }
    await store.append(requestOf(n, change))
  }
}

/** Lets so many through when the last of them has come. */
class Barrier {
  readonly #count: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#count = count
  }

  pass(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === this.#count) for (const go of this.#waiting) go()
    })
  }
}

/** Takes no game before all the others come to it as well. */
function drainOf(store: Store, gates: readonly Barrier[], faults: unknown[]): OutboxDrain {
  const keeper = new ScoreKeeper(store)
  const consumer: EndConsumer = {
    name: keeper.name,
    take: async (game) => {
      await gates[ROOMS.indexOf(game.room)]?.pass()
      await keeper.take(game)
    },
    takeVoid: (room) => keeper.takeVoid(room),
  }
  return new OutboxDrain({
    store,
    consumers: [consumer],
    turns: { soonMs: () => 0, withinMs: () => 20, foreignGraceMs: () => 0 },
    log: {
      warn: (details, text) => void faults.push([details, text]),
      error: (details) => void faults.push(details),
    },
    observer: UNOBSERVED,
    date: () => 0,
    done() {},
  })
}

describeWithRedis('scores over Redis', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await RedisServer.start()
  })
  afterAll(() => server.stop())

  test('of three nodes that take the same fifty games at the very same time each game is scored once', async () => {
    const place = makeRedisPlace(server.url)
    const stores = [await place.open(), await place.open(), await place.open()] as const
    const [first] = stores
    const random = seededRandom(3)
    for (const { id, name } of PEOPLE) {
      await first.createPlayer({ id, name, tokenHash: '', createdAt: 0 })
    }
    for (let n = 0; n < GAMES; n++) await storeGame(first, n, random)
    expect(await first.outbox(GAMES + 1)).toHaveLength(GAMES)

    const faults: unknown[] = []
    const gates = ROOMS.map(() => new Barrier(stores.length))
    const drains = stores.map((store) => drainOf(store, gates, faults))
    for (const drain of drains) drain.start()
    await until(async () => (await first.outbox(GAMES + 1)).length === 0)
    for (const drain of drains) await drain.stop()

    expect(faults).toEqual([])
    const settled = await Promise.all(
      Array.from({ length: GAMES }, async (_, n) =>
        decodeSettlement((await first.settlement(roomOf(n))) ?? ''),
      ),
    )
    const reader = new ScoreReader(stores[1])
    const board = await reader.leaderboard({ by: 'score', limit: 100 })
    for (const { id } of PEOPLE) {
      const own = settled.flatMap(({ seats }) =>
        Object.values(seats).filter(({ player }) => player.id === id),
      )
      const page = await reader.page(id, null)
      const sum = own.reduce((score, { change }) => score + (change?.delta ?? 0), 0)
      expect((await first.tally(id)).revision).toBe(own.length)
      expect(page?.score).toBe(sum)
      expect(page?.counts.escaped).toBe(own.filter(({ escaped }) => escaped).length)
      expect(board.players.find(({ player }) => player.id === id)).toMatchObject({ score: sum })
    }
    expect(board.players).toHaveLength(PEOPLE.length)
    expect(faults).toEqual([])
    // Whoever takes a game again, much later, changes nothing.
    const before = await Promise.all(PEOPLE.map(({ id }) => first.tally(id)))
    for (let n = 0; n < GAMES; n++) await new ScoreKeeper(stores[2]).takeVoid(roomOf(n))
    expect(await Promise.all(PEOPLE.map(({ id }) => first.tally(id)))).toEqual(before)

    await Promise.all(stores.map((store) => store.close()))
    await place.dispose()
  })
})
