import { ROAMS, SEATS, type Seat, STAYS } from '@junqi/engine'
import type { World } from '../belief/worlds.ts'
import { FLAG, KINDS } from '../kinds.ts'
import type { Mind } from '../mind.ts'
import type { Outlook } from '../outlook.ts'
import { ATTACKER_GONE, DEFENDER_GONE, FLAG_TAKEN, type Terrain } from '../terrain.ts'
import { VALUES } from '../values.ts'

/** What an army's fall is worth beside its pieces. */
const FALL = 120
export const EMPTY = -1

/** What never changes while one world is searched. */
export interface Stakes {
  readonly terrain: Terrain
  /** What a piece adds to the score where it stands: by seat, kind and space. */
  readonly worth: Float64Array
  /** 1 for the seats that play for the score, -1 for those against it. */
  readonly side: Int8Array
  /** The ally of the seat that searches; -1: it has none. */
  readonly idle: number
  /** The ally of each seat, or itself. */
  readonly friend: Int8Array
  /** Who moves after whom, everyone being in. */
  readonly next: Int8Array
  /** What taking the flag of a seat adds. */
  readonly fall: Float64Array
}

/** A board that moves are made on and taken back, by numbers alone. */
export interface SearchBoard {
  readonly owner: Int8Array
  readonly kind: Int8Array
  /** 1 for the seats still in. */
  readonly inPlay: Uint8Array
  toMove: number
  score: number
}

const seatNumber = (seat: Seat): number => SEATS.indexOf(seat)

/** What a seat plays for, by how it sees the places of the board. */
export function stakesOf(mind: Mind, outlook: Outlook): Stakes {
  const { terrain, seat } = mind
  const { size, ruleSet } = terrain
  const side = Int8Array.from(SEATS, (other) => (other === seat || other === mind.ally ? 1 : -1))
  const enemies = ruleSet.alliances.length - 1
  const worth = new Float64Array(SEATS.length * KINDS * size)
  for (const [number, other] of SEATS.entries()) {
    // Of several enemies alone each hurts less, and gains less from another's loss.
    const weight = side[number] === 1 ? 1 : -1 / Math.sqrt(enemies)
    for (let kind = 0; kind < KINDS; kind++) {
      for (let space = 0; space < size; space++) {
        const at = kind * size + space
        const trapped = terrain.ground.traps[space] === 1 && kind !== FLAG ? 0.4 : 1
        const place = outlook.places[other][at] ?? 0
        worth[number * KINDS * size + at] = weight * ((VALUES[kind] ?? 0) * trapped + place)
      }
    }
  }
  const steps = ruleSet.turnOrder === 'counterclockwise' ? 1 : 3
  return {
    terrain,
    worth,
    side,
    idle: mind.ally === null ? -1 : seatNumber(mind.ally),
    friend: Int8Array.from(SEATS, (other) => seatNumber(terrain.ground.ally[other] ?? other)),
    next: Int8Array.from(SEATS, (_, i) => (i + steps) % SEATS.length),
    fall: Float64Array.from(SEATS, (_, i) => (side[i] === 1 ? -FALL : FALL / Math.sqrt(enemies))),
  }
}

/** The board as it would be in a world. */
export function boardIn(mind: Mind, stakes: Stakes, world: World): SearchBoard {
  const { terrain, sight, story } = mind
  const board: SearchBoard = {
    owner: new Int8Array(terrain.size).fill(EMPTY),
    kind: new Int8Array(terrain.size),
    inPlay: Uint8Array.from(SEATS, (seat) => (sight.view.seats[seat]?.out === null ? 1 : 0)),
    toMove: seatNumber(mind.seat),
    score: 0,
  }
  for (const [space, piece] of story.standing.entries()) {
    if (piece === null) continue
    put(board, stakes, space, [seatNumber(piece.seat), world[piece.seat][piece.place] ?? 0])
  }
  return board
}

function put(
  board: SearchBoard,
  { worth, terrain }: Stakes,
  space: number,
  [owner, kind]: readonly [number, number],
): void {
  board.owner[space] = owner
  board.kind[space] = kind
  board.score += worth[(owner * KINDS + kind) * terrain.size + space] ?? 0
}

/** What `play` changed. Made once for each depth and written over, for speed. */
export interface Undo {
  from: number
  to: number
  mover: number
  target: number
  kind: number
  targetKind: number
  score: number
  /** The pieces of an army that fell, else null. */
  fallen: readonly (readonly [space: number, kind: number])[] | null
}

export const makeUndo = (): Undo => ({
  from: 0,
  to: 0,
  mover: 0,
  target: 0,
  kind: 0,
  targetKind: 0,
  score: 0,
  fallen: null,
})

/** Moves, or attacks with what it meets, and notes how to take it back; the next seat that is in is to move then. */
export function play(board: SearchBoard, stakes: Stakes, move: number, undo: Undo): void {
  const { owner, kind } = board
  const { worth, terrain } = stakes
  const from = move >> 8
  const to = move & 255
  const mover = owner[from] ?? 0
  const target = owner[to] ?? EMPTY
  const moving = kind[from] ?? 0
  const targetKind = kind[to] ?? 0
  undo.from = from
  undo.to = to
  undo.mover = mover
  undo.target = target
  undo.kind = moving
  undo.targetKind = targetKind
  undo.score = board.score
  undo.fallen = null
  const own = (mover * KINDS + moving) * terrain.size
  const fight =
    target === EMPTY ? DEFENDER_GONE : (terrain.fights[moving * KINDS + targetKind] ?? 0)
  if ((fight & (ATTACKER_GONE | DEFENDER_GONE)) !== 0) {
    owner[from] = EMPTY
    board.score -= worth[own + from] ?? 0
  }
  if ((fight & DEFENDER_GONE) !== 0) {
    if (target !== EMPTY) {
      board.score -= worth[(target * KINDS + targetKind) * terrain.size + to] ?? 0
      owner[to] = EMPTY
    }
    if ((fight & ATTACKER_GONE) === 0) {
      owner[to] = mover
      kind[to] = moving
      board.score += worth[own + to] ?? 0
    }
    if ((fight & FLAG_TAKEN) !== 0 && target !== EMPTY) undo.fallen = fell(board, stakes, target)
  }
  board.toMove = seatAfter(board, stakes, mover)
}

/** Takes an army off the board. */
function fell(board: SearchBoard, { worth, terrain, fall }: Stakes, seat: number) {
  const fallen: [number, number][] = []
  for (let space = 0; space < terrain.size; space++) {
    if (board.owner[space] !== seat) continue
    const kind = board.kind[space] ?? 0
    fallen.push([space, kind])
    board.owner[space] = EMPTY
    board.score -= worth[(seat * KINDS + kind) * terrain.size + space] ?? 0
  }
  board.inPlay[seat] = 0
  board.score += fall[seat] ?? 0
  return fallen
}

/** An ally is thought to stand still: what it would do with pieces that nobody knows says little. */
function seatAfter({ inPlay }: SearchBoard, { next, idle }: Stakes, seat: number): number {
  let after = next[seat] ?? 0
  while ((inPlay[after] !== 1 || after === idle) && after !== seat) after = next[after] ?? 0
  return after
}

export function takeBack(board: SearchBoard, undo: Undo): void {
  const { owner, kind } = board
  if (undo.fallen !== null) {
    board.inPlay[undo.target] = 1
    for (const [space, fallen] of undo.fallen) {
      owner[space] = undo.target
      kind[space] = fallen
    }
  }
  owner[undo.from] = undo.mover
  kind[undo.from] = undo.kind
  owner[undo.to] = undo.target
  kind[undo.to] = undo.targetKind
  board.toMove = undo.mover
  board.score = undo.score
}

/** Whether only one alliance is left. */
export function isDecided({ inPlay }: SearchBoard, { side }: Stakes): boolean {
  let ours = false
  let theirs = false
  for (let seat = 0; seat < inPlay.length; seat++) {
    if (inPlay[seat] !== 1) continue
    if (side[seat] === 1) ours = true
    else theirs = true
  }
  return !ours || !theirs
}

/** Moves as `from * 256 + to`, in `found`; says how many. Attacks alone, if so asked. */
export function findMoves(
  board: SearchBoard,
  { terrain, friend: friends }: Stakes,
  found: Int32Array,
  attacksOnly: boolean,
): number {
  const { owner, kind, toMove } = board
  const { ground, gaits } = terrain
  const { paths, traps, camps } = ground
  const friend = friends[toMove] ?? toMove
  let count = 0
  for (let from = 0; from < owner.length; from++) {
    if (owner[from] !== toMove || traps[from] === 1) continue
    const gait = gaits[kind[from] ?? 0] ?? STAYS
    if (gait === STAYS) continue
    if (gait === ROAMS) {
      count = roam(board, terrain, { from, friend, found, count, attacksOnly })
      continue
    }
    const tree = paths.trees[from]
    if (tree === undefined) continue
    const { to, skip } = tree
    for (let i = 0; i < to.length; ) {
      const space = to[i] ?? 0
      const there = owner[space] ?? EMPTY
      if (there === EMPTY) {
        if (!attacksOnly) found[count++] = from * 256 + space
        i++
        continue
      }
      if (there !== toMove && there !== friend && camps[space] !== 1) {
        found[count++] = from * 256 + space
      }
      i = skip[i] ?? to.length
    }
  }
  return count
}

const seen = new Uint8Array(256)
const queue = new Uint8Array(256)

interface Roaming {
  readonly from: number
  readonly friend: number
  readonly found: Int32Array
  readonly count: number
  readonly attacksOnly: boolean
}

function roam(
  { owner, toMove }: SearchBoard,
  { ground }: Terrain,
  { from, friend, found, count, attacksOnly }: Roaming,
): number {
  const { railroads, links } = ground.paths
  seen.fill(0)
  seen[from] = 1
  let reached = 0
  let total = count
  let at = -1
  let space = from
  for (;;) {
    const near = (space === -1 ? links[from] : railroads[space]) ?? NONE
    for (let i = 0; i < near.length; i++) {
      const to = near[i] ?? 0
      if (seen[to] === 1) continue
      seen[to] = 1
      const there = owner[to] ?? EMPTY
      if (there === EMPTY) {
        if (space !== -1) queue[reached++] = to
        if (!attacksOnly) found[total++] = from * 256 + to
      } else if (there !== toMove && there !== friend && ground.camps[to] !== 1) {
        found[total++] = from * 256 + to
      }
    }
    if (space === -1) return total
    at++
    space = at < reached ? (queue[at] ?? 0) : -1
  }
}

const NONE = new Uint8Array(0)
