import { describe, expect, test } from 'vitest'
import { flipAt } from '../../test/flip-at.ts'
import { commandFor, gameOf, rulesOf } from '../../test/game-at.ts'
import { applyCommand } from '../decide.ts'
import type { GameState } from '../state.ts'

function why(state: GameState, action: string): string | null {
  const applied = applyCommand(state, commandFor(state, action))
  return applied.ok ? null : applied.error.message
}

describe('a refused move says what was wrong and what would be right', () => {
  const duel = gameOf(rulesOf('duel'), 'south', 'S 5a2 6a3 1e2 La4 8b1 Fd1 9e6 / N 4a7 7b8 Fb12')

  test.each([
    ['R-BOARD-1', 'q17-q16', 'The board of this game has no space q17.'],
    ['R-MOVE-1', 'a2-a2', 'A move leads to another space than a2, where it begins.'],
    ['R-MOVE-1', 'c6-c7', 'No piece stands on c6; move one of your own.'],
    ['R-MOVE-1', 'a7-a6', 'The piece on a7 is of north; move one of south, your own.'],
    ['R-MOVE-1', 'a4-a5', 'Your landmine on a4 never moves; move another piece.'],
    [
      'R-MOVE-1',
      'b1-a1',
      'Your piece on b1 is in a headquarters, which it never leaves; move another one.',
    ],
    ['R-MOVE-5', 'a2-a3', 'The piece on a3 is of south; attack pieces of enemies only.'],
    ['R-MOVE-5', 'e6-b8', 'The piece on b8 is safe in a camp; attack one that is in none.'],
    [
      'R-MOVE-3',
      'a2-a5',
      'Another piece stands between a2 and a5; all spaces between must be empty.',
    ],
    [
      'R-MOVE-3',
      'a2-c6',
      'No way leads from a2 to c6; this piece goes one step, or along one line of railroad.',
    ],
    [
      'R-MOVE-4',
      'e2-c1',
      'No free way leads from e2 to c1; this piece goes one step, or over railroads where no other piece stands.',
    ],
    ['R-FLIP-2', 'flip a2', 'Pieces are turned up in a flip game only; move one.'],
  ])('%s: %s', (_, action, sentence) => {
    expect(why(duel, action)).toBe(sentence)
  })

  test('R-MOVE-5: an allied piece is named by its seat', () => {
    const siguo = gameOf(
      rulesOf('siguo'),
      'south',
      'S 5g6 Fh1 / N 4g7 Fh17 / E 3l9 Fq8 / W 3b9 Fa8',
    )
    expect(why(siguo, 'g6-g7')).toBe('The piece on g7 is of north; attack pieces of enemies only.')
  })
})

describe('a refused action of a flip game', () => {
  const flip = flipAt('12 b9 b7 [] bF []\n6 r3 r5 @? [] bL\n4 [] @? () [] []\n1 r9 {} [] {} []', {
    under: 'b1 r4',
  })

  test.each([
    ['R-FLIP-2', 'flip q9', 'The board of this game has no space q9.'],
    [
      'R-FLIP-2',
      'flip a1',
      'The piece on a1 lies face up already; turn up one that lies face down.',
    ],
    ['R-FLIP-2', 'flip c1', 'No piece lies on c1; turn up one that lies face down.'],
    [
      'R-FLIP-4',
      'c6-c7',
      'The piece on c6 lies face down; only pieces that lie face up are moved.',
    ],
    [
      'R-FLIP-4',
      'b6-c6',
      'The piece on c6 lies face down; only pieces that lie face up are attacked.',
    ],
    ['R-FLIP-2', 'e6-e5', 'The piece on e6 is of north; move one of south, your own.'],
    [
      'R-FLIP-5',
      'a6-b12',
      'The piece on b12 is safe in a headquarters; only landmines and flags are attacked there.',
    ],
    [
      'R-FLIP-6',
      'b6-e6',
      'The landmine on e6 may not be attacked by a colonel now (flipMines engineersAndBombs, flipFlag smallest).',
    ],
  ])('%s: %s', (_, action, sentence) => {
    expect(why(flip, action)).toBe(sentence)
  })

  test('R-FLIP-2: before the colours are known', () => {
    const open = flipAt('6 r3 [] @? [] b2', { under: 'b7', colours: 'open' })
    expect(why(open, 'a6-a5')).toBe('Until the colours are known no piece is moved; turn one up.')
  })
})
