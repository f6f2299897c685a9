import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flipAt } from '../../test/flip-at.ts'
import { gameAt } from '../../test/game-at.ts'
import { PIECE_KINDS } from '../piece.ts'
import { boardOf } from '../rules/ground.ts'
import { legalMoves } from '../rules/legal-moves.ts'
import { PRESETS } from '../rules/presets.ts'
import { SEATS } from '../seat.ts'
import { viewPieces } from '../view/view-game.ts'
import { type Position, positionOfView } from './draw-board.ts'
import { formatPosition, parsePosition } from './position.ts'

const DUEL = boardOf(PRESETS.duel)

const drawnPieces = fc.record({
  seat: fc.constantFrom(...SEATS),
  kind: fc.constantFrom(...PIECE_KINDS, 'hidden' as const),
})

test.each(['duel', 'siguo', 'sanguo'] as const)(
  'a position on the board of %s is read back',
  (preset) => {
    const board = boardOf(PRESETS[preset])
    const length = board.spaces.length
    const positions = fc.array(fc.option(drawnPieces), { minLength: length, maxLength: length })
    fc.assert(
      fc.property(positions, (position: Position) => {
        expect(parsePosition(board, formatPosition(board, position))).toEqual({
          ok: true,
          value: position,
        })
      }),
    )
  },
)

/** A duel board of which row 6 is given. */
const drawingWith = (row: string): string => `
  12  [] {} [] {} []
  11  [] [] [] [] []
  10  [] () [] () []
   9  [] [] () [] []
   8  [] () [] () []
   7  [] [] [] [] N9
   ${row}
   5  [] () [] () []
   4  [] [] () [] []
   3  [] () [] () []
   2  [] [] [] [] []
   1  [] SF [] {} []
      a  b  c  d  e
`

test('a position is read from a drawing without links, with any distances', () => {
  const position = parsePosition(DUEL, drawingWith('6 S1==[] []   []--N?'))
  const pieces = position.ok
    ? position.value.flatMap((piece, i) => (piece ? [[DUEL.spaces[i], piece]] : []))
    : position
  expect(pieces).toEqual([
    ['a6', { seat: 'south', kind: 'engineer' }],
    ['b1', { seat: 'south', kind: 'flag' }],
    ['e6', { seat: 'north', kind: 'hidden' }],
    ['e7', { seat: 'north', kind: 'fieldMarshal' }],
  ])
})

test('R-MOVE-4: an engineer on a drawn board turns corners', () => {
  const moves = legalMoves(gameAt(PRESETS.duel, 'south', drawingWith('6  S1 [] SL [] SL')), 'south')
  expect(moves.map(({ to }) => to)).toContain('e11')
  expect(moves.map(({ to }) => to)).not.toContain('d6')
})

test.each([
  ['a row too few', '', 'row 6 is missing'],
  ['a row twice', '5 [] () [] () []', 'row 5 is not on this board, or is drawn twice'],
  ['a row of another board', '13 [] [] [] [] []', 'row 13 is not on this board, or is drawn twice'],
  ['a space too few', '6 [] [] [] []', 'row 6 needs 5 spaces such as [] () {} S9 N?'],
  ['an unknown piece', '6 [] [] [] [] S0', 'row 6 needs 5 spaces such as [] () {} S9 N?'],
  ['words beside it', '6 [] [] [] [] [] !', 'row 6 needs 5 spaces such as [] () {} S9 N?'],
  ['a post drawn as a camp', '6 [] () [] [] []', 'b6 is drawn as (); empty, it is []'],
  ['no row', 'six', "expected a row number and the row's spaces, found: six"],
])('a drawing with %s is refused', (_, row, error) => {
  expect(parsePosition(DUEL, drawingWith(row))).toEqual({ ok: false, error })
})

test('R-FLIP-1: a flip game as a picture: colours and symbols, and what lies face down', () => {
  const state = flipAt('7 r9 @? b1 [] []\n6 [] rL [] [] @?', { under: 'rF bB' })
  const board = boardOf(state.ruleSet)
  const position = positionOfView(board, viewPieces(state, 'south'))
  const picture = formatPosition(board, position)
  const rows = picture.split('\n').filter((line) => /^ [67] /.test(line))
  expect(rows).toEqual([' 7  r9==@?==b1==[]==[]', ' 6  []==rL==[]==[]==@?'])
  expect(parsePosition(board, picture)).toEqual({ ok: true, value: position })
})
