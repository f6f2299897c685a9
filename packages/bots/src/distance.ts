import type { Terrain } from './terrain.ts'

/** What one step costs, in moves: a railroad takes a piece far in one. */
const ROAD = 1
const RAILROAD = 0.4

interface Way {
  readonly to: number
  readonly cost: number
}

const known = new WeakMap<Terrain, readonly (readonly Way[])[]>()

function waysOf(terrain: Terrain): readonly (readonly Way[])[] {
  const found = known.get(terrain)
  if (found !== undefined) return found
  const ways: Way[][] = terrain.ground.board.spaces.map(() => [])
  for (const { a, b, railroad } of terrain.ground.board.links) {
    const cost = railroad ? RAILROAD : ROAD
    ways[a]?.push({ to: b, cost })
    ways[b]?.push({ to: a, cost })
  }
  known.set(terrain, ways)
  return ways
}

/** How far every space is from some, in about as many moves; `toll` is what it costs to get past a space. */
export function distancesFrom(
  terrain: Terrain,
  from: readonly number[],
  toll: (space: number) => number,
): Float64Array {
  const ways = waysOf(terrain)
  const far = new Float64Array(terrain.size).fill(Number.POSITIVE_INFINITY)
  const open = new Set(from)
  for (const space of from) far[space] = 0
  while (open.size > 0) {
    const space = nearest(open, far)
    open.delete(space)
    const onward = (far[space] ?? 0) + (far[space] === 0 ? 0 : toll(space))
    for (const { to, cost } of ways[space] ?? []) {
      if (onward + cost >= (far[to] ?? 0)) continue
      far[to] = onward + cost
      open.add(to)
    }
  }
  return far
}

function nearest(open: ReadonlySet<number>, far: Float64Array): number {
  let best = -1
  for (const space of open) {
    if (best < 0 || (far[space] ?? 0) < (far[best] ?? 0)) best = space
  }
  return best
}
