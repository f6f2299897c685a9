import { describe, expect, test } from 'vitest'
import { gameOf, refusal, rulesOf } from '../../test/game-at.ts'
import type { GameState } from '../state.ts'
import { legalMoves } from './legal-moves.ts'

/** Where the piece on a space may go, as one sorted text. */
function movesFrom(state: GameState, from: string): string {
  const seat = state.toMove ?? 'south'
  const moves = legalMoves(state, seat).filter((move) => move.from === from)
  expect(new Set(moves).size).toBe(moves.length)
  return moves
    .map(({ to }) => to)
    .sort()
    .join(' ')
}

const duel = rulesOf('duel')
const siguo = rulesOf('siguo')

describe('duel', () => {
  test.each([
    ['R-MOVE-1: the flag never moves', 'S Fb1 3a1', 'b1', ''],
    ['R-MOVE-1: a landmine never moves', 'S La2 3a1', 'a2', ''],
    ['R-MOVE-1: a piece in a headquarters stays, an engineer too', 'S 1d1 3a1', 'd1', ''],
    ['R-MOVE-1: in an enemy headquarters it stays as well', 'S 9b12 3a1', 'b12', ''],
    ['R-MOVE-2: by road one step, to camps across too', 'S 5b4 Fd1', 'b4', 'a4 b3 b5 c4'],
    ['R-MOVE-2: from a camp in eight directions', 'S 5c4 Fd1', 'c4', 'b3 b4 b5 c3 c5 d3 d4 d5'],
    ['R-MOVE-3: along a line any distance', 'S 5c2 Fd1', 'c2', 'a2 b2 b3 c1 c3 d2 d3 e2'],
    ['R-MOVE-3: not past a piece', 'S 5c2 4b2 Fd1', 'c2', 'b3 c1 c3 d2 d3 e2'],
    [
      'R-MOVE-3: not around the corner',
      'S 5a2 Fd1',
      'a2',
      'a1 a10 a11 a3 a4 a5 a6 a7 a8 a9 b2 b3 c2 d2 e2',
    ],
    [
      'R-MOVE-3: over the mountain only at a, c and e',
      'S 5c6 Fd1',
      'c6',
      'a6 b5 b6 c5 c7 d5 d6 e6',
    ],
    ['R-BOARD-3: not over the mountains', 'S 5b6 Fd1', 'b6', 'a6 b5 c6 d6 e6'],
    [
      'R-MOVE-5: an enemy on the line can be attacked, not passed',
      'S 5c2 / N 4b2',
      'c2',
      'b2 b3 c1 c3 d2 d3 e2',
    ],
    ['R-MOVE-5: an enemy in a camp cannot be attacked', 'S 5c3 / N 4c4', 'c3', 'b3 c2 d3'],
    [
      'R-MOVE-5: an enemy in a headquarters can be attacked',
      'S 5c12 / N Fd12',
      'c12',
      'b12 c11 d12',
    ],
    ['R-MOVE-5: own pieces are not attacked', 'S 5c3 4c4', 'c3', 'b3 c2 d3'],
  ])('%s', (_, armies, from, expected) => {
    expect(movesFrom(gameOf(duel, 'south', armies), from)).toBe(expected)
  })

  test('R-MOVE-4: an engineer turns corners, others do not', () => {
    const state = gameOf(duel, 'south', 'S 1a6 2e3 Fd1 / N La7 3c7 Le7')
    expect(movesFrom(state, 'a6')).toBe('a2 a3 a4 a5 a7 b2 b5 b6 c2 c6 c7 d2 d6 e2 e4 e5 e6 e7')
    expect(movesFrom(state, 'e3')).toBe('d3 e2 e4 e5 e6 e7')
  })

  test('R-MOVE-4: an engineer goes no way that is blocked', () => {
    const state = gameOf(duel, 'south', 'S 1a2 4a3 4b2 Fd1')
    expect(movesFrom(state, 'a2')).toBe('a1 b3')
  })

  test('R-MOVE-4: flyingBomb lets bombs move as engineers do, and only bombs', () => {
    const flying = rulesOf('duel', { flyingBomb: true })
    const armies = 'S Bc2 4d2 La2 Fd1'
    expect(movesFrom(gameOf(duel, 'south', armies), 'c2')).toBe('b2 b3 c1 c3 d3')
    expect(movesFrom(gameOf(flying, 'south', armies), 'c2')).toBe('b2 b3 c1 c3 d3')
    const open = 'S Bc2 Fd1 / N La9'
    expect(movesFrom(gameOf(flying, 'south', open), 'c2')).toContain('e11')
    expect(movesFrom(gameOf(flying, 'south', 'S 2c2 Fd1'), 'c2')).not.toContain('e11')
  })

  test('R-MOVE-1: leaveHeadquarters lets pieces out, flags and landmines excepted', () => {
    const leaving = rulesOf('duel', { leaveHeadquarters: true })
    const state = gameOf(leaving, 'south', 'S 3b1 Fd1 La1')
    expect(movesFrom(state, 'b1')).toBe('b2 c1')
    expect(movesFrom(state, 'd1')).toBe('')
    expect(movesFrom(gameOf(leaving, 'south', 'S Lb1 Fd1'), 'b1')).toBe('')
  })

  test('R-MOVE-7: rightAngle turns once where two straight lines meet', () => {
    const rightAngle = rulesOf('duel', { railTurn: 'rightAngle' })
    const open = gameOf(rightAngle, 'south', 'S 5a4 Fd1')
    const seen = movesFrom(open, 'a4').split(' ')
    expect(seen).toEqual(expect.arrayContaining(['e2', 'c6', 'e6', 'b7', 'd11']))
    expect(seen).not.toEqual(expect.arrayContaining(['e3']))
    const blocked = gameOf(rightAngle, 'south', 'S 5a4 Fd1 / N 3a6')
    expect(movesFrom(blocked, 'a4')).toBe('a2 a3 a5 a6 b2 b3 b4 b5 c2 d2 e2')
  })
})

describe('siguo', () => {
  test('R-MOVE-3: past the center and around a curve, on one line', () => {
    const state = gameOf(siguo, 'south', 'S 5g5 4g3 Fh1 / W Fa8 La7 3a11 / E Fq8 3q9 / N Fh17 3g17')
    expect(movesFrom(state, 'g5')).toBe(
      'b7 c7 d7 e7 f7 g11 g12 g13 g14 g15 g16 g4 g6 g7 g9 h5'.split(' ').sort().join(' '),
    )
  })

  test('R-MOVE-5: allied pieces block and are not attacked', () => {
    const state = gameOf(siguo, 'south', 'S 5g6 Lg5 Fh1 / N 4g9 / W 3f7 / E 3h6')
    expect(movesFrom(state, 'g6')).toBe('f7 g7 h5 h6')
  })

  test('R-MOVE-5: any empty camp or headquarters can be entered', () => {
    const state = gameOf(siguo, 'south', 'S 5o10 2q9 Fh1')
    expect(movesFrom(state, 'q9')).toBe('p9 q10 q8')
    expect(movesFrom(gameOf(siguo, 'south', 'S 5n10 Fh1'), 'n10')).toBe('m10 n11 n9 o10')
  })

  test('R-MOVE-7: straight keeps all but engineers off the curves, one step too', () => {
    const straight = rulesOf('siguo', { railTurn: 'straight' })
    const walker = gameOf(straight, 'south', 'S 5g6 Lg5 4g7 Lh6 Fh1')
    expect(movesFrom(walker, 'g6')).toBe('h5')
    expect(movesFrom(gameOf(siguo, 'south', 'S 5g6 Lg5 4g7 Lh6 Fh1'), 'g6')).toBe(
      'b7 c7 d7 e7 f7 h5',
    )
    const engineer = gameOf(straight, 'south', 'S 1g6 Lg5 4g7 Lh6 Fh1 / W Lf8 Le7')
    expect(movesFrom(engineer, 'g6')).toContain('f7')
    const bomb = gameOf(
      rulesOf('siguo', { railTurn: 'straight', flyingBomb: true }),
      'south',
      'S Bg6 Lg5 4g7 Lh6 Fh1 / W Lf8 Le7',
    )
    expect(movesFrom(bomb, 'g6')).toContain('f7')
  })

  test('R-MOVE-7: rightAngle keeps curve lines, without a turn before or after', () => {
    const rightAngle = rulesOf('siguo', { railTurn: 'rightAngle' })
    const state = gameOf(rightAngle, 'south', 'S 5g5 Lg4 Fh1 / W Lg7')
    const seen = movesFrom(state, 'g5').split(' ')
    expect(seen).toEqual(expect.arrayContaining(['f7', 'b7', 'g6', 'k6', 'g7']))
    expect(seen).not.toContain('f8')
    expect(seen).not.toContain('k5')
    expect(seen).not.toContain('b8')
  })

  test('R-BOARD-7: closed ground is nobody’s way, engineers’ neither', () => {
    const armies = 'S 1g5 Fh1 / N 3g17 Fh17'
    const open = gameOf(rulesOf('siguo-duel'), 'south', armies)
    const closed = gameOf(rulesOf('siguo-duel', { emptyTerritory: 'closed' }), 'south', armies)
    expect(movesFrom(open, 'g5')).toContain('f7')
    expect(movesFrom(closed, 'g5')).not.toMatch(/[a-f]\d|[l-q]\d/)
    expect(movesFrom(closed, 'g5')).toContain('i9')
  })

  test('R-BOARD-7: what closed ground leaves of a line is still a line', () => {
    const rules = rulesOf('siguo-duel', { emptyTerritory: 'closed' })
    const state = gameOf(rules, 'south', 'S 5k9 Fh1 / N 3k13 Fh17')
    expect(movesFrom(state, 'k9')).toBe('g9 i9 k11 k12 k13 k2 k3 k4 k5 k6 k7')
  })
})

test('R-MOVE-5: moves to no space, from no piece or with an enemy piece are refused', () => {
  const state = gameOf(duel, 'south', 'S 5c2 Fd1 / N 4a9 Fb12')
  expect(refusal(state, 'q17-q16')).toBe('illegal_move')
  expect(refusal(state, 'c3-c4')).toBe('illegal_move')
  expect(refusal(state, 'a9-a8')).toBe('illegal_move')
  expect(refusal(state, 'c2-c2')).toBe('illegal_move')
  expect(refusal(state, 'c2-c3')).toBe(null)
})

test('R-MOVE-6: what a seat may do does not depend on what its enemies are', () => {
  const weak = gameOf(duel, 'south', 'S 5c2 Fd1 / N 1a2 1a9 Fb12')
  const strong = gameOf(duel, 'south', 'S 5c2 Fd1 / N La2 9a9 Bb12')
  expect(legalMoves(strong, 'south')).toEqual(legalMoves(weak, 'south'))
})
