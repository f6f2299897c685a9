import { applyCommand, bySeat, formatMove, legalMoves, PIECE_SYMBOLS, SEATS } from '@junqi/engine'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { numberOf } from '../src/kinds.ts'
import { mindOf } from '../src/mind.ts'
import { outlookOf } from '../src/outlook.ts'
import {
  boardIn,
  EMPTY,
  findMoves,
  makeUndo,
  play,
  type SearchBoard,
  type Stakes,
  stakesOf,
  takeBack,
} from '../src/search/board.ts'
import { searchValue } from '../src/search/search.ts'
import { ARMY_PRESETS, anyOptions, type Moment, momentsOf, rulesOf } from './games.ts'

const SYMBOLS = PIECE_SYMBOLS.join('')

const anyGame = fc.record({
  preset: fc.constantFrom(...ARMY_PRESETS),
  options: fc.oneof(fc.constant({}), anyOptions),
  seed: fc.integer(),
})

/** The board that is searched, in the one world that is true. */
function boardAt({ sight, state }: Moment): { board: SearchBoard; stakes: Stakes } {
  const mind = mindOf(sight)
  const stakes = stakesOf(mind, outlookOf(mind))
  const truth = bySeat((seat) =>
    Int8Array.from(state.formations[seat] ?? '', (symbol) => SYMBOLS.indexOf(symbol)),
  )
  return { board: boardIn(mind, stakes, truth), stakes }
}

const copyOf = ({ owner, kind, inPlay, toMove, score }: SearchBoard) => ({
  // What stood on a space that is empty now is of no account.
  standing: [...owner].map((seat, space) => (seat === EMPTY ? null : [seat, kind[space]])),
  inPlay: [...inPlay],
  toMove,
  score,
})

const movesOn = (board: SearchBoard, stakes: Stakes, attacksOnly = false): number[] => {
  const found = new Int32Array(1024)
  return [...found.subarray(0, findMoves(board, stakes, found, attacksOnly))]
}

describe('the board that hard searches', () => {
  test('R-MOVE: has the moves that the rules have', () => {
    fc.assert(
      fc.property(anyGame, ({ preset, options, seed }) => {
        for (const moment of momentsOf(rulesOf(preset, options), { seed, every: 29 })) {
          const { board, stakes } = boardAt(moment)
          const { spaces } = stakes.terrain.ground.board
          const asMove = (move: number) =>
            formatMove({ from: spaces[move >> 8] ?? '', to: spaces[move & 255] ?? '' })
          const legal = legalMoves(moment.state, moment.sight.seat).map(formatMove)
          // Two ways may lead to one space (`rightAngle`).
          expect([...new Set(movesOn(board, stakes).map(asMove))].sort()).toEqual([...legal].sort())
        }
      }),
      { numRuns: 12 },
    )
  })

  test('R-FIGHT: stands as the game does after a move, and as before when it is taken back', () => {
    fc.assert(
      fc.property(anyGame, ({ preset, options, seed }) => {
        for (const moment of momentsOf(rulesOf(preset, options), { seed, every: 61 })) {
          const { board, stakes } = boardAt(moment)
          const before = copyOf(board)
          const { spaces } = stakes.terrain.ground.board
          for (const move of movesOn(board, stakes)) {
            const [from, to] = [spaces[move >> 8] ?? '', spaces[move & 255] ?? '']
            const { seat } = moment.sight
            const applied = applyCommand(moment.state, { type: 'movePiece', seat, from, to })
            const undo = makeUndo()
            play(board, stakes, move, undo)
            const after = copyOf(board)
            takeBack(board, undo)
            expect(copyOf(board)).toEqual(before)
            const isPlain =
              applied.ok && applied.value.events.every((event) => event.type !== 'gameEnded')
            if (!isPlain) continue
            const { pieces } = applied.value.state
            const isOut = (out: string | null | undefined) => out === 'noMoves'
            // Who is stuck is put out by the rules at once, by the search when it is to move.
            if (SEATS.some((each) => isOut(applied.value.state.seats[each]?.out))) continue
            expect(after.standing).toEqual(
              pieces.map((piece) =>
                piece?.seat ? [SEATS.indexOf(piece.seat), numberOf(piece.kind)] : null,
              ),
            )
          }
        }
      }),
      { numRuns: 12 },
    )
  })

  test('finds the attacks among the moves', () => {
    for (const moment of momentsOf(rulesOf('siguo'), { seed: 3, every: 17 })) {
      const { board, stakes } = boardAt(moment)
      const attacks = movesOn(board, stakes).filter((move) => board.owner[move & 255] !== EMPTY)
      expect(movesOn(board, stakes, true).sort()).toEqual(attacks.sort())
    }
  })

  test.each([1, 2, 50, 1000])('looks at %i positions and no more', (left) => {
    for (const moment of momentsOf(rulesOf('duel'), { seed: 3, every: 40 })) {
      const search = { ...boardAt(moment), beyond: 2, left }
      const before = copyOf(search.board)
      searchValue(search, 3, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
      expect(search.left).toBeGreaterThanOrEqual(-1)
      expect(search.left).toBeLessThan(left)
      expect(copyOf(search.board)).toEqual(before)
    }
  })
})
