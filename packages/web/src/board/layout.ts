import { BOARDS, type Board, SEATS, type Seat, type SpaceId } from '@junqi/engine'

/** A point of the drawing, in its own units. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** How far neighbours in a row and in a column are from one another. */
export interface Cell {
  readonly width: number
  readonly height: number
}

/** Where everything of a board is drawn, with `bottom`'s side at the bottom. */
export interface Layout {
  readonly width: number
  readonly height: number
  readonly cell: Cell
  readonly points: ReadonlyMap<SpaceId, Point>
}

/** Cells for a wide window, where a piece's word is written in one line, and for a tall one, where it stands. */
export const WIDE: Cell = { width: 62, height: 47 }
export const TALL: Cell = { width: 42, height: 56 }
/** The duel board is narrow: there is room for wide pieces everywhere. */
export const DUEL_CELL: Cell = { width: 78, height: 52 }

/** R-BOARD-3: the mountains lie between the fronts of the duel board. */
const FRONTS_APART = 0.7

/** A space's column and row on the board's own grid, from 1. */
export const gridOf = (space: SpaceId): Point => ({
  x: space.charCodeAt(0) - 96,
  y: Number(space.slice(1)),
})

/** Works out the drawing of a board. The grid is turned, never mirrored: right-hand neighbours stay at the right. */
export function layoutBoard(
  board: Board,
  { bottom, cell }: { readonly bottom: Seat; readonly cell: Cell },
): Layout {
  const size = sizeOf(board)
  const turned = bottom === 'east' || bottom === 'west'
  const [columns, rows] = turned ? [size.y, size.x] : [size.x, size.y]
  const gap = board.name === 'duel' ? FRONTS_APART : 0
  const at = (space: SpaceId): Point => {
    const { x, y } = turn(gridOf(space), size, bottom)
    const isBelow = y > rows / 2
    return { x: (x - 0.5) * cell.width, y: (y - 0.5 + (isBelow ? gap : 0)) * cell.height }
  }
  return {
    width: columns * cell.width,
    height: (rows + gap) * cell.height,
    cell,
    points: new Map(board.spaces.map((space) => [space, at(space)])),
  }
}

/** The whole grid, whatever territories are closed. */
function sizeOf({ name }: Board): Point {
  const grids = BOARDS[name].spaces.map(gridOf)
  return { x: Math.max(...grids.map(({ x }) => x)), y: Math.max(...grids.map(({ y }) => y)) }
}

/** Column from the left and row from the top, from 1. */
function turn({ x, y }: Point, size: Point, bottom: Seat): Point {
  switch (bottom) {
    case 'south':
      return { x, y: size.y + 1 - y }
    case 'north':
      return { x: size.x + 1 - x, y }
    case 'east':
      return { x: y, y: x }
    case 'west':
      return { x: size.y + 1 - y, y: size.x + 1 - x }
  }
}

export type Side = 'bottom' | 'right' | 'top' | 'left'
const SIDES: readonly Side[] = ['bottom', 'right', 'top', 'left']

/** On which side of the drawing a seat's territory is. */
export function sideOf(seat: Seat, bottom: Seat): Side {
  const steps = (SEATS.indexOf(seat) - SEATS.indexOf(bottom) + SEATS.length) % SEATS.length
  return SIDES[steps] ?? 'bottom'
}

export type Direction = 'up' | 'down' | 'left' | 'right'

const HEADINGS: Readonly<Record<Direction, Point>> = {
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
}

/** The space that an arrow key leads to: the nearest in that direction, straight ahead before aside; null: none is there. */
export function spaceTowards(layout: Layout, from: SpaceId, direction: Direction): SpaceId | null {
  const start = layout.points.get(from)
  if (start === undefined) return null
  const heading = HEADINGS[direction]
  let best: { space: SpaceId; cost: number } | null = null
  for (const [space, point] of layout.points) {
    const dx = (point.x - start.x) / layout.cell.width
    const dy = (point.y - start.y) / layout.cell.height
    const ahead = dx * heading.x + dy * heading.y
    const aside = Math.abs(dx * heading.y) + Math.abs(dy * heading.x)
    if (ahead < 0.5 || aside > ahead * 2) continue
    const cost = ahead + aside * 3
    if (best === null || cost < best.cost) best = { space, cost }
  }
  return best?.space ?? null
}

/** The path of a link: a line, or the arc of a curved railroad (R-BOARD-5). */
export const stroke = (layout: Layout, from: SpaceId, to: SpaceId): string =>
  strokeAlong(layout, [from, to])

/** Every space of a way, joined: what the last move is drawn with. */
export function strokeAlong(layout: Layout, way: readonly SpaceId[]): string {
  return way.map((space, i) => strokeTo(layout, way[i - 1] ?? null, space)).join('')
}

const CURVES = new Set(['f7g6', 'k6l7', 'k12l11', 'f11g12'])
const isCurve = (from: SpaceId, to: SpaceId): boolean => CURVES.has([from, to].sort().join(''))

function strokeTo(layout: Layout, from: SpaceId | null, to: SpaceId): string {
  const end = layout.points.get(to)
  if (end === undefined) return ''
  const start = from === null ? undefined : layout.points.get(from)
  if (from === null || start === undefined) return `M${end.x} ${end.y}`
  if (!isCurve(from, to)) return `L${end.x} ${end.y}`
  const corner = cornerOf(layout, start, end)
  return `Q${corner.x} ${corner.y} ${end.x} ${end.y}`
}

/** Of the two corners between the ends of a curve the one at the center's side: so both ends are left straight on. */
function cornerOf({ width, height }: Layout, a: Point, b: Point): Point {
  const one = { x: a.x, y: b.y }
  const other = { x: b.x, y: a.y }
  const distance = ({ x, y }: Point) => Math.hypot(x - width / 2, y - height / 2)
  return distance(one) < distance(other) ? one : other
}
