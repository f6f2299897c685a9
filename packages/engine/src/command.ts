import type { SpaceId } from './board/board.ts'
import type { Seat } from './seat.ts'

/** What can be asked of a game in play. Who may ask is checked by `decide`. */
export type GameCommand =
  | {
      readonly type: 'movePiece'
      readonly seat: Seat
      readonly from: SpaceId
      readonly to: SpaceId
    }
  /** Turns a face-down piece up (R-FLIP-2). */
  | { readonly type: 'flipPiece'; readonly seat: Seat; readonly space: SpaceId }
  /** The seat to move did not move by its deadline (R-OUT-4). */
  | { readonly type: 'timeout'; readonly seat: Seat }
  | { readonly type: 'resign'; readonly seat: Seat }
  | { readonly type: 'leave'; readonly seat: Seat }
  | { readonly type: 'offerDraw'; readonly seat: Seat }
  | {
      readonly type: 'answerDraw'
      readonly seat: Seat
      readonly offer: number
      readonly accept: boolean
    }
  /** Everyone agreed outside the offers; only records say this (`draw agreed`). */
  | { readonly type: 'agreeDraw' }

/** Why a command was refused. Depends on public facts and the seat's own pieces alone (R-SEE-6). */
export const RULE_VIOLATION_CODES = [
  'game_over',
  'seat_out',
  'not_your_turn',
  'illegal_move',
  'illegal_flip',
  'resign_too_early',
  'draw_offer_open',
  'draw_offer_too_soon',
  'no_such_offer',
  'already_answered',
] as const
export type RuleViolationCode = (typeof RULE_VIOLATION_CODES)[number]

export interface RuleViolation {
  readonly code: RuleViolationCode
  /** One sentence: what was wrong and what would be right. */
  readonly message: string
}
