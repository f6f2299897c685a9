import { describe, expect, test } from 'vitest'
import { flipAt } from '../../test/flip-at.ts'
import { pieceAt, play, refusal } from '../../test/game-at.ts'
import type { GameState } from '../state.ts'
import { viewGame } from '../view/view-game.ts'
import { legalFlips, legalFlipsInView, legalMoves, legalMovesInView } from './legal-moves.ts'

/** Where the piece on a space may go, as one sorted text; the seat finds the same in its own view. */
function movesFrom(state: GameState, from: string): string {
  const seat = state.toMove ?? 'south'
  const moves = legalMoves(state, seat)
  expect(legalMovesInView(state.ruleSet, viewGame(state, seat), seat)).toEqual(moves)
  return moves
    .filter((move) => move.from === from)
    .map(({ to }) => to)
    .sort()
    .join(' ')
}

/** South plays r. In every drawing north has an officer on e12, so that nobody is out. */
const NORTH = '12 [] {} [] {} b9'

describe('R-FLIP-2: a turn is a flip or a move of an own face-up piece', () => {
  const state = flipAt(`${NORTH}\n6 r3 [] @? [] b2\n4 [] @? () [] []`, { under: 'b1 r4' })

  test('R-FLIP-2: every face-down piece can be turned up, whosever it is', () => {
    for (const seat of ['south', 'north'] as const) {
      expect(legalFlips(state, seat)).toEqual(['b4', 'c6'])
      expect(legalFlipsInView(state.ruleSet, viewGame(state, seat), seat)).toEqual(['b4', 'c6'])
    }
  })

  test('R-FLIP-2: a flip counts as a move, and the quiet count is 0 again', () => {
    const { state: moved } = play(state, 'a6-a5', 'e6-e5')
    expect([moved.moves, moved.quiet, moved.turn]).toEqual([2, 2, 2])
    const { state: flipped, events } = play(moved, 'flip c6')
    expect(events).toEqual([{ type: 'pieceFlipped', space: 'c6', colour: 'r', kind: 'major' }])
    expect([flipped.moves, flipped.quiet, flipped.turn, flipped.toMove]).toEqual([3, 0, 3, 'north'])
    expect(pieceAt(flipped, 'c6')).toEqual({
      id: '@c6',
      seat: 'south',
      kind: 'major',
      shown: true,
      colour: 'r',
    })
  })

  test.each([
    ['R-FLIP-2: what is up is not turned up again', 'flip a6', 'illegal_flip'],
    ['R-FLIP-2: nothing lies there', 'flip a1', 'illegal_flip'],
    ['R-FLIP-2: there is no such space', 'flip q9', 'illegal_flip'],
    ['R-FLIP-2: an enemy piece is not moved', 'e6-e5', 'illegal_move'],
    ['R-FLIP-4: a face-down piece does not move', 'c6-c5', 'illegal_move'],
    ['R-FLIP-2: an own piece is', 'a6-a5', null],
    ['R-FLIP-2: and a face-down one turned up', 'flip c6', null],
  ])('%s (%s)', (_, action, code) => {
    expect(refusal(state, action)).toBe(code)
  })

  test('R-FLIP-2: before the colours are known only flipping is legal', () => {
    const open = flipAt('6 r3 [] @? [] b2', { under: 'b7', colours: 'open' })
    expect(legalMoves(open, 'south')).toEqual([])
    expect(refusal(open, 'a6-a5')).toBe('illegal_move')
    expect(legalFlips(open, 'south')).toEqual(['c6'])
  })

  test('R-FLIP-2: nothing is turned up out of turn, or after the end', () => {
    expect(refusal({ ...state, toMove: 'north' }, 'flip c6')).toBe(null)
    const { state: ended } = play(state, 'resign south')
    expect(legalFlips(ended, 'north')).toEqual([])
    expect(legalFlipsInView(ended.ruleSet, viewGame(ended, 'north'), 'north')).toEqual([])
    expect(refusal({ ...ended, toMove: 'north' }, 'flip c6')).toBe('game_over')
  })
})

describe('where a piece may go', () => {
  test.each([
    [
      'R-FLIP-4: a face-down piece is not attacked',
      '6 r9 @? [] [] []',
      'a6',
      'a10 a11 a2 a3 a4 a5 a7 a8 a9 b5',
    ],
    [
      'R-FLIP-4: and blocks the railroad',
      '6 r9 [] @? [] []',
      'a6',
      'a10 a11 a2 a3 a4 a5 a7 a8 a9 b5 b6',
    ],
    [
      'R-FLIP-4: an engineer does not pass it',
      '7 @? [] [] [] []\n6 r1 @? [] [] []\n5 @? () [] () []',
      'a6',
      'b5',
    ],
    [
      'R-FLIP-4: this board has no curves; railroads are as ever',
      '6 r1 b2 [] [] []\n5 b2 () [] () []',
      'a6',
      'a10 a11 a2 a3 a4 a5 a7 a8 a9 b11 b2 b5 b6 b7 c11 c2 c6 c7 d11 d2 d6 d7 e10 e11 e2 e3 e4 e5 e6 e7 e8 e9',
    ],
    [
      'R-FLIP-5: a piece in a camp is not attacked',
      '6 [] [] r9 [] []\n5 [] () [] b1 []',
      'c6',
      'a6 b5 b6 c5 c7 d6 e6',
    ],
    ['R-FLIP-5: an own piece leaves a headquarters', '1 [] r3 [] {} []', 'b1', 'a1 b2 c1'],
    [
      'R-FLIP-5: an enemy officer in a headquarters is not attacked',
      '12 [] b1 r9 {} b9',
      'c12',
      'c11 d12',
    ],
    ['R-FLIP-5: nor is a bomb there', '12 [] bB r9 {} b9', 'c12', 'c11 d12'],
    ['R-FLIP-5: on a post they are', '12 [] {} r9 {} b9\n11 [] [] b1 [] []', 'c12', 'b12 c11 d12'],
    [
      'R-FLIP-5: a landmine in a headquarters can be attacked',
      '12 [] bL r1 {} b9',
      'c12',
      'b12 c11 d12',
    ],
    ['R-FLIP-5: a flag there too', '12 [] bF r1 {} b9', 'c12', 'b12 c11 d12'],
    ['R-MOVE-1: a landmine does not move', '6 rL [] [] [] []', 'a6', ''],
    ['R-MOVE-1: nor a flag', '6 rF [] [] [] []', 'a6', ''],
  ])('%s', (_, drawing, from, expected) => {
    const rows = drawing.startsWith('12') ? drawing : `${NORTH}\n${drawing}`
    const faceDown = drawing.split('@?').length - 1
    const under = Array.from({ length: faceDown }, () => 'b3').join(' ')
    expect(movesFrom(flipAt(rows, { under }), from)).toBe(expected)
  })

  test('R-FLIP-5: leaveHeadquarters can be taken back by a host', () => {
    const drawing = `${NORTH}\n1 [] r3 [] {} []`
    expect(movesFrom(flipAt(drawing, { options: { leaveHeadquarters: false } }), 'b1')).toBe('')
  })
})
