import type { Board, Link, SpaceId, SpaceKind } from '../board/board.ts'
import type { Colour } from '../colour.ts'
import { PIECES, type PieceKind, seatOfPiece } from '../piece.ts'
import type { Seat } from '../seat.ts'
import type { PieceView } from '../view/seat-view.ts'

/** A piece as a picture shows it: its seat, or its colour in a flip game, and what is known of its kind. */
export interface DrawnPiece {
  readonly seat: Seat | null
  readonly kind: PieceKind | 'hidden'
  /** In a flip game only; null: it lies face down. */
  readonly colour?: Colour | null
}

/** The pieces of a board by space index: those of a `GameState`, for one, are a position (of a flip game too, as if all lay open). */
export type Position = readonly (DrawnPiece | null)[]

/** The position that a viewer sees. */
export function positionOfView(board: Board, pieces: readonly PieceView[]): Position {
  const onSpace = new Map(pieces.map((piece) => [piece.space, piece]))
  return board.spaces.map((space) => {
    const piece = onSpace.get(space)
    return piece === undefined ? null : drawnPiece(piece)
  })
}

/** A piece that a viewer sees. In a flip game its colour is drawn, whosever it is. */
export const drawnPiece = ({ id, kind, colour }: PieceView): DrawnPiece =>
  colour === undefined ? { seat: seatOfPiece(id), kind } : { seat: null, kind, colour }

/** How an empty space is drawn. */
export const EMPTY_SPACES: Readonly<Record<SpaceKind, string>> = {
  post: '[]',
  camp: '()',
  headquarters: '{}',
}

const LEFT_MARGIN = 4
const CELL_WIDTH = 2
const COLUMN_PITCH = 4
const ROW_PITCH = 2

/** A point of the drawing grid, both from 1 (R-BOARD). */
interface Point {
  readonly x: number
  readonly y: number
}

/** A text and where it stands: character column from 0, text line from 0. */
interface Stroke {
  readonly column: number
  readonly line: number
  readonly text: string
}

const pointOf = (space: SpaceId): Point => ({
  x: space.charCodeAt(0) - 96,
  y: Number(space.slice(1)),
})
const columnOf = (x: number): number => LEFT_MARGIN + (x - 1) * COLUMN_PITCH

/**
 * `S9`, `N?`: the seat's capital and the symbol, as in the views of trace rows. In a flip game `r9` and `b1`,
 * the colour's letter and the symbol, and `@?` for what lies face down.
 */
export function drawPiece({ seat, kind, colour }: DrawnPiece): string {
  const owner = colour ?? seat?.charAt(0).toUpperCase() ?? '@'
  return `${owner}${kind === 'hidden' ? '?' : PIECES[kind].symbol}`
}

/**
 * An ASCII picture of a board, row 1 at the bottom, column a at the left. `[]` post, `()` camp,
 * `{}` headquarters, `S9` (in a flip game `r9`, `@?`) a piece on any of them; `=` and `#` railroads, `-` and `|` roads, `/` and
 * `\` across: roads beside a camp, the curved railroads at the center.
 */
export function drawBoard(board: Board, position: Position = []): string {
  const points = board.spaces.map(pointOf)
  const top = Math.max(...points.map(({ y }) => y))
  const lineOf = (y: number): number => (top - y) * ROW_PITCH
  const links = board.links.flatMap((link) => drawLink(link, points, lineOf))
  const spaces = points.map(({ x, y }, index) => {
    const piece = position[index]
    const text = piece ? drawPiece(piece) : EMPTY_SPACES[board.kinds[index] ?? 'post']
    return { column: columnOf(x), line: lineOf(y), text }
  })
  const rowNumbers = points.map(({ y }) => {
    return { column: 0, line: lineOf(y), text: `${y}`.padStart(2) }
  })
  const columnLetters = points.map(({ x }) => {
    return { column: columnOf(x), line: lineOf(1) + 1, text: String.fromCharCode(96 + x) }
  })
  return render([...links, ...spaces, ...rowNumbers, ...columnLetters])
}

/** A road or railroad: on the text line of its spaces, or on those between. */
function drawLink(
  { a, b, railroad }: Link,
  points: readonly Point[],
  lineOf: (y: number) => number,
): readonly Stroke[] {
  const [from, to] = [points[a], points[b]]
  if (from === undefined || to === undefined) return []
  const [left, right] = from.x <= to.x ? [from, to] : [to, from]
  const upper = Math.max(left.y, right.y)
  const column = columnOf(left.x)
  if (left.y === right.y) {
    const length = columnOf(right.x) - column - CELL_WIDTH
    const text = (railroad ? '=' : '-').repeat(length)
    return [{ column: column + CELL_WIDTH, line: lineOf(upper), text }]
  }
  if (left.x !== right.x) {
    const text = left.y < right.y ? '/' : '\\'
    return [{ column: column + CELL_WIDTH, line: lineOf(upper) + 1, text }]
  }
  const height = lineOf(Math.min(left.y, right.y)) - lineOf(upper) - 1
  return Array.from({ length: height }, (_, i) => {
    return { column, line: lineOf(upper) + 1 + i, text: railroad ? '#' : '|' }
  })
}

/** The strokes as lines of text, no spaces at their ends. */
function render(strokes: readonly Stroke[]): string {
  const lines: string[][] = []
  for (const { column, line, text } of strokes) {
    const characters = lines[line] ?? []
    lines[line] = characters
    for (let i = 0; i < text.length; i++) characters[column + i] = text.charAt(i)
  }
  return Array.from(lines, (characters = []) => {
    return Array.from(characters, (character = ' ') => character).join('')
  }).join('\n')
}
