import type { Terrain } from './terrain.ts'

/** The spaces that a piece can get to, where they are free, or attack, where they are not. */
export function reach(
  { ground, size }: Terrain,
  standing: readonly unknown[],
  from: number,
  roams: boolean,
): readonly number[] {
  return roams ? roam(ground, standing, { from, size }) : walk(ground, standing, from)
}

type Ground = Terrain['ground']

function walk({ paths }: Ground, standing: readonly unknown[], from: number): number[] {
  const tree = paths.trees[from]
  const found: number[] = []
  if (tree === undefined) return found
  for (let i = 0; i < tree.to.length; ) {
    const space = tree.to[i] ?? 0
    found.push(space)
    i = standing[space] === null ? i + 1 : (tree.skip[i] ?? tree.to.length)
  }
  return found
}

function roam(
  { paths }: Ground,
  standing: readonly unknown[],
  { from, size }: { readonly from: number; readonly size: number },
): number[] {
  const seen = new Uint8Array(size)
  seen[from] = 1
  const found: number[] = []
  const spread = (neighbours: Uint8Array | undefined) => {
    for (const space of neighbours ?? []) {
      if (seen[space] === 1) continue
      seen[space] = 1
      found.push(space)
    }
  }
  spread(paths.railroads[from])
  for (let i = 0; i < found.length; i++) {
    const space = found[i] ?? 0
    if (standing[space] === null) spread(paths.railroads[space])
  }
  spread(paths.links[from])
  return found
}
