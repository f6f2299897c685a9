import { describe, expect, test } from 'vitest'
import { flipAt } from '../../test/flip-at.ts'
import { pieceAt, play } from '../../test/game-at.ts'
import type { RuleOptions } from './rule-set.ts'

/** Who goes out by an action, and how the game ends. */
function endOf(
  drawing: string,
  action: string,
  { under = '', options = {} }: { under?: string; options?: RuleOptions } = {},
): string {
  const { state, events } = play(flipAt(drawing, { under, options }), action)
  const out = events.flatMap((event) =>
    event.type === 'seatEliminated' ? [`${event.seat} ${event.reason}`] : [],
  )
  const { winners = [], reason = 'goes on' } = state.result ?? {}
  return [...out, `${reason} ${winners.join(' ')}`.trim()].join('; ')
}

describe('R-FLIP-9: a side that cannot go on', () => {
  test.each<[string, string, string, string, string]>([
    [
      'R-FLIP-9: all officers and bombs gone',
      '12 [] bF [] {} []\n7 [] [] b3 [] bL\n6 [] [] r4 [] []',
      'c6-c7',
      '',
      'north noMoves; noMoves south',
    ],
    [
      'R-FLIP-9: although it could still flip',
      '12 [] bF [] {} []\n7 @? [] b3 [] bL\n6 [] [] r4 [] []',
      'c6-c7',
      'rL',
      'north noMoves; noMoves south',
    ],
    [
      'R-FLIP-9: a face-down officer counts',
      '12 [] bF [] {} []\n7 @? [] b3 [] bL\n6 [] [] r4 [] []',
      'c6-c7',
      'b2',
      'goes on',
    ],
    [
      'R-FLIP-9: a face-down bomb counts',
      '12 [] bF [] {} []\n7 @? [] b3 [] bL\n6 [] [] r4 [] []',
      'c6-c7',
      'bB',
      'goes on',
    ],
    [
      'R-FLIP-9, R-END-1: both at once: a draw',
      '12 [] bF [] {} []\n7 [] [] b3 [] bL\n6 [] [] r3 [] rF',
      'c6-c7',
      '',
      'south noMoves; north noMoves; noMoves',
    ],
    [
      'R-FLIP-9: no legal action, though it has officers',
      '12 b2 bL bL {} []\n11 b3 bL [] [] []\n10 [] () bL () []\n9 [] r4 () [] []',
      'b9-b10',
      '',
      'goes on',
    ],
  ])('%s', (_, drawing, action, under, expected) => {
    expect(endOf(drawing, action, { under })).toBe(expected)
  })

  test('R-FLIP-9: who has neither a move nor anything to turn up is out', () => {
    // The lieutenant in the corner is walled in by its own landmines once the captain stands on a11.
    const walled = '12 b2 bL [] {} []\n11 [] r4 [] [] []\n10 r3 () [] () []'
    expect(endOf(walled, 'a10-a11', {})).toBe('goes on')
    const wall = '12 b2 bL [] {} []\n11 bL r4 [] [] []\n10 r3 () [] () []'
    expect(endOf(wall, 'a10-a9')).toBe('north noMoves; noMoves south')
    const chance = `${wall}\n2 @? [] [] [] []`
    expect(endOf(chance, 'a10-a9', { under: 'r2' })).toBe('goes on')
  })

  test('R-OUT-2, R-FLIP-1: who is out loses what lies open; what lies face down is nobody’s, and stays', () => {
    const drawing = '12 [] bF [] {} b9\n7 @? [] b3 [] bL\n6 [] [] r4 [] []'
    const { state } = play(flipAt(drawing, { under: 'b2' }), 'resign south')
    expect(pieceAt(state, 'c6')).toBe(null)
    expect(pieceAt(state, 'a7')?.kind).toBe('lieutenant')
    expect(pieceAt(state, 'c7')?.kind).toBe('captain')
  })
})

describe('R-FLIP-9: otherwise R-OUT, R-TURN and R-END apply', () => {
  const drawing = '12 [] bF [] {} b9\n7 @? [] b3 [] bL\n6 [] [] r4 [] []'

  test.each<[string, string, RuleOptions, string]>([
    [
      'R-OUT-5: a seat resigns from the first turn on',
      'resign south',
      {},
      'south resigned; resigned north',
    ],
    ['R-OUT-7: it leaves', 'leave north', {}, 'north left; left south'],
    [
      'R-OUT-4: or times out',
      'timeout south',
      { timeoutForfeit: 1 },
      'south timeouts; timeouts north',
    ],
    ['R-END-4: maxMoves counts flips', 'flip a7', { maxMoves: 1 }, 'maxMoves'],
    ['R-END-3: quietMoveLimit counts moves', 'c6-b6', { quietMoveLimit: 1 }, 'quietMoves'],
    ['R-END-3: and no flips', 'flip a7', { quietMoveLimit: 1 }, 'goes on'],
    ['R-END-5: draw agreed', 'draw agreed', {}, 'agreed'],
  ])('%s', (_, action, options, expected) => {
    expect(endOf(drawing, action, { options, under: 'r2' })).toBe(expected)
  })

  test('R-OUT-1: before the colours are known a seat can go out as well', () => {
    const open = flipAt('7 @? @? [] [] []', { under: 'r2 b2', colours: 'open' })
    expect(play(open, 'leave south').state.result).toEqual({ winners: ['north'], reason: 'left' })
    expect(play(open, 'resign south').state.result?.winners).toEqual(['north'])
  })
})
