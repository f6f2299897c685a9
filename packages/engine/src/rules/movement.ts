import { type PathTree, START } from '../board/paths.ts'
import { ofKind, type PieceKind } from '../piece.ts'
import { ofSeat, type Seat } from '../seat.ts'
import { type Gait, type Ground, type Move, ROAMS, STAYS, WALKS } from './ground.ts'

/** A piece as far as a mover knows it: its seat, and its kind if it is the mover's own (R-MOVE-6). */
export interface Standing {
  readonly seat: Seat | null
  readonly kind: PieceKind | 'hidden'
}

/** What stands on each space, by index. */
export type Pieces = readonly (Standing | null)[]

/** A seat, and the board as it finds it: public facts alone. */
export interface Onlooker {
  readonly ground: Ground
  readonly pieces: Pieces
  readonly seat: Seat
  readonly ally: Seat | null
}

/** A seat whose moves are looked for. */
export interface Mover extends Onlooker {
  /** By space: how the seat finds it, once it was looked at. */
  readonly occupancy: Uint8Array
}

const FREE = 0
/** An own or allied piece, or any piece in a camp (R-MOVE-5). */
const BLOCKED = 1
const ATTACKABLE = 2
const NOT_LOOKED_AT = 3

const onlookerOf = (ground: Ground, pieces: Pieces, seat: Seat): Onlooker => ({
  ground,
  pieces,
  seat,
  ally: ofSeat(ground.ally, seat),
})

/** Works in the ground's scratch space: good until the next one is made. */
function moverOf(ground: Ground, pieces: Pieces, seat: Seat): Mover {
  const { occupancy } = ground.scratch
  occupancy.fill(NOT_LOOKED_AT)
  return { ground, pieces, seat, ally: ofSeat(ground.ally, seat), occupancy }
}

/** All moves of a seat's pieces. */
export function movesOf(ground: Ground, pieces: Pieces, seat: Seat): readonly Move[] {
  const mover = moverOf(ground, pieces, seat)
  const moves: Move[] = []
  for (let from = 0; from < pieces.length; from++) {
    const piece = pieces[from]
    if (piece === null || piece === undefined || piece.seat !== seat) continue
    const count = findDestinations(mover, from, gaitOn(ground, from, piece))
    const there = ground.moves[from] ?? []
    for (let i = 0; i < count; i++) {
      const move = there[ground.scratch.found[i] ?? 0]
      if (move !== undefined) moves.push(move)
    }
  }
  return moves
}

/** Whether the piece on `from` may move to `to`. */
export function mayMove(ground: Ground, pieces: Pieces, from: number, to: number): boolean {
  const piece = pieces[from]
  if (piece === null || piece === undefined || piece.seat === null) return false
  switch (gaitOn(ground, from, piece)) {
    case STAYS:
      return false
    case WALKS:
      return walksTo(onlookerOf(ground, pieces, piece.seat), from, to)
    case ROAMS:
      return roamsTo(moverOf(ground, pieces, piece.seat), from, to)
  }
}

/** Whether a seat has a legal move. */
export function hasMove(ground: Ground, pieces: Pieces, seat: Seat): boolean {
  const onlooker = onlookerOf(ground, pieces, seat)
  const search = ofSeat(ground.search, seat)
  for (let i = 0; i < search.length; i++) {
    const from = search[i] ?? 0
    const piece = pieces[from]
    if (piece === null || piece === undefined || piece.seat !== seat) continue
    if (canStep(onlooker, from, gaitOn(ground, from, piece))) return true
  }
  return false
}

/** R-MOVE-1. */
export function gaitOn({ gaits, traps }: Ground, from: number, { kind }: Standing): Gait {
  if (kind === 'hidden' || traps[from] === 1) return STAYS
  return ofKind(gaits, kind) ?? STAYS
}

/** How a mover finds a space (R-MOVE-5). */
function look(mover: Mover, space: number): number {
  const { occupancy } = mover
  if (occupancy[space] === NOT_LOOKED_AT) occupancy[space] = lookAtPiece(mover, space)
  return occupancy[space] ?? BLOCKED
}

/** What `look` finds on a space, from the piece there. */
export function lookAtPiece({ ground, pieces, seat, ally }: Onlooker, space: number): number {
  const there = pieces[space]
  if (there === null || there === undefined) return FREE
  const blocks = there.seat === seat || there.seat === ally || ground.camps[space] === 1
  return blocks ? BLOCKED : ATTACKABLE
}

/** Whether a piece can move at all: by one step, for every longer move begins with a free one. */
export function canStep(onlooker: Onlooker, from: number, gait: number): boolean {
  if (gait === STAYS) return false
  const { links, steps } = onlooker.ground.paths
  const to = (gait === ROAMS ? links : steps)[from]
  if (to === undefined) return false
  for (let i = 0; i < to.length; i++) if (lookAtPiece(onlooker, to[i] ?? 0) !== BLOCKED) return true
  return false
}

/** Finds where a piece may go, each space once, into `scratch.found`; says how many there are. */
export function findDestinations(mover: Mover, from: number, gait: number): number {
  if (gait === STAYS) return 0
  if (gait === ROAMS) return roam(mover, from)
  const count = walk(mover, from)
  return mover.ground.paths.meets ? dropRepeated(mover.ground, count) : count
}

/** R-MOVE-2, R-MOVE-3, R-MOVE-7: along the tree of paths, past nothing that stands in the way. */
function walk(mover: Mover, from: number): number {
  const { paths, scratch } = mover.ground
  const tree = paths.trees[from]
  if (tree === undefined) return 0
  const { to, skip } = tree
  const { found } = scratch
  let count = 0
  for (let i = 0; i < to.length; ) {
    const space = to[i] ?? 0
    const there = look(mover, space)
    if (there !== BLOCKED) found[count++] = space
    i = there === FREE ? i + 1 : (skip[i] ?? to.length)
  }
  return count
}

/** Whether a walk leads to a space: on one of the ways there nothing stands between. */
function walksTo(onlooker: Onlooker, from: number, to: number): boolean {
  const tree = onlooker.ground.paths.trees[from]
  if (tree === undefined || lookAtPiece(onlooker, to) === BLOCKED) return false
  for (let at = 0; at < tree.to.length; at++) {
    if (tree.to[at] === to && isWayFree(onlooker, tree, at)) return true
  }
  return false
}

function isWayFree(onlooker: Onlooker, { to, before }: PathTree, end: number): boolean {
  for (let at = before[end] ?? START; at !== START; at = before[at] ?? START) {
    if (lookAtPiece(onlooker, to[at] ?? 0) !== FREE) return false
  }
  return true
}

/** Two ways may lead to one space (`rightAngle`). */
function dropRepeated({ scratch: { found, seen } }: Ground, all: number): number {
  let count = 0
  for (let i = 0; i < all; i++) {
    const space = found[i] ?? 0
    if (seen[space] === 0) found[count++] = space
    seen[space] = 1
  }
  seen.fill(0)
  return count
}

/** R-MOVE-4: any way over railroads, or one step over a road. */
function roam(mover: Mover, from: number): number {
  const { links, railroads } = mover.ground.paths
  const { found, seen } = mover.ground.scratch
  seen[from] = 1
  let count = spread(mover, railroads[from], 0)
  for (let i = 0; i < count; i++) {
    const space = found[i] ?? 0
    if (look(mover, space) === FREE) count = spread(mover, railroads[space], count)
  }
  count = spread(mover, links[from], count)
  seen.fill(0)
  return count
}

function roamsTo(mover: Mover, from: number, to: number): boolean {
  const { found } = mover.ground.scratch
  const count = roam(mover, from)
  for (let i = 0; i < count; i++) if (found[i] === to) return true
  return false
}

/** Adds the neighbours that are not found yet and not blocked; says how many are found then. */
function spread(mover: Mover, neighbours: Uint8Array | undefined, already: number): number {
  if (neighbours === undefined) return already
  const { found, seen } = mover.ground.scratch
  let count = already
  for (let i = 0; i < neighbours.length; i++) {
    const space = neighbours[i] ?? 0
    if (seen[space] === 1 || look(mover, space) === BLOCKED) continue
    seen[space] = 1
    found[count++] = space
  }
  return count
}
