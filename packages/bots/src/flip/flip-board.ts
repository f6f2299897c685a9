import {
  COLOURS,
  type Colour,
  type FlipRuleSet,
  type FlipView,
  type GameView,
  invariant,
  mayAttack,
  otherColour,
  PIECE_KINDS,
  PIECES,
  ROAMS,
  STAYS,
  sideOf,
} from '@junqi/engine'
import type { Sight } from '../brain.ts'
import { COUNTS, KINDS, numberOf } from '../kinds.ts'
import { ATTACKER_GONE, DEFENDER_GONE, type Terrain } from '../terrain.ts'

/** Who has a space: the two colours by number, else one of these. */
export const EMPTY = -1
/** Nobody can do anything with it but turn it up (R-FLIP-4). */
export const FACE_DOWN = 2

/** A flip game as everyone sees it, that moves are made on and taken back. */
export interface FlipBoard {
  readonly owner: Int8Array
  readonly kind: Int8Array
  /** The colour to move, by number. */
  toMove: number
  /** What colour 0 has more than colour 1. */
  score: number
  /** Pieces that lie face down. */
  faceDown: number
}

/** What never changes while a position is searched. */
export interface FlipStakes {
  readonly terrain: Terrain
  /** 1 for each attack that the rules allow: colour, attacker, defender. */
  readonly allowed: Uint8Array
  /** What a piece adds for its own colour where it stands: colour, kind, space. */
  readonly worth: Float64Array
}

/** What lies face down, by colour and kind: everyone can count it. */
export type Unseen = readonly (readonly number[])[]

export function unseenIn(view: GameView, { removed }: FlipView): Unseen {
  return COLOURS.map((colour) =>
    PIECE_KINDS.map((kind, number) => {
      const open = view.pieces.filter((piece) => piece.colour === colour && piece.kind === kind)
      const gone = removed[colour].filter((each) => each === kind)
      return (COUNTS[number] ?? 0) - open.length - gone.length
    }),
  )
}

/** The attacks that the rules allow as things stand (R-FLIP-6, R-FLIP-7). */
export function allowedAttacks(ruleSet: FlipRuleSet, flip: FlipView): Uint8Array {
  const allowed = new Uint8Array(COLOURS.length * KINDS * KINDS)
  for (const [number, colour] of COLOURS.entries()) {
    const sides = { own: sideOf(flip, colour), enemy: sideOf(flip, otherColour(colour)) }
    for (const [a, attacker] of PIECE_KINDS.entries()) {
      for (const [d, defender] of PIECE_KINDS.entries()) {
        const may = PIECES[attacker].moves && mayAttack(ruleSet, [attacker, defender], sides)
        allowed[(number * KINDS + a) * KINDS + d] = may ? 1 : 0
      }
    }
  }
  return allowed
}

export const colourNumber = (colour: Colour): number => COLOURS.indexOf(colour)

/** The board as it lies. */
export function flipBoardOf(sight: Sight, stakes: FlipStakes, toMove: number): FlipBoard {
  const { terrain } = stakes
  const board: FlipBoard = {
    owner: new Int8Array(terrain.size).fill(EMPTY),
    kind: new Int8Array(terrain.size),
    toMove,
    score: 0,
    faceDown: 0,
  }
  for (const { space, colour = null, kind } of sight.view.pieces) {
    const index = terrain.ground.board.indexOf.get(space)
    invariant(index !== undefined, `no space ${space}`)
    if (colour === null || kind === 'hidden') {
      board.owner[index] = FACE_DOWN
      board.faceDown++
    } else put(board, stakes, index, [colourNumber(colour), numberOf(kind)])
  }
  return board
}

/** Puts a piece on a space, face up. */
export function put(
  board: FlipBoard,
  { worth, terrain }: FlipStakes,
  space: number,
  [colour, kind]: readonly [number, number],
): void {
  board.owner[space] = colour
  board.kind[space] = kind
  board.score += sign(colour) * (worth[(colour * KINDS + kind) * terrain.size + space] ?? 0)
}

const sign = (colour: number): number => (colour === 0 ? 1 : -1)

/** Moves of the colour to move, as `from * 256 + to`, each with the attack's result; attacks alone, if so asked. */
export function flipMovesOn(
  board: FlipBoard,
  stakes: FlipStakes,
  { attacksOnly }: { readonly attacksOnly: boolean },
): number[] {
  const { owner, kind, toMove } = board
  const { ground, gaits } = stakes.terrain
  const moves: number[] = []
  for (let from = 0; from < owner.length; from++) {
    if (owner[from] !== toMove || ground.traps[from] === 1) continue
    const gait = gaits[kind[from] ?? 0] ?? STAYS
    if (gait === STAYS) continue
    const add = (to: number): boolean => {
      const there = owner[to] ?? EMPTY
      if (there === EMPTY) {
        if (!attacksOnly) moves.push(from * 256 + to)
        return true
      }
      if (isTarget(board, stakes, from, to)) moves.push(from * 256 + to)
      return false
    }
    if (gait === ROAMS) roam(ground.paths, from, add)
    else walk(ground.paths, from, add)
  }
  return moves
}

type Paths = Terrain['ground']['paths']

function walk({ trees }: Paths, from: number, add: (to: number) => boolean): void {
  const tree = trees[from]
  if (tree === undefined) return
  for (let i = 0; i < tree.to.length; ) {
    i = add(tree.to[i] ?? 0) ? i + 1 : (tree.skip[i] ?? tree.to.length)
  }
}

function roam({ railroads, links }: Paths, from: number, add: (to: number) => boolean): void {
  const seen = new Set([from])
  const open = [from]
  for (const space of open) {
    for (const to of railroads[space] ?? []) {
      if (seen.has(to)) continue
      seen.add(to)
      if (add(to)) open.push(to)
    }
  }
  for (const to of links[from] ?? []) if (!seen.has(to)) add(to)
}

/** Whether a piece may attack what stands there (R-FLIP-4 to R-FLIP-7). */
function isTarget(
  { owner, kind, toMove }: FlipBoard,
  { terrain, allowed }: FlipStakes,
  from: number,
  to: number,
): boolean {
  if (owner[to] !== 1 - toMove || terrain.ground.camps[to] === 1) return false
  const [a, d] = [kind[from] ?? 0, kind[to] ?? 0]
  const isSafe = terrain.ground.board.kinds[to] === 'headquarters'
  if (isSafe && PIECES[PIECE_KINDS[d] ?? 'flag'].moves) return false
  return allowed[(toMove * KINDS + a) * KINDS + d] === 1
}

/** What a move changed. */
export interface FlipUndo {
  readonly move: number
  readonly moving: number
  readonly target: number
  readonly targetKind: number
  readonly score: number
}

export function playOn(board: FlipBoard, stakes: FlipStakes, move: number): FlipUndo {
  const { owner, kind, toMove, score } = board
  const { terrain, worth } = stakes
  const [from, to] = [move >> 8, move & 255]
  const [moving, target, targetKind] = [kind[from] ?? 0, owner[to] ?? EMPTY, kind[to] ?? 0]
  const fight =
    target === EMPTY ? DEFENDER_GONE : (terrain.fights[moving * KINDS + targetKind] ?? 0)
  const own = (toMove * KINDS + moving) * terrain.size
  board.score -= sign(toMove) * (worth[own + from] ?? 0)
  owner[from] = EMPTY
  if (target !== EMPTY && (fight & DEFENDER_GONE) !== 0) {
    const taken = (target * KINDS + targetKind) * terrain.size
    board.score -= sign(target) * (worth[taken + to] ?? 0)
    owner[to] = EMPTY
  }
  if ((fight & ATTACKER_GONE) === 0) put(board, stakes, to, [toMove, moving])
  board.toMove = 1 - toMove
  return { move, moving, target, targetKind, score }
}

export function takeBackOn(board: FlipBoard, undo: FlipUndo): void {
  const { owner, kind } = board
  const [from, to] = [undo.move >> 8, undo.move & 255]
  board.toMove = 1 - board.toMove
  owner[from] = board.toMove
  kind[from] = undo.moving
  owner[to] = undo.target
  kind[to] = undo.targetKind
  board.score = undo.score
}
