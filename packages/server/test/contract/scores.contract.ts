import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BoardLine, KEPT_GAMES, type Store } from '../../src/ports.ts'
import { playerOf, requestOf, roomOf } from './requests.ts'

const [ANN, BOB] = [playerOf(1), playerOf(2)]
const change = (n: number, add: Readonly<Record<string, number>> = {}) => ({
  add,
  line: `line ${n}`,
})

/** ScoreStore, as every store does it. */
export function describeScores(store: () => Store, reopen: () => Promise<void>): void {
  describe('settlements', () => {
    test('F-C2: the first of a room is kept, whoever comes at once or later', async () => {
      expect(await store().settlement(roomOf(1))).toBeNull()
      const kept = await Promise.all(
        ['one', 'two', 'three'].map((text) => store().keepSettlement(roomOf(1), text)),
      )
      expect(new Set(kept).size).toBe(1)
      await reopen()
      expect(await store().settlement(roomOf(1))).toBe(kept[0])
      expect(await store().keepSettlement(roomOf(1), 'four')).toBe(kept[0])
      expect(await store().keepSettlement(roomOf(2), 'five')).toBe('five')
    })

    test('F-C6: they go with their rooms', async () => {
      await store().append(requestOf(1))
      await store().keepSettlement(roomOf(1), 'one')
      await store().remove(roomOf(1))
      expect(await store().settlement(roomOf(1))).toBeNull()
    })
  })

  describe('tallies', () => {
    test('a player that has played nothing has none', async () => {
      expect(await store().tally(ANN)).toEqual({ revision: 0, numbers: {} })
      expect(await store().recentGames(ANN, 5)).toEqual([])
    })

    test('F-C2: a game is added once, however often and by however many it is said', async () => {
      const add = { score: 2, won: 1 }
      await Promise.all(
        Array.from({ length: 8 }, () => store().addOnce(ANN, roomOf(1), change(1, add))),
      )
      await reopen()
      const tally = await store().addOnce(ANN, roomOf(1), change(9, { score: 40 }))
      expect(tally).toEqual({ revision: 1, numbers: add })
      expect(await store().tally(ANN)).toEqual(tally)
      expect(await store().recentGames(ANN, 5)).toEqual(['line 1'])
      expect(await store().tally(BOB)).toEqual({ revision: 0, numbers: {} })
    })

    test('it answers with the sums after the game', async () => {
      await store().addOnce(ANN, roomOf(1), change(1, { score: -2, 'mu:siguo-open': 1_234_567 }))
      const tally = await store().addOnce(ANN, roomOf(2), change(2, { score: -3, zero: 0 }))
      const numbers = { score: -5, 'mu:siguo-open': 1_234_567, zero: 0 }
      expect(tally).toEqual({ revision: 2, numbers })
      await reopen()
      expect(await store().tally(ANN)).toEqual({ revision: 2, numbers })
    })

    test('a game that changes no number is in the history all the same', async () => {
      expect(await store().addOnce(ANN, roomOf(1), change(1))).toEqual({ revision: 1, numbers: {} })
      expect(await store().recentGames(ANN, 5)).toEqual(['line 1'])
    })

    test('of the history the newest are kept; what was added is known for ever', async () => {
      const count = KEPT_GAMES + 20
      for (let n = 1; n <= count; n++) {
        await store().addOnce(ANN, roomOf(n), change(n, { score: 1 }))
      }
      await reopen()
      const lines = Array.from({ length: KEPT_GAMES }, (_, n) => `line ${count - n}`)
      expect(await store().recentGames(ANN, count)).toEqual(lines)
      expect(await store().recentGames(ANN, 3)).toEqual(lines.slice(0, 3))
      expect(await store().recentGames(ANN, 0)).toEqual([])
      for (let n = 1; n <= count; n++) {
        await store().addOnce(ANN, roomOf(n), change(n, { score: 1 }))
      }
      expect(await store().tally(ANN)).toEqual({ revision: count, numbers: { score: count } })
    })

    test('F-C6: what is forgotten of a game takes nothing from the sums, and nothing from others', async () => {
      await store().addOnce(ANN, roomOf(1), change(1, { score: 2 }))
      await store().addOnce(ANN, roomOf(2), change(2, { score: 3 }))
      await store().addOnce(BOB, roomOf(1), change(1, { score: 5 }))
      await store().forgetAdded(ANN, roomOf(1))
      await store().forgetAdded(ANN, roomOf(7))
      await reopen()
      expect(await store().tally(ANN)).toEqual({ revision: 2, numbers: { score: 5 } })
      expect(await store().recentGames(ANN, 5)).toEqual(['line 2', 'line 1'])
      expect(await store().addOnce(ANN, roomOf(2), change(9, { score: 3 }))).toEqual({
        revision: 2,
        numbers: { score: 5 },
      })
      expect(await store().addOnce(BOB, roomOf(1), change(9, { score: 5 }))).toEqual({
        revision: 1,
        numbers: { score: 5 },
      })
      expect((await store().addOnce(ANN, roomOf(1), change(3, { score: 1 }))).revision).toBe(3)
    })

    test('in whatever order and however often games are added, the sums are the same', async () => {
      const games = Array.from({ length: 6 }, (_, n) => ({
        n,
        add: { a: n * n - 7, [`b${n}`]: n },
      }))
      const orders = fc.array(fc.constantFrom(...games), { minLength: 6, maxLength: 30 })
      let player = 10
      await fc.assert(
        fc.asyncProperty(orders, async (order) => {
          const subject = playerOf(player++)
          const added = [...order, ...games]
          await Promise.all(
            added.map(({ n, add }) => store().addOnce(subject, roomOf(n), change(n, add))),
          )
          const { numbers } = await store().tally(subject)
          expect(numbers.a).toBe(games.reduce((sum, { add }) => sum + (add.a ?? 0), 0))
          expect(numbers.b5).toBe(5)
        }),
        { numRuns: 10 },
      )
    })
  })

  describe('boards', () => {
    const lineOf = (n: number, place: string, line = `line ${n}`): BoardLine => ({
      place,
      player: playerOf(n),
      line,
    })
    const places = async (after = '', limit = 100) =>
      (await store().board('score', after, limit)).map(({ place }) => place)

    test('players stand in the order of their places, page by page', async () => {
      for (const n of [4, 2, 5, 1, 3]) await store().placeOnBoard('score', 1, lineOf(n, `00${n} p`))
      await store().placeOnBoard('score2', 1, lineOf(9, '000 p'))
      await reopen()
      expect(await store().board('score', '', 2)).toEqual([lineOf(1, '001 p'), lineOf(2, '002 p')])
      expect(await places('002 p', 2)).toEqual(['003 p', '004 p'])
      expect(await places('0035', 9)).toEqual(['004 p', '005 p'])
      expect(await places('005 p')).toEqual([])
      expect(await store().board('scor', '', 5)).toEqual([])
    })

    test('a player has one place on a board, that of its latest revision', async () => {
      await store().placeOnBoard('score', 1, lineOf(1, '005', 'one\nmore'))
      await store().placeOnBoard('score', 3, lineOf(1, '009', 'three\n"x"'))
      await store().placeOnBoard('score', 2, lineOf(1, '001', 'two'))
      await reopen()
      expect(await store().board('score', '', 5)).toEqual([lineOf(1, '009', 'three\n"x"')])
      await store().placeOnBoard('score', 3, lineOf(1, '007', 'again'))
      await store().placeOnBoard('score', 12, lineOf(1, '007', 'four'))
      expect(await store().board('score', '', 5)).toEqual([lineOf(1, '007', 'four')])
    })

    test('of places that come at once the latest stays', async () => {
      const revisions = [3, 11, 7, 2, 9]
      await Promise.all(
        revisions.map((n) => store().placeOnBoard('score', n, lineOf(1, `0${100 - n}`, `${n}`))),
      )
      expect(await store().board('score', '', 5)).toEqual([lineOf(1, '089', '11')])
    })
  })
}
