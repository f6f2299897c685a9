import { PRESETS, type Seat } from '@junqi/engine'
import { type CommandId, playerId } from '@junqi/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchTickets, PATIENCE_MS, ratingOf, type Table, windowAfter } from './matching.ts'
import type { Ticket } from './ticket.ts'

const NOW = 1_000_000
const DIGITS = '0123456789'

type Wish = Partial<Omit<Ticket, 'seekers'>> & {
  readonly ratings?: readonly number[]
  readonly waited?: number
}

function ticket(n: number, { ratings = [1500], waited = 0, ...wish }: Wish = {}): Ticket {
  const id = `t${String(n).padStart(7, '0')}`
  const seekers = ratings.map((rating, place) => ({
    player: { id: playerId.parse(`${String(n).padStart(11, '0')}${DIGITS[place]}`), name: 'Ann' },
    rating,
    command: 'c1' as CommandId,
  }))
  const since = NOW - waited
  return {
    id,
    preset: 'siguo',
    rated: true,
    isInviting: false,
    bots: null,
    ...wish,
    seekers,
    since,
  }
}

const matched = (tickets: readonly Ticket[]): readonly Table[] =>
  matchTickets(tickets, NOW, (preset) => PRESETS[preset])

/** The tables as the numbers of their tickets, the oldest first. */
const numbers = (tables: readonly Table[]): readonly (readonly number[])[] =>
  tables.map(({ tickets }) => tickets.map(({ id }) => Number(id.slice(1))))

const seatsOf = ({ seats, bots }: Table): readonly Seat[] => [
  ...seats.map(({ seat }) => seat),
  ...(bots?.seats ?? []),
]

const rulesOf = (table: Table) => PRESETS[table.tickets[0]?.preset ?? 'duel']

const spread = ({ tickets }: Table): number => {
  const ratings = tickets.map(ratingOf)
  return Math.max(...ratings) - Math.min(...ratings)
}

describe('a table of people', () => {
  test('four single players fill one, the strongest and the weakest as allies', () => {
    const [table] = matched([1540, 1500, 1520, 1480].map((r, n) => ticket(n, { ratings: [r] })))
    const ratings = Object.fromEntries(
      (table?.seats ?? []).map(({ seat, seeker }) => [seat, seeker.rating]),
    )
    expect(ratings).toEqual({ south: 1540, north: 1480, east: 1520, west: 1500 })
  })

  test('three do not fill a table of four, and two of different presets none', () => {
    expect(matched([0, 1, 2].map((n) => ticket(n)))).toEqual([])
    expect(matched([ticket(0, { preset: 'duel' }), ticket(1, { preset: 'duel-open' })])).toEqual([])
  })

  test('who wants a rated game and who wants none do not meet', () => {
    const duel = { preset: 'duel' } as const
    expect(matched([ticket(0, duel), ticket(1, { ...duel, rated: false })])).toEqual([])
  })

  test.each([
    ['a pair with two single players', [2, 1, 1]],
    ['two pairs', [2, 2]],
    ['a single player with one, a pair between', [1, 2, 1]],
    ['two single players first', [1, 1, 2]],
  ])('%s fill one, allies opposite each other', (_, sizes) => {
    const tickets = sizes.map((size, n) => ticket(n, { ratings: Array(size).fill(1500) }))
    const [table] = matched(tickets)
    expect(table?.tickets).toHaveLength(sizes.length)
    expectAllies(table as Table)
  })

  test('an inviting player waits for the partner', () => {
    const duo = [ticket(0, { ratings: [1500, 1500] }), ticket(1)]
    expect(matched([...duo, ticket(2, { isInviting: true })])).toEqual([])
  })

  test('the oldest is served first, with the nearest', () => {
    const tickets = [1500, 1400, 1510, 1690].map((rating, n) =>
      ticket(n, { preset: 'duel', ratings: [rating], waited: 10 - n }),
    )
    expect(numbers(matched(tickets))).toEqual([[0, 2]])
  })

  test('ratings too far apart do not meet at first, and do later', () => {
    const apart = (waited: number) =>
      matched([
        ticket(0, { preset: 'duel', ratings: [1500], waited }),
        ticket(1, { preset: 'duel', ratings: [1900], waited }),
      ])
    expect(numbers(apart(9_999))).toEqual([])
    expect(numbers(apart(10_000))).toEqual([[0, 1]])
  })

  test('who has waited long enough takes whoever there is', () => {
    const tickets = [
      ticket(0, { preset: 'duel', ratings: [4000], waited: PATIENCE_MS }),
      ticket(1, { preset: 'duel', ratings: [100] }),
    ]
    expect(numbers(matched(tickets))).toEqual([[0, 1]])
  })
})

describe('a table with bots', () => {
  const bots = { afterMs: 5_000, level: 'normal' } as const

  test('is filled for one alone when its time has come, not before', () => {
    expect(matched([ticket(0, { bots, waited: 4_999 })])).toEqual([])
    const [table] = matched([ticket(0, { bots, waited: 5_000 })])
    expect(table?.bots).toEqual({ seats: ['east', 'west', 'north'], level: 'normal' })
  })

  test('has nobody who wants none, and nobody who still waits for people', () => {
    const tickets = [
      ticket(0, { bots, waited: 6_000 }),
      ticket(1, { waited: 6_000 }),
      ticket(2, { bots: { afterMs: 60_000, level: 'easy' }, waited: 6_000 }),
      ticket(3, { bots, waited: 5_500 }),
    ]
    // All four make a table of people; without the last one the first is left with bots.
    expect(numbers(matched(tickets))).toEqual([[0, 1, 2, 3]])
    expect(numbers(matched(tickets.slice(0, 3)))).toEqual([[0]])
    const [table] = matched([tickets[0], tickets[1], tickets[3]] as Ticket[])
    expect(numbers([table as Table])).toEqual([[0, 3]])
    expect(table?.bots?.seats).toHaveLength(2)
  })

  test('has a pair as allies against two', () => {
    const [table] = matched([ticket(0, { bots, waited: 6_000, ratings: [1500, 1500] })])
    expect(table?.bots?.seats).toEqual(['east', 'west'])
  })

  test('is filled only when there are not enough people', () => {
    const tickets = [0, 1].map((n) => ticket(n, { preset: 'duel', bots, waited: 9_000 }))
    expect(matched(tickets).map((table) => table.bots)).toEqual([null])
  })
})

function expectAllies(table: Table): void {
  const { alliances } = rulesOf(table)
  for (const { seekers } of table.tickets.filter(({ seekers }) => seekers.length === 2)) {
    const seats = seekers.map(
      (seeker) => table.seats.find((taken) => taken.seeker === seeker)?.seat ?? 'nowhere',
    )
    expect(
      alliances.some((alliance) => seats.every((seat) => alliance.includes(seat as Seat))),
    ).toBe(true)
  }
}

const wishes: fc.Arbitrary<Wish> = fc
  .record({
    preset: fc.constantFrom('duel', 'siguo', 'sanguo', 'siguo-free' as const),
    rated: fc.boolean(),
    rating: fc.integer({ min: 0, max: 3000 }),
    isPair: fc.boolean(),
    isInviting: fc.boolean(),
    waited: fc.integer({ min: 0, max: 90_000 }),
    bots: fc.option(
      fc.record({
        afterMs: fc.integer({ min: 0, max: 90_000 }),
        level: fc.constantFrom('easy', 'normal', 'hard' as const),
      }),
    ),
  })
  .map(({ rating, isPair, ...wish }) => {
    const isTwo = isPair && wish.preset === 'siguo'
    return {
      ...wish,
      isInviting: wish.isInviting && !isTwo,
      ratings: isTwo ? [rating, rating] : [rating],
    }
  })

const queues = fc
  .array(wishes, { maxLength: 60 })
  .map((all) => all.map((wish, n) => ticket(n, wish)))

describe('whoever waits', () => {
  test('nobody is at two tables, every table is full, and has what all who sit there asked for', () => {
    fc.assert(
      fc.property(queues, (tickets) => {
        const tables = matched(tickets)
        const taken = tables.flatMap((table) => table.tickets)
        expect(new Set(taken).size).toBe(taken.length)
        for (const table of tables) {
          const { seats } = rulesOf(table)
          expect([...seatsOf(table)].sort()).toEqual([...seats].sort())
          const seekers = table.tickets.flatMap((each) => each.seekers)
          expect(new Set(table.seats.map(({ seeker }) => seeker))).toEqual(new Set(seekers))
          expect(table.seats).toHaveLength(seekers.length)
          expect(new Set(table.tickets.map(({ preset, rated }) => `${preset} ${rated}`)).size).toBe(
            1,
          )
          expect(table.tickets.some(({ isInviting }) => isInviting)).toBe(false)
          expectAllies(table)
          if (table.bots === null) continue
          for (const { bots, since } of table.tickets) {
            expect(NOW - since).toBeGreaterThanOrEqual(bots?.afterMs ?? Number.POSITIVE_INFINITY)
          }
        }
      }),
    )
  })

  test('windows are kept, but for the table of who waited long enough', () => {
    fc.assert(
      fc.property(queues, (tickets) => {
        for (const table of matched(tickets)) {
          const [oldest] = table.tickets
          if (oldest !== undefined && NOW - oldest.since >= PATIENCE_MS) continue
          const windows = table.tickets.map(({ since }) => windowAfter(NOW - since))
          expect(spread(table)).toBeLessThanOrEqual(Math.min(...windows))
        }
      }),
    )
  })

  test('nobody starves: after long enough fewer are left of a queue than a table has seats', () => {
    fc.assert(
      fc.property(queues, (tickets) => {
        const old = tickets
          .filter(({ isInviting }) => !isInviting)
          .map((each, n) => ({ ...each, since: NOW - PATIENCE_MS - n }))
        const served = new Set(matched(old).flatMap((table) => table.tickets))
        const left = old.filter((each) => !served.has(each))
        for (const { preset, rated } of left) {
          const queue = left.filter((each) => each.preset === preset && each.rated === rated)
          const players = queue.flatMap(({ seekers }) => seekers).length
          expect(players).toBeLessThan(PRESETS[preset].seats.length)
        }
      }),
    )
  })

  test('the order in which the tickets are read does not matter', () => {
    fc.assert(
      fc.property(queues, fc.infiniteStream(fc.nat()), (tickets, keys) => {
        const shuffled = tickets
          .map((each) => ({ each, key: keys.next().value ?? 0 }))
          .sort((one, other) => one.key - other.key)
          .map(({ each }) => each)
        const sorted = (tables: readonly Table[]) => numbers(tables).map(String).sort()
        expect(sorted(matched(shuffled))).toEqual(sorted(matched(tickets)))
      }),
    )
  })
})
