import { type Board, boardOf, type RuleSet, type SpaceId } from '@junqi/engine'

/** A move as everyone sees it. */
interface Step {
  readonly from: SpaceId
  readonly to: SpaceId
}

/**
 * The way that a move is drawn along: one public function of from, to and what stood where, so that it
 * tells no kind (R-FIGHT-7). A link, else a railroad line, else the shortest way over empty railroad spaces.
 */
export function wayOf(
  ruleSet: RuleSet,
  isTaken: (space: SpaceId) => boolean,
  { from, to }: Step,
): readonly SpaceId[] {
  const board = boardOf(ruleSet)
  const [start, end] = [board.indexOf.get(from), board.indexOf.get(to)]
  if (start === undefined || end === undefined) return [from, to]
  const name = (index: number): SpaceId => board.spaces[index] ?? ''
  const isFree = (index: number): boolean => !isTaken(name(index))
  const way =
    alongLink(board, start, end) ??
    alongLine(board, start, end, isFree) ??
    alongRailroads(board, start, end, isFree)
  return way === null ? [from, to] : way.map(name)
}

type Way = readonly number[]
type IsFree = (index: number) => boolean

function alongLink({ links }: Board, start: number, end: number): Way | null {
  const isLinked = links.some(
    ({ a, b }) => (a === start && b === end) || (a === end && b === start),
  )
  return isLinked ? [start, end] : null
}

function alongLine({ lines }: Board, start: number, end: number, isFree: IsFree): Way | null {
  for (const { spaces } of lines) {
    const [i, j] = [spaces.indexOf(start), spaces.indexOf(end)]
    if (i < 0 || j < 0) continue
    const stretch = spaces.slice(Math.min(i, j), Math.max(i, j) + 1)
    if (stretch.slice(1, -1).every(isFree)) return i < j ? stretch : stretch.reverse()
  }
  return null
}

function alongRailroads({ links }: Board, start: number, end: number, isFree: IsFree): Way | null {
  const rails = links.filter(({ railroad }) => railroad)
  const cameFrom = new Map<number, number>([[start, start]])
  const queue = [start]
  for (const at of queue) {
    for (const { a, b } of rails) {
      const next = a === at ? b : b === at ? a : null
      if (next === null || cameFrom.has(next)) continue
      if (next !== end && !isFree(next)) continue
      cameFrom.set(next, at)
      if (next === end) return backFrom(end, cameFrom)
      queue.push(next)
    }
  }
  return null
}

function backFrom(end: number, cameFrom: ReadonlyMap<number, number>): Way {
  const way = [end]
  for (;;) {
    const at = way[0] ?? end
    const before = cameFrom.get(at) ?? at
    if (before === at) return way
    way.unshift(before)
  }
}
