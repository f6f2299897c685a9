import { invariant } from '../assert.ts'
import type { Board } from '../board/board.ts'
import { kindInLayout, type Layout } from '../layout.ts'
import type { Piece } from '../piece.ts'

/** Where the pieces of a layout lie, by space index: rows 1 to 12, columns a to e, camps left out (R-FLIP-10). */
export function layoutPlaces({ spaces, kinds }: Board): readonly number[] {
  const rowOf = (index: number) => Number((spaces[index] ?? '').slice(1))
  // The spaces of a row stand in the order of their columns already.
  return [...spaces.keys()]
    .filter((index) => kinds[index] !== 'camp')
    .sort((one, other) => rowOf(one) - rowOf(other))
}

/** R-FLIP-1: every piece face down, nobody's, named by its space. */
export function piecesFaceDown(board: Board, layout: Layout): (Piece | null)[] {
  const pieces: (Piece | null)[] = board.spaces.map(() => null)
  for (const [i, index] of layoutPlaces(board).entries()) {
    const symbol = layout[i]
    invariant(symbol !== undefined, `nothing in the layout for place ${i}`)
    const id = `@${board.spaces[index]}` as const
    pieces[index] = { id, seat: null, shown: false, ...kindInLayout(symbol) }
  }
  return pieces
}
