import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rulesOf } from '../../test/game-at.ts'
import { bySeat, END_REASONS, type EndReason, PRESET_NAMES, SEATS, type Seat } from '../index.ts'
import type { RuleOptions } from './rule-set.ts'
import {
  type Finished,
  hasEscaped,
  isScored,
  type Outcome,
  outcomeOf,
  scoreChanges,
} from './score.ts'
import { TITLES, titleOf } from './title.ts'

/** A text such as `south north` is two seats. */
const seatsOf = (text: string): readonly Seat[] => SEATS.filter((seat) => text.includes(seat))
/** `1 -1` by seat in the order of the game's seats, as the answers are read. */
const inOrder = (game: Finished, changes: Partial<Record<Seat, number>>): string =>
  game.ruleSet.seats.map((seat) => changes[seat]).join(' ')

interface End {
  readonly preset: string
  readonly options?: RuleOptions
  /** Empty: nobody. */
  readonly winners: string
  readonly reason?: EndReason
  readonly moves?: number
  readonly left?: string
  /** In the order of the seats. */
  readonly scores?: string
}

function finished(end: End): Finished {
  const { preset, options, winners, reason = 'flagCaptured', moves = 40, left = '' } = end
  const ruleSet = rulesOf(preset, options)
  const gone = seatsOf(left)
  const seats = bySeat((seat) => {
    const status = { timeouts: 0, turns: 0, offeredAt: null }
    const out = gone.includes(seat) ? 'left' : null
    return ruleSet.seats.includes(seat) ? ({ ...status, out } as const) : null
  })
  return { ruleSet, seats, moves, result: { winners: seatsOf(winners), reason } }
}

function changes(end: End): string {
  const game = finished(end)
  const scores = (end.scores ?? '').split(' ')
  const before = Object.fromEntries(
    game.ruleSet.seats.map((seat, n) => [seat, Number(scores[n] ?? 0)]),
  )
  return inOrder(game, scoreChanges(game, before))
}

// Changes in the order south, east, north, west.
test.each<[string, End, string]>([
  ['R-SCORE-1: siguo', { preset: 'siguo', winners: 'south north' }, '2 -2 2 -2'],
  ['R-SCORE-1: siguo, the others', { preset: 'siguo', winners: 'east west' }, '-2 2 -2 2'],
  ['R-SCORE-1: table rules', { preset: 'siguo-table', winners: 'east west' }, '-2 2 -2 2'],
  ['R-SCORE-1: two players', { preset: 'duel', winners: 'north' }, '-1 1'],
  ['R-SCORE-1: the flip game', { preset: 'flip', winners: 'south' }, '1 -1'],
  ['R-SCORE-1: two on the big board', { preset: 'siguo-duel', winners: 'south' }, '1 -1'],
  ['R-SCORE-1: three alone', { preset: 'sanguo', winners: 'east' }, '-1 2 -1'],
  ['R-SCORE-1: four alone', { preset: 'siguo-free', winners: 'west' }, '-1 -1 -1 2'],
  ['R-SCORE-1: a draw', { preset: 'siguo', winners: '', reason: 'agreed' }, '0 0 0 0'],
  ['R-SCORE-1: a draw of two', { preset: 'duel', winners: '', reason: 'quietMoves' }, '0 0'],
  [
    'R-SCORE-2: four seats, 39 moves',
    { preset: 'siguo', winners: 'east west', moves: 39 },
    '-2 0 -2 0',
  ],
  ['R-SCORE-2: four alone, 39', { preset: 'siguo-free', winners: 'west', moves: 39 }, '-1 -1 -1 0'],
  ['R-SCORE-2: three seats, 39 moves', { preset: 'sanguo', winners: 'east', moves: 39 }, '-1 0 -1'],
  ['R-SCORE-2: three seats, 40 moves', { preset: 'sanguo', winners: 'east', moves: 40 }, '-1 2 -1'],
  ['R-SCORE-2: two seats, 29 moves', { preset: 'duel', winners: 'north', moves: 29 }, '-1 0'],
  ['R-SCORE-2: two seats, 30 moves', { preset: 'duel', winners: 'north', moves: 30 }, '-1 1'],
  [
    'R-SCORE-2: two on the big board, 30',
    { preset: 'siguo-duel', winners: 'north', moves: 30 },
    '-1 1',
  ],
  [
    'R-SCORE-2: a seat that left never gains, its ally does',
    { preset: 'siguo-table', winners: 'south north', left: 'north' },
    '2 -2 0 -2',
  ],
  [
    'R-SCORE-2: a seat that left loses like any other',
    { preset: 'siguo-table', winners: 'south north', left: 'east' },
    '2 -2 2 -2',
  ],
  [
    'R-SCORE-2: out by leaving, of two',
    { preset: 'duel', winners: 'south', left: 'north' },
    '1 -1',
  ],
  [
    'R-SCORE-3: above 50, an opponent below',
    { preset: 'duel', winners: 'south', scores: '51 49' },
    '0 -1',
  ],
  [
    'R-SCORE-3: above 50, the opponent at it',
    { preset: 'duel', winners: 'south', scores: '51 50' },
    '1 -1',
  ],
  ['R-SCORE-3: at 50', { preset: 'duel', winners: 'south', scores: '50 0' }, '1 -1'],
  [
    'R-SCORE-3: below, against one above',
    { preset: 'duel', winners: 'south', scores: '0 90' },
    '1 -1',
  ],
  ['R-SCORE-3: losses stand', { preset: 'duel', winners: 'north', scores: '90 0' }, '-1 1'],
  [
    'R-SCORE-3: one opponent of two is enough, and allies are no opponents',
    { preset: 'siguo', winners: 'south north', scores: '60 70 40 49' },
    '0 -2 2 -2',
  ],
  [
    'R-SCORE-3: an ally below does not matter',
    { preset: 'siguo', winners: 'south north', scores: '60 70 0 80' },
    '2 -2 2 -2',
  ],
  [
    'R-SCORE-3: off where scoreFloor is null',
    { preset: 'siguo-table', winners: 'south north', scores: '60 0 0 0' },
    '2 -2 2 -2',
  ],
  [
    'R-SCORE-3: four alone',
    { preset: 'siguo-free', winners: 'west', scores: '60 60 49 60' },
    '-1 -1 -1 0',
  ],
  [
    'R-SCORE-4: ended by leaving',
    { preset: 'siguo', winners: '', reason: 'left', left: 'east' },
    '0 0 0 0',
  ],
])('%s', (_, end, expected) => {
  expect(changes(end)).toBe(expected)
})

test('R-SCORE-1: with nobody held back, allies and two share what there is; each alone, two are not enough', () => {
  const end = fc.record({
    preset: fc.constantFrom(...PRESET_NAMES),
    isDraw: fc.boolean(),
    pick: fc.nat(),
    moves: fc.integer({ min: 0, max: 80 }),
    left: fc.subarray([...SEATS]),
    scores: fc.array(fc.integer({ min: 40, max: 60 }), { minLength: 4, maxLength: 4 }),
  })
  fc.assert(
    fc.property(end, ({ preset, isDraw, pick, moves, left, scores }) => {
      const { alliances, seats } = rulesOf(preset)
      const winners = isDraw ? [] : (alliances[pick % alliances.length] ?? [])
      const game = finished({
        preset,
        winners: winners.join(' '),
        reason: isDraw ? 'agreed' : 'flagCaptured',
        moves,
        left: left.join(' '),
      })
      const before = Object.fromEntries(SEATS.map((seat, n) => [seat, scores[n] ?? 0]))
      const after = scoreChanges(game, before)
      const sum = seats.reduce((total, seat) => total + (after[seat] ?? 0), 0)
      const most = alliances.length > 3 ? -1 : 0
      expect(Object.keys(after)).toEqual(SEATS.filter((seat) => seats.includes(seat)))
      expect(sum).toBeLessThanOrEqual(isDraw ? 0 : most)
      for (const seat of seats) {
        const change = after[seat] ?? 0
        if (isDraw) expect(change).toBe(0)
        else if (winners.includes(seat)) expect(change).toBeGreaterThanOrEqual(0)
        else expect(change).toBeLessThan(0)
        if (hasEscaped(game, seat)) expect(change).toBeLessThanOrEqual(0)
      }
    }),
  )
})

const NOBODY = { hasBot: false }

test.each<[string, string, RuleOptions, boolean]>([
  ['R-SCORE-5: a preset as it is', 'siguo', {}, true],
  [
    'R-SCORE-5: clocks may differ',
    'siguo',
    { turnSeconds: 60, bankSeconds: 600, deploymentSeconds: 60 },
    true,
  ],
  [
    'R-SCORE-5: what is set to what it is anyway',
    'duel',
    { landmine: 'stands', scoreFloor: 50 },
    true,
  ],
  ['R-SCORE-5: any other field may not', 'siguo', { landmine: 'mutual' }, false],
  ['R-SCORE-5: nor what a turn not made leads to', 'siguo', { timeoutForfeit: 6 }, false],
  ['R-SCORE-5: nor who begins', 'duel', { firstSeat: 'south' }, false],
  ['R-SCORE-5: nor the floor', 'duel', { scoreFloor: null }, false],
  ['R-SCORE-5: nor the way to leave', 'siguo', { leaving: 'forfeit' }, false],
  ['R-SCORE-5: nor how colours are given', 'flip', { flipColour: 'first' }, false],
  ['R-SCORE-5: nor scoring itself', 'duel', { scoring: 'none' }, false],
] as const)('%s', (_, preset, options, expected) => {
  const name = PRESET_NAMES.find((known) => known === preset) ?? 'siguo'
  expect(isScored({ preset: name, ruleSet: rulesOf(preset, options), ...NOBODY })).toBe(expected)
})

test.each(PRESET_NAMES)('R-SCORE-5: %s is scored', (preset) => {
  expect(isScored({ preset, ruleSet: rulesOf(preset), ...NOBODY })).toBe(true)
})

test('R-SCORE-7: no game with a bot is scored', () => {
  expect(isScored({ preset: 'duel', ruleSet: rulesOf('duel'), hasBot: true })).toBe(false)
})

describe('R-OUT-7: how a game ended for a seat', () => {
  test.each<[string, End, string, Outcome, boolean]>([
    [
      'R-OUT-7: endsGame, the leaver',
      { preset: 'siguo', winners: '', reason: 'left', left: 'east' },
      'east',
      'void',
      true,
    ],
    [
      'R-OUT-7: endsGame, its ally',
      { preset: 'siguo', winners: '', reason: 'left', left: 'east' },
      'west',
      'void',
      false,
    ],
    [
      'R-OUT-7: endsGame, an opponent',
      { preset: 'siguo', winners: '', reason: 'left', left: 'east' },
      'south',
      'void',
      false,
    ],
    [
      'R-OUT-7: endsGame, without an ally in',
      { preset: 'duel', winners: 'south', reason: 'left', left: 'north' },
      'north',
      'lost',
      true,
    ],
    [
      'R-OUT-7: forfeit, its side lost',
      { preset: 'siguo-table', winners: 'south north', left: 'east' },
      'east',
      'lost',
      true,
    ],
    [
      'R-OUT-7: forfeit, its side won',
      { preset: 'siguo-table', winners: 'east west', left: 'east' },
      'east',
      'won',
      true,
    ],
    [
      'R-OUT-7: forfeit, each alone',
      { preset: 'sanguo', winners: 'south', left: 'east' },
      'east',
      'lost',
      true,
    ],
    [
      'R-OUT-7: forfeit, then a draw',
      { preset: 'siguo-table', winners: '', reason: 'agreed', left: 'east' },
      'east',
      'drawn',
      true,
    ],
    [
      'R-OUT-7: who stayed has not escaped',
      { preset: 'duel', winners: 'south', reason: 'timeouts' },
      'north',
      'lost',
      false,
    ],
  ])('%s', (_, end, seat, outcome, escaped) => {
    const game = finished(end)
    const [it] = seatsOf(seat)
    expect(it && outcomeOf(game, it)).toBe(outcome)
    expect(it && hasEscaped(game, it)).toBe(escaped)
  })

  test.each(END_REASONS)('R-OUT-7: with winners, the reason %s makes nothing void', (reason) => {
    expect(outcomeOf(finished({ preset: 'duel', winners: 'south', reason }), 'north')).toBe('lost')
  })

  test('a game that goes on has not ended for anybody', () => {
    expect(outcomeOf({ result: null }, 'south')).toBeNull()
  })
})

// R-SCORE-6: from, and the title below.
test.each(TITLES.slice(1).map(({ from, title }, n) => [from, title, TITLES[n]?.title] as const))(
  'R-SCORE-6: from %i on %s, below it %s',
  (from, title, below) => {
    expect([titleOf(from - 1), titleOf(from)]).toEqual([below, title])
  },
)

test('R-SCORE-6: the titles of QQ, in order', () => {
  expect(
    TITLES.slice(1)
      .map(({ chinese, from }) => `${chinese} ${from}`)
      .join(', '),
  ).toBe(
    '副班长 10, 正班长 20, 副排长 30, 排长 50, 副连长 100, 连长 150, 副营长 220, 营长 350, 副团长 500, 团长 750, 副旅长 1000, 旅长 1550, 副师长 2150, 师长 3150, 副军长 5000, 军长 6350, 司令 12750',
  )
})

test('R-SCORE-6: who has lost more than it won is a soldier', () => {
  expect([titleOf(-400), titleOf(0), titleOf(9)]).toEqual(['soldier', 'soldier', 'soldier'])
})
