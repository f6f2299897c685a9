import { expect, test } from 'vitest'
import { newGame } from '../new-game.ts'
import { boardOf } from '../rules/ground.ts'
import { PRESETS } from '../rules/presets.ts'
import { viewPieces } from '../view/view-game.ts'
import { drawBoard, positionOfView } from './draw-board.ts'

/** A drawing in this file: without the first line and the indent. */
const drawing = (text: string): string =>
  text.replace(/^\n/, '').replaceAll(/^ {4}/gm, '').trimEnd()

test('R-BOARD-3: the empty duel board as a picture', () => {
  expect(drawBoard(boardOf(PRESETS.duel))).toBe(
    drawing(`
    12  []--{}--[]--{}--[]
        |   |   |   |   |
    11  []==[]==[]==[]==[]
        # \\ | / | \\ | / #
    10  []--()--[]--()--[]
        # / | \\ | / | \\ #
     9  []--[]--()--[]--[]
        # \\ | / | \\ | / #
     8  []--()--[]--()--[]
        # / | \\ | / | \\ #
     7  []==[]==[]==[]==[]
        #       #       #
     6  []==[]==[]==[]==[]
        # \\ | / | \\ | / #
     5  []--()--[]--()--[]
        # / | \\ | / | \\ #
     4  []--[]--()--[]--[]
        # \\ | / | \\ | / #
     3  []--()--[]--()--[]
        # / | \\ | / | \\ #
     2  []==[]==[]==[]==[]
        |   |   |   |   |
     1  []--{}--[]--{}--[]
        a   b   c   d   e`),
  )
})

test('R-BOARD-4, R-BOARD-5: the center of the siguo board as a picture', () => {
  const lines = drawBoard(boardOf(PRESETS.siguo)).split('\n')
  expect(lines).toHaveLength(2 * 17)
  expect(lines.slice(10, 23).join('\n')).toBe(
    drawing(`
    12                          []==[]==[]==[]==[]
                              / #       #       # \\
    11  []--[]==[]==[]==[]==[]==[]======[]======[]==[]==[]==[]==[]==[]--[]
        |   # \\ | / | \\ | / #   #       #       #   # \\ | / | \\ | / #   |
    10  {}--[]--()--[]--()--[]  #       #       #   []--()--[]--()--[]--{}
        |   # / | \\ | / | \\ #   #       #       #   # / | \\ | / | \\ #   |
     9  []--[]--[]--()--[]--[]==[]======[]======[]==[]--[]--()--[]--[]--[]
        |   # \\ | / | \\ | / #   #       #       #   # \\ | / | \\ | / #   |
     8  {}--[]--()--[]--()--[]  #       #       #   []--()--[]--()--[]--{}
        |   # / | \\ | / | \\ #   #       #       #   # / | \\ | / | \\ #   |
     7  []--[]==[]==[]==[]==[]==[]======[]======[]==[]==[]==[]==[]==[]--[]
                              \\ #       #       # /
     6                          []==[]==[]==[]==[]`),
  )
})

test('R-BOARD-7: a closed territory is not drawn', () => {
  const lines = drawBoard(boardOf(PRESETS.sanguo)).split('\n')
  expect(lines[0]).toMatch(/^11 {2}\[\]--/)
  expect(lines).toHaveLength(2 * 11)
})

test('R-SEE-3: a view is drawn with what its viewer may know', () => {
  const formations = { south: '963175358137B246L2LB4FL21', north: '963175358137B246L2LB4FL21' }
  const state = newGame(PRESETS.duel, { type: 'gameStarted', formations, first: 'south' })
  const board = boardOf(PRESETS.duel)
  const seen = drawBoard(board, positionOfView(board, viewPieces(state, 'south'))).split('\n')
  expect(seen.slice(8, 16).join('\n')).toBe(
    drawing(`
     8  N?--()--N?--()--N?
        # / | \\ | / | \\ #
     7  N?==N?==N?==N?==N?
        #       #       #
     6  S9==S6==S3==S1==S7
        # \\ | / | \\ | / #
     5  S5--()--S3--()--S5
        # / | \\ | / | \\ #`),
  )
  expect(drawBoard(board, state.pieces).split('\n')[10]).toBe(' 7  N7==N1==N3==N6==N9')
})
