import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PlayerId, QueueRecord, Store } from '../../src/ports.ts'
import { playerOf } from './requests.ts'
import type { Place } from './store.contract.ts'

const idOf = (n: number): string => `t${String(n).padStart(7, '0')}`
const players = (...numbers: readonly number[]): readonly PlayerId[] => numbers.map(playerOf)
const ticket = (n: number, ...of: readonly number[]): QueueRecord => ({
  id: idOf(n),
  players: players(...(of.length === 0 ? [n] : of)),
  data: `{"ticket":${n},"text":"第一\\n行"}`,
})
const match = (n: number, ...of: readonly number[]): QueueRecord => ({
  ...ticket(n, ...of),
  data: `match ${n}`,
})

/** What the queue of every store does; `isShared`: two stores of one place have one queue. */
export function describeQueue({
  makePlace,
  keeps,
  isShared,
}: {
  readonly makePlace: () => Promise<Place>
  readonly keeps: boolean
  readonly isShared: boolean
}): void {
  describe('the queue of quick play', () => {
    let place: Place
    let one: Store
    let two: Store

    beforeEach(async () => {
      place = await makePlace()
      one = await place.open()
      two = isShared ? await place.open() : one
    })
    afterEach(async () => {
      await one.close()
      if (two !== one) await two.close()
      await place.dispose()
    })

    const at = (n: number): Store => (n % 2 === 0 ? one : two)

    test('what is put in is there, by its id and by its players', async () => {
      expect(await one.enqueue(ticket(0))).toBe('queued')
      expect(await one.enqueue(ticket(1, 1, 2))).toBe('queued')
      const { tickets, matches } = await two.readQueue()
      expect([...tickets].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
        ticket(0),
        ticket(1, 1, 2),
      ])
      expect(matches).toEqual([])
      for (const n of [1, 2]) expect(await two.queuedOf(playerOf(n))).toEqual(ticket(1, 1, 2))
      expect(await two.queuedOf(playerOf(3))).toBeNull()
      expect(await two.readTicket(idOf(0))).toEqual(ticket(0))
      expect(await two.readTicket(idOf(9))).toBeNull()
    })

    test('F-S3: a player is in one ticket, of however many that are put in at once', async () => {
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, n) => at(n).enqueue(ticket(n, 0, n + 1))),
      )
      expect(results.filter((result) => result === 'queued')).toHaveLength(1)
      expect(results.filter((result) => result === 'waiting')).toHaveLength(49)
      expect((await one.readQueue()).tickets).toHaveLength(1)
    })

    test('an id is used once', async () => {
      await one.enqueue(ticket(0))
      expect(await two.enqueue({ ...ticket(1), id: idOf(0) })).toBe('taken')
      await one.takeMatch(match(0), [idOf(0)])
      expect(await two.enqueue({ ...ticket(1), id: idOf(0) })).toBe('taken')
      expect(await two.queuedOf(playerOf(1))).toBeNull()
    })

    test('what is taken out is gone, once, and its players may queue again', async () => {
      await one.enqueue(ticket(0, 0, 1))
      const results = await Promise.all([one.dequeue(idOf(0)), two.dequeue(idOf(0))])
      expect(results.sort()).toEqual([false, true])
      expect(await two.enqueue(ticket(2, 1, 0))).toBe('queued')
      expect((await one.readQueue()).tickets).toEqual([ticket(2, 1, 0)])
    })

    test('a ticket takes one partner, of several at once', async () => {
      await one.enqueue(ticket(0))
      const { data } = ticket(0)
      const results = await Promise.all(
        [1, 2, 3, 4].map((n) =>
          at(n).changeTicket({ ...ticket(0, 0, n), data: `with ${n}` }, data),
        ),
      )
      expect(results.filter((result) => result === 'changed')).toHaveLength(1)
      expect(results.filter((result) => result === 'gone')).toHaveLength(3)
      const partner = results.indexOf('changed') + 1
      const pair = { ...ticket(0, 0, partner), data: `with ${partner}` }
      expect(await one.readTicket(idOf(0))).toEqual(pair)
      expect(await one.queuedOf(playerOf(partner))).toEqual(pair)
    })

    test('a partner who waits already is none, and a ticket that is gone has none', async () => {
      await one.enqueue(ticket(0))
      await one.enqueue(ticket(1))
      const { data } = ticket(0)
      expect(await two.changeTicket(ticket(0, 0, 1), data)).toBe('waiting')
      expect(await two.changeTicket(ticket(2, 2, 3), data)).toBe('gone')
      expect(await one.queuedOf(playerOf(1))).toEqual(ticket(1))
    })

    test('F-S1: of matches over the same tickets, made at once, exactly one takes them', async () => {
      for (let n = 0; n < 6; n++) await one.enqueue(ticket(n))
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          at(n).takeMatch({ ...match(0, 0, 1, 2, 3), data: `${n}` }, [0, 1, 2, 3].map(idOf)),
        ),
      )
      expect(results.filter((isTaken) => isTaken)).toHaveLength(1)
      const data = String(results.indexOf(true))
      const { tickets, matches } = await two.readQueue()
      expect(tickets.map(({ id }) => id).sort()).toEqual([idOf(4), idOf(5)])
      expect(matches).toEqual([{ ...match(0, 0, 1, 2, 3), data }])
    })

    test('a match of which one ticket is gone takes none', async () => {
      for (let n = 0; n < 3; n++) await one.enqueue(ticket(n))
      await two.dequeue(idOf(1))
      expect(await one.takeMatch(match(0, 0, 1, 2), [0, 1, 2].map(idOf))).toBe(false)
      const { tickets, matches } = await one.readQueue()
      expect([tickets.length, matches.length]).toEqual([2, 0])
      expect(await one.queuedOf(playerOf(0))).toEqual(ticket(0))
    })

    test('who is in a match cannot queue until it is settled, and then its result can be asked for', async () => {
      await one.enqueue(ticket(0))
      await one.enqueue(ticket(1))
      await one.takeMatch(match(0, 0, 1), [idOf(0), idOf(1)])
      expect(await two.enqueue(ticket(2, 1))).toBe('waiting')
      const settled = { ...match(0, 0, 1), data: 'settled' }
      await two.settleMatch(settled)
      expect(await one.queuedOf(playerOf(0))).toEqual(settled)
      expect(await two.enqueue(ticket(2, 1))).toBe('queued')
      // Settled once more, by another node that was slower.
      await one.settleMatch(settled)
      expect(await one.queuedOf(playerOf(1))).toEqual(ticket(2, 1))
      expect(await one.queuedOf(playerOf(0))).toEqual(settled)
      await one.forgetMatch(idOf(0))
      expect(await one.queuedOf(playerOf(0))).toBeNull()
      expect(await one.queuedOf(playerOf(1))).toEqual(ticket(2, 1))
      expect((await two.readQueue()).matches).toEqual([])
    })

    test('a match that is forgotten is not settled again, and frees its players', async () => {
      await one.enqueue(ticket(0))
      await one.takeMatch(match(0), [idOf(0)])
      await two.forgetMatch(idOf(0))
      await one.settleMatch(match(0))
      expect(await one.queuedOf(playerOf(0))).toBeNull()
      expect(await one.enqueue(ticket(0))).toBe('queued')
    })

    test('F-C6: nothing is left when all is settled and forgotten', async () => {
      const before = await place.countKeys()
      for (let n = 0; n < 4; n++) await one.enqueue(ticket(n))
      await one.takeMatch(match(0, 0, 1), [idOf(0), idOf(1)])
      await one.settleMatch(match(0, 0, 1))
      for (const n of [2, 3]) await one.dequeue(idOf(n))
      await one.forgetMatch(idOf(0))
      if (isShared || !keeps) expect(await place.countKeys()).toBe(before)
      for (let n = 0; n < 4; n++) expect(await one.queuedOf(playerOf(n))).toBeNull()
      expect(await one.readQueue()).toEqual({ tickets: [], matches: [] })
    })

    test('F-C7: tickets and matches outlive a store that keeps anything', async () => {
      await one.enqueue(ticket(0, 0, 1))
      await one.enqueue(ticket(2))
      await one.takeMatch(match(2), [idOf(2)])
      if (keeps) {
        await one.close()
        one = await place.open()
        if (!isShared) two = one
      }
      expect(await one.readQueue()).toEqual({ tickets: [ticket(0, 0, 1)], matches: [match(2)] })
      expect(await one.queuedOf(playerOf(1))).toEqual(ticket(0, 0, 1))
      expect(await one.queuedOf(playerOf(2))).toEqual(match(2))
    })
  })
}
