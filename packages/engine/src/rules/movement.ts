import { PIECES, type Piece, type PieceKind } from '../piece.ts'
import type { Seat } from '../seat.ts'
import type { Ground } from './ground.ts'
import type { RuleSet } from './rule-set.ts'

/**
 * What a seat that wants to move finds on each space, by index: public facts and its own pieces
 * alone (R-MOVE-6).
 */
export type Occupancy = Uint8Array
const FREE = 0
/** An own or allied piece, or any piece in a camp (R-MOVE-5). */
const BLOCKED = 1
const ATTACKABLE = 2

/** Whose piece stands on each space: all that movement may know of other seats' pieces. */
type Standing = readonly ({ readonly seat: Seat } | null)[]

export function occupancyFor(ground: Ground, standing: Standing, seat: Seat): Occupancy {
  const own = ground.alliance[seat]
  const occupancy = new Uint8Array(standing.length)
  for (let i = 0; i < standing.length; i++) {
    const piece = standing[i]
    if (piece === null || piece === undefined) continue
    occupancy[i] =
      ground.camps[i] === 1 || ground.alliance[piece.seat] === own ? BLOCKED : ATTACKABLE
  }
  return occupancy
}

/** How a kind gets about (R-MOVE-1, R-MOVE-4): as the rule set has it. */
export type Gait = 'stays' | 'walks' | 'roams'

export function gaitOf(kind: PieceKind, ruleSet: RuleSet): Gait {
  const { moves, engineers, role } = PIECES[kind]
  if (!moves) return 'stays'
  return engineers || (ruleSet.flyingBomb && role === 'bomb') ? 'roams' : 'walks'
}

/** Everywhere that a piece on `from` may move to, by index, each once. */
export function destinations(
  ground: Ground,
  occupancy: Occupancy,
  { from, gait }: { readonly from: number; readonly gait: Gait },
): number[] {
  if (gait === 'stays' || ground.traps[from] === 1) return []
  return gait === 'roams' ? roam(ground, occupancy, from) : walk(ground, occupancy, from)
}

/** R-MOVE-2, R-MOVE-3, R-MOVE-7: along the tree of paths, past nothing that stands in the way. */
function walk({ paths }: Ground, occupancy: Occupancy, from: number): number[] {
  const found: number[] = []
  const tree = paths.trees[from]
  if (tree === undefined) return found
  const { to, skip } = tree
  for (let i = 0; i < to.length; ) {
    const space = to[i] ?? 0
    const there = occupancy[space]
    if (there !== BLOCKED && !(paths.meets && found.includes(space))) found.push(space)
    i = there === FREE ? i + 1 : (skip[i] ?? to.length)
  }
  return found
}

/** R-MOVE-4: one step over a road, or any way over railroads. */
function roam({ paths }: Ground, occupancy: Occupancy, from: number): number[] {
  const found: number[] = []
  const seen = new Uint8Array(occupancy.length)
  seen[from] = 1
  const visit = (spaces: Uint8Array | undefined) => {
    if (spaces === undefined) return
    for (let i = 0; i < spaces.length; i++) {
      const space = spaces[i] ?? 0
      if (seen[space] === 1) continue
      seen[space] = 1
      if (occupancy[space] !== BLOCKED) found.push(space)
    }
  }
  visit(paths.railroads[from])
  for (let i = 0; i < found.length; i++) {
    const space = found[i] ?? 0
    if (occupancy[space] === FREE) visit(paths.railroads[space])
  }
  visit(paths.links[from])
  return found
}

/** The seats that have a legal move, of those with pieces on the board. */
export function seatsWithMoves(
  ground: Ground,
  pieces: readonly (Piece | null)[],
  ruleSet: RuleSet,
): ReadonlySet<Seat> {
  const able = new Set<Seat>()
  for (let from = 0; from < pieces.length; from++) {
    const piece = pieces[from]
    if (piece === null || piece === undefined || able.has(piece.seat)) continue
    if (canStep(ground, pieces, { from, piece, gait: gaitOf(piece.kind, ruleSet) })) {
      able.add(piece.seat)
    }
  }
  return able
}

/** A piece can move when it can move one step: every longer move begins with a free one. */
function canStep(
  { paths, traps, camps, alliance }: Ground,
  pieces: readonly (Piece | null)[],
  { from, piece, gait }: { readonly from: number; readonly piece: Piece; readonly gait: Gait },
): boolean {
  if (gait === 'stays' || traps[from] === 1) return false
  const steps = (gait === 'roams' ? paths.links : paths.steps)[from]
  if (steps === undefined) return false
  for (let i = 0; i < steps.length; i++) {
    const to = steps[i] ?? 0
    const there = pieces[to]
    if (there === null || there === undefined) return true
    if (camps[to] === 0 && alliance[there.seat] !== alliance[piece.seat]) return true
  }
  return false
}
