import type { Board, SpaceId } from '../board/board.ts'
import { isColour } from '../colour.ts'
import { kindOfSymbol } from '../piece.ts'
import { err, ok, type Result } from '../result.ts'
import { SEATS } from '../seat.ts'
import { type DrawnPiece, drawBoard, EMPTY_SPACES, type Position } from './draw-board.ts'

/** A space in a picture: empty, or a piece on it. */
const CELL = /\[\]|\(\)|\{\}|[SENW][1-9BLF?]|[rb][1-9BLF]|@\?/g
/** A line with spaces: its row number, then the cells. */
const ROW = /^\s*(\d+)\s(.*)$/
const LINKS = /^[-=#|/\\\s]*$/
const COLUMN_LETTERS = /^[a-q\s]*$/

/** A position as text: the board with its pieces drawn on it. */
export const formatPosition = (board: Board, position: Position): string =>
  drawBoard(board, position)

/**
 * Reads a position back from its picture. Only row numbers and the cells beside them count, links
 * and distances do not: ` 6  [] S9 [] [] N?` will do. Rows may come in any order.
 */
export function parsePosition(board: Board, text: string): Result<Position, string> {
  const position: (DrawnPiece | null)[] = board.spaces.map(() => null)
  const rows = rowsOf(board)
  for (const line of text.split('\n')) {
    const [, number, drawn] = ROW.exec(line) ?? []
    if (number === undefined || drawn === undefined) {
      if (LINKS.test(line) || COLUMN_LETTERS.test(line)) continue
      return err(`expected a row number and the row's spaces, found: ${line.trim()}`)
    }
    const row = rows.get(Number(number))
    if (row === undefined) return err(`row ${number} is not on this board, or is drawn twice`)
    rows.delete(Number(number))
    const cells = drawn.match(CELL) ?? []
    if (cells.length !== row.length || !LINKS.test(drawn.replaceAll(CELL, ' '))) {
      return err(`row ${number} needs ${row.length} spaces such as [] () {} S9 N?`)
    }
    for (const [i, space] of row.entries()) {
      const index = board.indexOf.get(space) ?? 0
      const cell = cells[i] ?? ''
      position[index] = parsePiece(cell)
      const empty = EMPTY_SPACES[board.kinds[index] ?? 'post']
      if (position[index] === null && cell !== empty) {
        return err(`${space} is drawn as ${cell}; empty, it is ${empty}`)
      }
    }
  }
  const [missing] = rows.keys()
  return missing === undefined ? ok(position) : err(`row ${missing} is missing`)
}

/** The spaces of each row, column a first. */
function rowsOf(board: Board): Map<number, readonly SpaceId[]> {
  const rows = new Map<number, readonly SpaceId[]>()
  for (const space of board.spaces) {
    const row = Number(space.slice(1))
    rows.set(row, [...(rows.get(row) ?? []), space])
  }
  return rows
}

/** `S9`, `r9` or `@?` as a piece; null: an empty space. */
function parsePiece(cell: string): DrawnPiece | null {
  const colour = cell.charAt(0)
  const kind = kindOfSymbol(cell.charAt(1)) ?? 'hidden'
  if (cell === '@?') return { seat: null, kind, colour: null }
  if (isColour(colour)) return { seat: null, kind, colour }
  const seat = SEATS.find((name) => name.startsWith(cell.charAt(0).toLowerCase()))
  if (seat === undefined) return null
  return { seat, kind }
}
