import type { Terrain } from '../terrain.ts'

/** Whether a piece that cannot turn on railroads could have gone this way (R-MOVE-2, R-MOVE-3, R-MOVE-7). */
export function isWalk(
  { ground }: Terrain,
  standing: readonly unknown[],
  from: number,
  to: number,
): boolean {
  const tree = ground.paths.trees[from]
  if (tree === undefined) return false
  for (let i = 0; i < tree.to.length; ) {
    const space = tree.to[i] ?? 0
    if (space === to) return true
    i = standing[space] === null ? i + 1 : (tree.skip[i] ?? tree.to.length)
  }
  return false
}
