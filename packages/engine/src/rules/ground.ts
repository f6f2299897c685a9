import type { Board, SpaceId } from '../board/board.ts'
import { buildBoard } from '../board/build-board.ts'
import { buildPaths, type Paths } from '../board/paths.ts'
import { PIECE_KINDS, PIECES, type PieceKind } from '../piece.ts'
import { type BySeat, bySeat, SEATS, type Seat } from '../seat.ts'
import type { RuleSet } from './rule-set.ts'

/** A move from one space to another. */
export interface Move {
  readonly from: SpaceId
  readonly to: SpaceId
}

/** How a kind gets about: not at all (R-MOVE-1), along lines (R-MOVE-3), turning anywhere (R-MOVE-4). */
export const STAYS = 0
export const WALKS = 1
export const ROAMS = 2
export type Gait = typeof STAYS | typeof WALKS | typeof ROAMS

/** What a rule set makes of its board, worked out once. */
export interface Ground {
  readonly board: Board
  readonly paths: Paths
  /** 1 where a piece cannot be attacked (R-MOVE-5). */
  readonly camps: Uint8Array
  /** 1 where a piece never moves again (R-MOVE-1), unless `leaveHeadquarters`. */
  readonly traps: Uint8Array
  readonly gaits: { readonly [K in PieceKind]?: Gait }
  readonly ally: BySeat<Seat | null>
  /** All spaces, those where pieces of the seat most likely stand first. */
  readonly search: BySeat<Uint8Array>
  /** Every move there could be, by the indexes of its spaces: each made once, shared by all. */
  readonly moves: readonly (readonly Move[])[]
  readonly scratch: Scratch
}

/** Room to work in for `movement.ts`, so that looking for moves allocates nothing. Never read across calls. */
export interface Scratch {
  readonly occupancy: Uint8Array
  readonly found: Uint8Array
  readonly seen: Uint8Array
}

/** The one asked for last: of a move it is asked for again and again. */
let latest: { readonly ruleSet: RuleSet; readonly ground: Ground } | null = null
const byRuleSet = new WeakMap<RuleSet, Ground>()
const byKey = new Map<string, Ground>()

/** The ground of a rule set. Rule sets that differ in other fields share one. */
export function groundOf(ruleSet: RuleSet): Ground {
  if (latest?.ruleSet !== ruleSet) latest = { ruleSet, ground: knownGround(ruleSet) }
  return latest.ground
}

function knownGround(ruleSet: RuleSet): Ground {
  const known = byRuleSet.get(ruleSet)
  if (known !== undefined) return known
  const key = keyOf(ruleSet)
  const ground = byKey.get(key) ?? makeGround(ruleSet)
  byKey.set(key, ground)
  byRuleSet.set(ruleSet, ground)
  return ground
}

/** The board of a rule set, the territories that `emptyTerritory` closes taken out (R-BOARD-7). */
export const boardOf = (ruleSet: RuleSet): Board => groundOf(ruleSet).board

/** The fields that a ground depends on. */
const keyOf = (ruleSet: RuleSet): string =>
  JSON.stringify([
    ruleSet.board,
    ruleSet.seats,
    ruleSet.alliances,
    ruleSet.emptyTerritory,
    ruleSet.railTurn,
    ruleSet.leaveHeadquarters,
    ruleSet.flyingBomb,
  ])

function makeGround(ruleSet: RuleSet): Ground {
  const board = buildBoard(ruleSet.board, closedSeats(ruleSet))
  const { spaces, kinds } = board
  const paths = buildPaths(board, ruleSet.railTurn)
  const spacesOf = (wanted: string) => Uint8Array.from(kinds, (kind) => (kind === wanted ? 1 : 0))
  return {
    board,
    paths,
    camps: spacesOf('camp'),
    traps: ruleSet.leaveHeadquarters ? new Uint8Array(spaces.length) : spacesOf('headquarters'),
    gaits: gaitsOf(ruleSet),
    ally: bySeat((seat) => allyIn(ruleSet, seat)),
    search: bySeat((seat) => homeFirst(board, seat)),
    moves: spaces.map((from) => spaces.map((to) => ({ from, to }))),
    scratch: {
      occupancy: new Uint8Array(spaces.length),
      found: new Uint8Array(Math.max(...paths.trees.map(({ to }) => to.length), spaces.length)),
      seen: new Uint8Array(spaces.length),
    },
  }
}

const closedSeats = ({ emptyTerritory, seats }: RuleSet): Seat[] =>
  emptyTerritory === 'open' ? [] : SEATS.filter((seat) => !seats.includes(seat))

const allyIn = ({ alliances }: RuleSet, seat: Seat): Seat | null =>
  alliances.find((seats) => seats.includes(seat))?.find((other) => other !== seat) ?? null

const gaitsOf = (ruleSet: RuleSet): Ground['gaits'] =>
  Object.fromEntries(PIECE_KINDS.map((kind) => [kind, gaitOf(kind, ruleSet)]))

function gaitOf(kind: PieceKind, { flyingBomb }: RuleSet): Gait {
  const { moves, engineers, role } = PIECES[kind]
  if (!moves) return STAYS
  return engineers || (flyingBomb && role === 'bomb') ? ROAMS : WALKS
}

function homeFirst({ homes, spaces }: Board, seat: Seat): Uint8Array {
  const home = homes[seat] ?? []
  return Uint8Array.from([...home, ...[...spaces.keys()].filter((i) => !home.includes(i))])
}
