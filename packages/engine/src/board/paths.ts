import type { Board, Line } from './board.ts'

/**
 * Everywhere a piece may walk from one space if nothing stood in its way: a tree of spaces in
 * preorder. Where the space `to[i]` is not free, the walk goes on at `skip[i]`, past all that lies
 * behind it.
 */
export interface PathTree {
  readonly to: Uint8Array
  readonly skip: Uint16Array
  /** From where in the tree a walk comes to the space `to[i]`. */
  readonly before: Int16Array
}

/** `before` where a walk begins. */
export const START = -1

export type RailTurn = 'curve' | 'straight' | 'rightAngle'

/** What the two kinds of walkers find on a board, by space index. */
export interface Paths {
  /** Roads and lines (R-MOVE-2, R-MOVE-3, R-MOVE-7). */
  readonly trees: readonly PathTree[]
  /** One step over any link but a closed curve: the beginnings of all moves in `trees`. */
  readonly steps: readonly Uint8Array[]
  /** One step over any link: the beginnings of an engineer's moves. */
  readonly links: readonly Uint8Array[]
  /** One step over a railroad, for engineers (R-MOVE-4). */
  readonly railroads: readonly Uint8Array[]
  /** Some space can be reached on two ways (`rightAngle`). */
  readonly meets: boolean
}

interface Node {
  readonly children: Map<number, Node>
}

/** Works out the paths of a board under one `railTurn` (R-MOVE-7). */
export function buildPaths(board: Board, railTurn: RailTurn): Paths {
  const neighbours = (wanted: (link: Board['links'][number]) => boolean) => {
    const lists: number[][] = board.spaces.map(() => [])
    for (const link of board.links.filter(wanted)) {
      lists[link.a]?.push(link.b)
      lists[link.b]?.push(link.a)
    }
    return lists.map((list) => Uint8Array.from(list))
  }
  const steps = neighbours((link) => !(link.curved && railTurn === 'straight'))
  return {
    trees: board.spaces.map((_, from) => treeFrom(from, steps[from] ?? [], { board, railTurn })),
    steps,
    links: neighbours(() => true),
    railroads: neighbours((link) => link.railroad),
    meets: railTurn === 'rightAngle',
  }
}

interface Rails {
  readonly board: Board
  readonly railTurn: RailTurn
}

function treeFrom(from: number, steps: Iterable<number>, rails: Rails): PathTree {
  const root: Node = { children: new Map() }
  for (const step of steps) grow(root, [step])
  for (const path of railPathsFrom(from, rails)) grow(root, path)
  return flatten(root)
}

/** The longest walks over railroads (R-MOVE-3, R-MOVE-7); every part of one from its start is a move too. */
function railPathsFrom(from: number, { board, railTurn }: Rails): number[][] {
  const lines = board.lines.filter(({ curved }) => !(curved && railTurn === 'straight'))
  const direct = lines.flatMap((line) => waysAlong(line, from))
  if (railTurn !== 'rightAngle') return direct
  const straight = lines.filter(({ curved }) => !curved)
  const turned = straight.flatMap((first) =>
    waysAlong(first, from).flatMap((way) =>
      way.flatMap((_, i) => turns(first, way.slice(0, i + 1))),
    ),
  )
  return [...direct, ...turned]

  function turns(first: Line, way: readonly number[]): number[][] {
    const corner = way.at(-1) ?? from
    return straight
      .filter((line) => line !== first)
      .flatMap((line) => waysAlong(line, corner))
      .map((rest) => [...way, ...rest])
  }
}

/** Both ways along a line from one of its spaces. */
function waysAlong({ spaces }: Line, from: number): number[][] {
  const at = spaces.indexOf(from)
  if (at < 0) return []
  return [spaces.slice(at + 1), spaces.slice(0, at).reverse()]
}

function grow(root: Node, path: readonly number[]): void {
  let node = root
  for (const space of path) {
    const next: Node = node.children.get(space) ?? { children: new Map() }
    node.children.set(space, next)
    node = next
  }
}

function flatten(root: Node): PathTree {
  const to: number[] = []
  const skip: number[] = []
  const before: number[] = []
  const visit = (node: Node, parent: number) => {
    for (const [space, child] of node.children) {
      const at = to.push(space) - 1
      before[at] = parent
      visit(child, at)
      skip[at] = to.length
    }
  }
  visit(root, START)
  return {
    to: Uint8Array.from(to),
    skip: Uint16Array.from(skip),
    before: Int16Array.from(before),
  }
}
