import { describe, expect, test } from 'vitest'
import type { IndexedGame, Store } from '../../src/ports.ts'
import { requestOf, roomOf } from './requests.ts'

const gameOf = (number: number, places: IndexedGame['places']): IndexedGame => ({
  room: roomOf(number),
  places,
  summary: `{"n":${number}}`,
})

/** ArchiveStore, as every store does it. */
export function describeArchive(store: () => Store, reopen: () => Promise<void>): void {
  describe('the index of finished games', () => {
    const list = async (name: string, after = '', limit = 100) =>
      (await store().listGames(name, after, limit)).map(({ place, game }) => [place, game.room])

    test('a game is found, and is in its lists, at its places', async () => {
      const game = gameOf(1, { public: '5', 'by:p1': '7' })
      await store().indexGame(game)
      await reopen()
      expect(await store().findGame(roomOf(1))).toEqual(game)
      expect(await store().findGame(roomOf(2))).toBeNull()
      expect(await store().listGames('public', '', 5)).toEqual([{ place: '5', game }])
      expect(await list('by:p1')).toEqual([['7', roomOf(1)]])
      expect(await list('by:p')).toEqual([])
      expect(await list('by')).toEqual([])
    })

    test('one that is indexed again stays as it is', async () => {
      await Promise.all(
        [1, 2, 3].map((n) =>
          store().indexGame({ ...gameOf(1, { public: `${n}` }), summary: `${n}` }),
        ),
      )
      const kept = await store().findGame(roomOf(1))
      expect(await store().listGames('public', '', 5)).toEqual([
        { place: kept?.summary, game: kept },
      ])
    })

    test('a list is in the order of its places, page by page, whatever is added or dropped meanwhile', async () => {
      for (const n of [3, 9, 1, 7, 5]) await store().indexGame(gameOf(n, { public: `00${n}` }))
      expect(await list('public')).toEqual([1, 3, 5, 7, 9].map((n) => [`00${n}`, roomOf(n)]))
      expect(await list('public', '', 2)).toEqual([1, 3].map((n) => [`00${n}`, roomOf(n)]))
      await store().indexGame(gameOf(2, { public: '002' }))
      await store().dropGame(roomOf(3))
      await reopen()
      expect(await list('public', '003', 2)).toEqual([5, 7].map((n) => [`00${n}`, roomOf(n)]))
      expect(await list('public', '007', 2)).toEqual([['009', roomOf(9)]])
      expect(await list('public', '009', 2)).toEqual([])
      expect(await list('public', '0065', 2)).toEqual([7, 9].map((n) => [`00${n}`, roomOf(n)]))
    })

    test('one that is dropped is in no list, and can be indexed anew', async () => {
      await store().indexGame(gameOf(1, { public: '1', ages: '2' }))
      await store().indexGame(gameOf(2, { public: '2' }))
      await store().dropGame(roomOf(1))
      await store().dropGame(roomOf(1))
      await reopen()
      expect(await store().findGame(roomOf(1))).toBeNull()
      expect(await list('public')).toEqual([['2', roomOf(2)]])
      expect(await list('ages')).toEqual([])
      await store().indexGame(gameOf(1, { public: '3' }))
      expect(await list('public')).toEqual([
        ['2', roomOf(2)],
        ['3', roomOf(1)],
      ])
    })

    test('a room that is removed from the store is not taken out of the index by that, nor the other way round', async () => {
      await store().append(requestOf(1, { ended: 'end' }))
      await store().indexGame(gameOf(1, { public: '1' }))
      await store().dropGame(roomOf(1))
      expect(await store().version(roomOf(1))).toBe(1)
      await store().indexGame(gameOf(1, { public: '1' }))
      await store().remove(roomOf(1))
      expect(await store().findGame(roomOf(1))).not.toBeNull()
    })

    test('F-C7: all rooms that have ended are found without it', async () => {
      const ended = Array.from({ length: 1_100 }, (_, n) => roomOf(n))
      await Promise.all(
        ended.map((room) => store().append({ ...requestOf(0), room, ended: 'end' })),
      )
      await store().append(requestOf(2_000, { deadline: 5, lobby: 'line' }))
      await store().remove(roomOf(7))
      await reopen()
      const found = new Set<string>()
      for await (const room of store().rooms()) found.add(room)
      found.delete(roomOf(2_000))
      expect([...found].sort()).toEqual(ended.filter((room) => room !== roomOf(7)).sort())
    })
  })
}
