import type { PresetName, Seat } from '@junqi/engine'
import type { Player, PlayerId, RoomId } from '@junqi/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { roomOf } from '../../test/contract/requests.ts'
import { type Ending, endedGame } from '../../test/support/ended-game.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { playerNumber } from '../../test/support/players.ts'
import { seededRng } from '../../test/support/room-table.ts'
import { MemoryStore } from '../adapters/memory/memory-store.ts'
import { type ScoreStore, StoreUnavailableError } from '../ports.ts'
import { ScoreKeeper } from './score-keeper.ts'
import { ScoreReader } from './score-reader.ts'
import { decodeSettlement } from './settlement.ts'

const PLAYERS = [0, 1, 2, 3, 4, 5].map(playerNumber)
const [ANN, BO, CAI, DEE] = [0, 1, 2, 3].map(playerNumber) as [Player, Player, Player, Player]
const FOUR = [ANN, BO, CAI, DEE]

async function openStore(): Promise<MemoryStore> {
  const store = new MemoryStore({ clock: new FakeClock(), rng: seededRng() })
  for (const { id, name } of PLAYERS) {
    await store.createPlayer({ id, name, tokenHash: '', createdAt: 0 })
  }
  return store
}

const end = (n: number, ending: Omit<Ending, 'room'>) => endedGame({ room: roomOf(n), ...ending })

/** Everything that can be read of the players. */
async function shown(store: MemoryStore) {
  const reader = new ScoreReader(store)
  return {
    pages: await Promise.all(PLAYERS.map(({ id }) => reader.page(id, null))),
    tallies: await Promise.all(PLAYERS.map(({ id }) => store.tally(id))),
    boards: await Promise.all([
      reader.leaderboard({ by: 'score', limit: 100 }),
      ...(['duel', 'siguo', 'siguo-table'] as const).map((preset) =>
        reader.leaderboard({ by: 'rating', preset, limit: 100 }),
      ),
    ]),
  }
}

const pageOf = async (store: MemoryStore, { id }: Player, viewer: PlayerId | null = null) => {
  const page = await new ScoreReader(store).page(id, viewer)
  if (page === null) throw new Error('no page')
  return page
}

describe('a game that was played', () => {
  test('R-SCORE-1: is added to its players: score, title, counts, rating, history', async () => {
    const store = await openStore()
    const keeper = new ScoreKeeper(store)
    for (let n = 1; n <= 10; n++) {
      await keeper.take(
        end(n, { preset: 'duel', players: [ANN, BO], winners: ['south'], endedAt: n }),
      )
    }
    const [ann, bo] = [await pageOf(store, ANN), await pageOf(store, BO)]
    expect(ann).toMatchObject({
      player: { id: ANN.id, name: ANN.name },
      score: 10,
      title: 'deputySergeant',
      counts: { played: 10, won: 10, lost: 0, drawn: 0, void: 0, escaped: 0 },
    })
    expect([bo.score, bo.title, bo.counts.lost]).toEqual([-10, 'soldier', 10])
    expect(ann.ratings.duel?.games).toBe(10)
    expect(ann.ratings.duel?.ordinal).toBeGreaterThan(bo.ratings.duel?.ordinal ?? 0)
    expect(Object.keys(ann.ratings)).toEqual(['duel'])
    expect(ann.games[0]).toEqual({
      room: roomOf(10),
      date: 10,
      preset: 'duel',
      scored: true,
      seat: 'south',
      outcome: 'won',
      escaped: false,
      reason: 'flagCaptured',
      moves: 40,
      delta: 1,
      score: 10,
      players: { south: ANN, north: BO },
    })
    expect(ann.games.map(({ date }) => date)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  })

  test('R-SCORE-4, R-SCORE-9: one ended by leaving changes no score and no rating; the escape is counted', async () => {
    const store = await openStore()
    const ending = { winners: [], reason: 'left', left: ['east'] } as const
    await new ScoreKeeper(store).take(end(1, { preset: 'siguo', players: FOUR, ...ending }))
    const pages = await Promise.all(FOUR.map((player) => pageOf(store, player)))
    expect(pages.map(({ score }) => score)).toEqual([0, 0, 0, 0])
    expect(pages.map(({ counts }) => [counts.played, counts.void, counts.escaped])).toEqual([
      [1, 1, 0],
      [1, 1, 1],
      [1, 1, 0],
      [1, 1, 0],
    ])
    expect(pages.map(({ ratings }) => ratings)).toEqual([{}, {}, {}, {}])
    expect(pages[1]?.games[0]).toMatchObject({ outcome: 'void', escaped: true, delta: 0, score: 0 })
  })

  test('R-SCORE-9: who left loses like the others, and has escaped; who timed out has not', async () => {
    const store = await openStore()
    const keeper = new ScoreKeeper(store)
    const players = [ANN, BO]
    await keeper.take(
      end(1, { preset: 'duel', players, winners: ['north'], left: ['south'], reason: 'left' }),
    )
    await keeper.take(end(2, { preset: 'duel', players, winners: ['north'], reason: 'timeouts' }))
    const ann = await pageOf(store, ANN)
    expect([ann.score, ann.counts.lost, ann.counts.escaped]).toEqual([-2, 2, 1])
    expect(ann.games.map(({ escaped }) => escaped)).toEqual([false, true])
  })

  test.each<[string, Omit<Ending, 'room' | 'players'>]>([
    ['R-SCORE-5: by other rules', { preset: 'duel', options: { landmine: 'mutual' } }],
    ['R-SCORE-5: with scoring none', { preset: 'duel', options: { scoring: 'none' } }],
  ])('%s is in the history, and changes nothing else', async (_, ending) => {
    const store = await openStore()
    await new ScoreKeeper(store).take(end(1, { ...ending, players: [ANN, BO], winners: ['south'] }))
    const ann = await pageOf(store, ANN)
    expect([ann.score, ann.counts.played, ann.ratings]).toEqual([0, 0, {}])
    expect(ann.games[0]).toMatchObject({ scored: false, outcome: 'won', delta: null, score: null })
    expect((await shown(store)).boards.map(({ players }) => players)).toEqual([[], [], [], []])
  })

  test('R-SCORE-7: with a bot it is a friendly game, and nothing at all is kept of the bot', async () => {
    const store = await openStore()
    const bot: Player = { ...BO, bot: 'hard' }
    await new ScoreKeeper(store).take(
      end(1, { preset: 'duel', players: [ANN, bot], winners: ['south'] }),
    )
    const ann = await pageOf(store, ANN)
    expect([ann.score, ann.counts.played, ann.games[0]?.scored]).toEqual([0, 0, false])
    expect(ann.games[0]?.players?.north).toEqual(bot)
    expect((await pageOf(store, BO)).games).toEqual([])
  })

  test('R-SCORE-3: is judged by the scores that its players have when it is taken up', async () => {
    const store = await openStore()
    const keeper = new ScoreKeeper(store)
    for (let n = 1; n <= 52; n++) {
      await keeper.take(end(n, { preset: 'duel', players: [ANN, BO], winners: ['south'] }))
    }
    // At 50 she still gains; above it nothing, while he is below.
    expect([(await pageOf(store, ANN)).score, (await pageOf(store, BO)).score]).toEqual([51, -52])
  })

  test('of a private game only its players are told where it was, and with whom', async () => {
    const store = await openStore()
    const players = [ANN, BO]
    await new ScoreKeeper(store).take(
      end(1, { preset: 'duel', players, winners: ['south'], private: true }),
    )
    const told = async (viewer: PlayerId | null) => {
      const [game] = (await pageOf(store, ANN, viewer)).games
      return [game?.room, game?.players]
    }
    expect(await told(null)).toEqual([null, null])
    expect(await told(CAI.id)).toEqual([null, null])
    expect(await told(ANN.id)).toEqual([roomOf(1), { south: ANN, north: BO }])
    expect(await told(BO.id)).toEqual([roomOf(1), { south: ANN, north: BO }])
    expect(JSON.stringify(await pageOf(store, ANN, CAI.id))).not.toContain('rivate')
  })

  test('nobody has played: a page is there all the same; of nobody there is none', async () => {
    const store = await openStore()
    expect(await pageOf(store, ANN)).toMatchObject({ score: 0, title: 'soldier', games: [] })
    expect(await new ScoreReader(store).page(playerNumber(40).id, null)).toBeNull()
  })
})

/** Fails at the n-th write from now, before or after it happens; once. */
class FaultyScores {
  readonly #store: ScoreStore
  #until = 0
  #isAfter = false
  writes = 0

  constructor(store: ScoreStore) {
    this.#store = store
  }

  killAt(n: number, isAfter: boolean): void {
    this.writes = 0
    this.#until = n
    this.#isAfter = isAfter
  }

  async #write<Done>(write: () => Promise<Done>): Promise<Done> {
    this.writes += 1
    const isHit = this.writes === this.#until
    const isDead = this.#until > 0 && this.writes > this.#until
    if (isDead || (isHit && !this.#isAfter)) throw new StoreUnavailableError('killed')
    const done = await write()
    if (isHit) throw new StoreUnavailableError('killed')
    return done
  }

  get store(): ScoreStore {
    const store = this.#store
    return {
      keepSettlement: (...asked) => this.#write(() => store.keepSettlement(...asked)),
      addOnce: (...asked) => this.#write(() => store.addOnce(...asked)),
      placeOnBoard: (...asked) => this.#write(() => store.placeOnBoard(...asked)),
      settlement: (room: RoomId) => store.settlement(room),
      forgetAdded: (...asked) => this.#write(() => store.forgetAdded(...asked)),
      tally: (player) => store.tally(player),
      recentGames: (...asked) => store.recentGames(...asked),
      board: (...asked) => store.board(...asked),
    }
  }
}

interface Play {
  readonly preset: PresetName
  readonly players: readonly Player[]
  readonly winners: readonly Seat[]
  readonly left: readonly Seat[]
}

const GAMES: readonly Play[] = [
  { preset: 'duel', players: [ANN, BO], winners: ['south'], left: [] },
  { preset: 'siguo', players: [BO, CAI, DEE, ANN], winners: ['east', 'west'], left: [] },
  { preset: 'duel', players: [BO, ANN], winners: [], left: [] },
  { preset: 'siguo-table', players: FOUR, winners: ['south', 'north'], left: ['east'] },
  { preset: 'duel', players: [CAI, ANN], winners: ['north'], left: ['south'] },
]

describe('ADR 0008: whatever becomes of the nodes that score', () => {
  test('F-C2: a game is fixed by the first, and added once, however often and by however many it is taken', async () => {
    const games = GAMES.map((play, n) => end(n, play))
    const orders = fc.array(fc.nat(GAMES.length - 1), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(orders, fc.infiniteStream(fc.boolean()), async (order, together) => {
        const store = await openStore()
        const keepers = [new ScoreKeeper(store), new ScoreKeeper(store)]
        const taken = [...order, ...GAMES.keys()].map((n) => games[n] ?? end(0, GAMES[0] as Play))
        let underWay: Promise<void>[] = []
        for (const [n, game] of taken.entries()) {
          underWay.push((keepers[n % 2] ?? new ScoreKeeper(store)).take(game))
          if (together.next().value) continue
          await Promise.all(underWay)
          underWay = []
        }
        await Promise.all(underWay)
        const { tallies, pages } = await shown(store)
        const settled = await Promise.all(
          games.map(async ({ room }) => decodeSettlement((await store.settlement(room)) ?? '')),
        )
        for (const [n, { id }] of PLAYERS.entries()) {
          const own = settled
            .flatMap(({ seats }) => Object.values(seats))
            .filter(({ player }) => player.id === id)
          expect(tallies[n]?.revision).toBe(own.length)
          const score = own.reduce((sum, { change }) => sum + (change?.delta ?? 0), 0)
          expect(pages[n]?.score).toBe(score)
          expect(pages[n]?.games).toHaveLength(own.length)
        }
        // Of each game two or four shared what there was, but for what R-SCORE-2 held back from nobody here.
        expect(pages.reduce((sum, page) => sum + (page?.score ?? 0), 0)).toBe(0)
      }),
      { numRuns: 40 },
    )
  })

  test('leaderboards say what the pages say', async () => {
    const store = await openStore()
    const keepers = [new ScoreKeeper(store), new ScoreKeeper(store)]
    const games = GAMES.map((play, n) => end(n, play))
    await Promise.all(games.flatMap((game) => keepers.map((keeper) => keeper.take(game))))
    const { pages, boards } = await shown(store)
    const [scores, duel] = boards
    const listed = new Map(scores?.players.map(({ player, ...line }) => [player.id, line]))
    for (const page of pages) {
      if (page === null || page.counts.played === 0) continue
      expect(listed.get(page.player.id)).toMatchObject({ score: page.score, title: page.title })
    }
    const rated = duel?.by === 'rating' ? duel.players : []
    expect(rated.map(({ player, rating }) => [player.id, rating])).toEqual(
      pages
        .flatMap((page) =>
          page?.ratings.duel ? [[page.player.id, page.ratings.duel] as const] : [],
        )
        .sort(([, one], [, other]) => other.ordinal - one.ordinal),
    )
    const ordered = scores?.by === 'score' ? scores.players.map(({ score }) => score) : []
    expect(ordered).toEqual([...ordered].sort((a, b) => b - a))
    expect(scores?.players.map(({ rank }) => rank)).toEqual([1, 2, 3, 4])
  })

  test('F-C2: killed before or after any of its writes, and done again by another: as if nothing had been', async () => {
    const before = end(1, GAMES[0] as Play)
    const game = end(2, GAMES[1] as Play)
    const undisturbed = await openStore()
    await new ScoreKeeper(undisturbed).take(before)
    const counter = new FaultyScores(undisturbed)
    await new ScoreKeeper(counter.store).take(game)
    const expected = await shown(undisturbed)
    expect(counter.writes).toBeGreaterThanOrEqual(1 + 4 + 8)
    for (let n = 1; n <= counter.writes; n++) {
      for (const isAfter of [false, true]) {
        const store = await openStore()
        await new ScoreKeeper(store).take(before)
        const faulty = new FaultyScores(store)
        faulty.killAt(n, isAfter)
        await expect(new ScoreKeeper(faulty.store).take(game)).rejects.toThrow('killed')
        await new ScoreKeeper(store).take(game)
        expect(await shown(store)).toEqual(expected)
      }
    }
  })

  test('what another game has changed meanwhile does not change what was fixed', async () => {
    const store = await openStore()
    const faulty = new FaultyScores(store)
    faulty.killAt(1, true)
    const first = end(1, { preset: 'duel', players: [ANN, BO], winners: ['south'] })
    await expect(new ScoreKeeper(faulty.store).take(first)).rejects.toThrow('killed')
    const fixed = await store.settlement(roomOf(1))
    for (let n = 2; n < 60; n++) {
      await new ScoreKeeper(store).take(
        end(n, { preset: 'duel', players: [ANN, CAI], winners: ['south'] }),
      )
    }
    await new ScoreKeeper(store).take(first)
    expect(await store.settlement(roomOf(1))).toBe(fixed)
    expect((await pageOf(store, BO)).score).toBe(-1)
    // Above 50, against one below: she gains by what was fixed, and not by what is so now (R-SCORE-3).
    expect((await pageOf(store, ANN)).games[0]).toMatchObject({ room: roomOf(1), delta: 1 })
  })

  test('F-C2: a failed room’s game is void: nothing is begun for it, and what was begun is not left half done', async () => {
    const store = await openStore()
    const game = end(1, GAMES[0] as Play)
    await new ScoreKeeper(store).takeVoid(game.room)
    expect(await store.settlement(game.room)).toBeNull()
    const faulty = new FaultyScores(store)
    faulty.killAt(2, true)
    await expect(new ScoreKeeper(faulty.store).take(game)).rejects.toThrow('killed')
    await new ScoreKeeper(store).takeVoid(game.room)
    expect([(await pageOf(store, ANN)).score, (await pageOf(store, BO)).score]).toEqual([1, -1])
  })
})
