import type { Board } from '../board/board.ts'
import { buildBoard } from '../board/build-board.ts'
import { buildPaths, type Paths } from '../board/paths.ts'
import { type BySeat, bySeat, SEATS, type Seat } from '../seat.ts'
import type { RuleSet } from './rule-set.ts'

/** What a rule set makes of its board, worked out once. */
export interface Ground {
  readonly board: Board
  readonly paths: Paths
  /** 1 where a piece cannot be attacked (R-MOVE-5). */
  readonly camps: Uint8Array
  /** 1 where a piece never moves again (R-MOVE-1), unless `leaveHeadquarters`. */
  readonly traps: Uint8Array
  /** A number for each alliance; -1: a seat that is not in the game. */
  readonly alliance: BySeat<number>
}

const byRuleSet = new WeakMap<RuleSet, Ground>()
const byKey = new Map<string, Ground>()

/** The ground of a rule set. Rule sets that differ in other fields share one. */
export function groundOf(ruleSet: RuleSet): Ground {
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

const keyOf = ({ board, seats, alliances, emptyTerritory, railTurn, leaveHeadquarters }: RuleSet) =>
  JSON.stringify([board, seats, alliances, emptyTerritory, railTurn, leaveHeadquarters])

function makeGround(ruleSet: RuleSet): Ground {
  const board = buildBoard(ruleSet.board, closedSeats(ruleSet))
  const spacesOf = (kind: string) => Uint8Array.from(board.kinds, (k) => (k === kind ? 1 : 0))
  return {
    board,
    paths: buildPaths(board, ruleSet.railTurn),
    camps: spacesOf('camp'),
    traps: ruleSet.leaveHeadquarters
      ? new Uint8Array(board.spaces.length)
      : spacesOf('headquarters'),
    alliance: bySeat((seat) => ruleSet.alliances.findIndex((seats) => seats.includes(seat))),
  }
}

const closedSeats = ({ emptyTerritory, seats }: RuleSet): Seat[] =>
  emptyTerritory === 'open' ? [] : SEATS.filter((seat) => !seats.includes(seat))
