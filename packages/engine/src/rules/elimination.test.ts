import { describe, expect, test } from 'vitest'
import { gameOf, pieceAt, play, refusal, rulesOf, startedGame } from '../../test/game-at.ts'
import type { GameEvent } from '../event.ts'
import type { GameResult } from '../state.ts'
import type { RuleOptions } from './rule-set.ts'

const out = (seat: string, reason: string) => ({ type: 'seatEliminated', seat, reason })
const outs = (events: readonly GameEvent[]) =>
  events.filter((event) => event.type === 'seatEliminated')
const end = (events: readonly GameEvent[]) => events.find((event) => event.type === 'gameEnded')

/** Four armies that can all move. */
const FOUR = 'S 5g5 Fh1 / E 5l7 Fq8 / N 5k13 Fj17 / W 5f11 Fa10'

describe('R-OUT-1: a seat goes out', () => {
  test.each([
    ['R-OUT-1: when its flag is captured', 'h2-h1', 'flagCaptured'],
    ['R-OUT-1: when a bomb takes its flag', 'i1-h1', 'flagCaptured'],
    ['R-OUT-1: when it has no legal move', 'g2-g1', 'noMoves'],
    ['R-OUT-1: when it leaves', 'leave south', 'left'],
  ])('%s', (_, action, reason) => {
    const armies = 'S 2g1 Lg3 Fh1 / E 5h2 Bi1 9g2 5l7 Fq8 / N 5k13 Fj17 / W 5f11 Fa10'
    const start = gameOf(rulesOf('siguo-free'), 'east', armies)
    const { state, events } = play(start, action)
    expect(outs(events)).toEqual([out('south', reason)])
    expect(state.seats.south?.out).toBe(reason)
  })

  test.each([
    ['R-OUT-1: when it resigns', 'resign south', 'resigned'],
    ['R-OUT-1: when it has timed out too often', 'timeout south', 'timeouts'],
  ])('%s', (_, action, reason) => {
    const rules = rulesOf('siguo-free', { timeoutForfeit: 1, resignFromMove: 0 })
    expect(outs(play(gameOf(rules, 'south', FOUR), action).events)).toEqual([out('south', reason)])
  })
})

test('R-OUT-2: the whole army of a seat that is out goes off the board', () => {
  const { state } = play(gameOf(rulesOf('siguo-free'), 'south', FOUR), 'leave east')
  expect(state.pieces.some((piece) => piece?.seat === 'east')).toBe(false)
  expect(pieceAt(state, 'g5')?.seat).toBe('south')
})

describe('R-OUT-3: no legal move', () => {
  test('R-OUT-3: is checked for every seat, not only the one to move', () => {
    const start = gameOf(
      rulesOf('siguo-free'),
      'south',
      'S 5g5 Fh1 / E 5l7 Fq8 / N 2g9 Fj17 / W 5f11 Fa10',
    )
    const { state, events } = play(start, 'g5-g9')
    expect(outs(events)).toEqual([out('north', 'noMoves')])
    expect(state.toMove).toBe('east')
  })

  test('R-OUT-3: those that have none go out together, in seat order', () => {
    const start = gameOf(
      rulesOf('siguo-free'),
      'east',
      'S Fh1 3g6 / E 3l7 Fq8 / N 9j17 Fh17 / W 5f11 Fa10',
    )
    const { state, events } = play(
      { ...start, pieces: start.pieces.map((piece) => (piece?.id === 'south:g6' ? null : piece)) },
      'l7-l8',
    )
    expect(outs(events)).toEqual([out('south', 'noMoves'), out('north', 'noMoves')])
    expect(state.result).toBe(null)
  })

  test('R-OUT-3: an emptied board is checked again', () => {
    const start = gameOf(
      rulesOf('siguo-free'),
      'south',
      'S 3g5 Fh1 / E Lp7 1p8 Fq8 / N 3k13 Fj17 / W 3g3 La10 Fa8',
    )
    const west = play(start, 'g5-g3')
    expect(outs(west.events)).toEqual([out('south', 'noMoves'), out('west', 'noMoves')])
  })

  test('R-OUT-3: a winner is never put out', () => {
    const start = gameOf(rulesOf('duel'), 'south', 'S 3b11 Fd1 / N 3e11 Fb12')
    const { state, events } = play(start, 'b11-b12')
    expect(outs(events)).toEqual([out('north', 'flagCaptured')])
    expect(state.result).toEqual({ winners: ['south'], reason: 'flagCaptured' })
  })

  test('R-OUT-3: both stuck at once is a draw, for the round takes all', () => {
    const start = gameOf(rulesOf('duel'), 'south', 'S 3a6 Fd1 / N 3a7 Fb12')
    const { state, events } = play(start, 'a6-a7')
    expect(outs(events)).toEqual([out('south', 'noMoves'), out('north', 'noMoves')])
    expect(state.result).toEqual({ winners: [], reason: 'noMoves' })
  })

  test('R-OUT-3: a game that ended by leaving has no round of eliminations', () => {
    const start = gameOf(rulesOf('siguo'), 'south', 'S 3g5 Fh1 / E Fq8 / N 3g13 Fh17 / W Fa8')
    const { events } = play(start, 'leave north')
    expect(events).toEqual([
      out('north', 'left'),
      { type: 'gameEnded', winners: [], reason: 'left' },
    ])
  })
})

describe('R-OUT-4: a turn that was not made', () => {
  test('R-OUT-4: is skipped and counts as a timeout of that seat', () => {
    const { state, events } = play(startedGame(rulesOf('siguo')), 'timeout south')
    expect(events).toEqual([{ type: 'turnSkipped', seat: 'south' }])
    expect(state.seats.south).toEqual({ out: null, timeouts: 1, turns: 1, offeredAt: null })
    expect([state.toMove, state.turn, state.moves]).toEqual(['east', 1, 0])
  })

  test('R-OUT-4: puts the seat out at timeoutForfeit, though not in a row', () => {
    const rules = rulesOf('duel', { timeoutForfeit: 2 })
    const { events } = play(
      startedGame(rules),
      'timeout south',
      'a7-b8',
      'a6-b5',
      'b8-a7',
      'timeout south',
    )
    expect(events.slice(-3)).toEqual([
      { type: 'turnSkipped', seat: 'south' },
      out('south', 'timeouts'),
      { type: 'gameEnded', winners: ['north'], reason: 'timeouts' },
    ])
  })

  test('R-OUT-4: never, when timeoutForfeit is null', () => {
    const rules = rulesOf('duel', { timeoutForfeit: null })
    const start = startedGame(rules)
    const skips = ['timeout south', 'timeout north', 'timeout south', 'timeout north']
    expect(outs(play(start, ...skips, 'timeout south').events)).toEqual([])
  })

  test('R-OUT-4: happens only to the seat to move', () => {
    expect(refusal(startedGame(rulesOf('duel')), 'timeout north')).toBe('not_your_turn')
  })
})

describe('R-OUT-5: resigning', () => {
  test('R-OUT-5: only in its own turn', () => {
    const state = { ...startedGame(rulesOf('duel')), moves: 20 }
    expect(refusal(state, 'resign north')).toBe('not_your_turn')
    expect(refusal(state, 'resign south')).toBe(null)
  })

  test('R-OUT-5: not before resignFromMove moves were made', () => {
    expect(refusal({ ...startedGame(rulesOf('duel')), moves: 19 }, 'resign south')).toBe(
      'resign_too_early',
    )
    expect(refusal(startedGame(rulesOf('duel', { resignFromMove: 0 })), 'resign south')).toBe(null)
  })
})

describe('R-OUT-7: leaving', () => {
  test('R-OUT-7: endsGame, an ally still in: no winners', () => {
    const { state } = play(startedGame(rulesOf('siguo')), 'leave west')
    expect(state.result).toEqual({ winners: [], reason: 'left' })
    expect(state.seats.west?.out).toBe('left')
  })

  test('R-OUT-7: endsGame, no ally still in: the leaver is merely out', () => {
    const rules = rulesOf('siguo', { resignFromMove: 0 })
    const { state } = play(startedGame(rules), 'resign south', 'leave north')
    expect(state.result).toEqual({ winners: ['east', 'west'], reason: 'left' })
    const duel = play(startedGame(rulesOf('duel')), 'leave north')
    expect(end(duel.events)).toEqual({ type: 'gameEnded', winners: ['south'], reason: 'left' })
  })

  test.each<[string, string, RuleOptions, readonly string[], GameResult | null]>([
    [
      'endsGame, each alone: nobody has an ally',
      'siguo-free',
      { leaving: 'endsGame' },
      ['east'],
      null,
    ],
    [
      'endsGame, an ally that is out',
      'siguo',
      {},
      ['south', 'north'],
      { winners: [], reason: 'left' },
    ],
    ['forfeit, one of a side', 'siguo-table', {}, ['west'], null],
    ['forfeit, one of each side', 'siguo-table', {}, ['west', 'north'], null],
    [
      'forfeit, both of a side',
      'siguo-table',
      {},
      ['west', 'east'],
      { winners: ['south', 'north'], reason: 'left' },
    ],
    [
      'forfeit, all but one who is alone',
      'sanguo',
      {},
      ['west', 'east'],
      { winners: ['south'], reason: 'left' },
    ],
    [
      'forfeit, of two',
      'duel',
      { leaving: 'forfeit' },
      ['south'],
      { winners: ['north'], reason: 'left' },
    ],
  ])('R-OUT-7: %s', (_, preset, options, leavers, result) => {
    const rules = rulesOf(preset, options)
    let { state } = play(startedGame(rules))
    for (const leaver of leavers)
      if (state.result === null) state = play(state, `leave ${leaver}`).state
    expect(state.result).toEqual(result)
  })

  test('R-OUT-7: forfeit, the others play on, and the turn does not move', () => {
    const { state } = play(startedGame(rulesOf('siguo-table')), 'leave west')
    expect([state.result, state.toMove, state.turn]).toEqual([null, 'south', 0])
  })

  test('R-OUT-7: a seat that is out cannot leave the game again', () => {
    const { state } = play(startedGame(rulesOf('siguo-table')), 'leave west')
    expect(refusal(state, 'leave west')).toBe('seat_out')
    expect(refusal(state, 'offer west')).toBe('seat_out')
    expect(refusal(startedGame(rulesOf('duel')), 'leave west')).toBe('seat_out')
  })
})
