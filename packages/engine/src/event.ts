import type { SpaceId } from './board/board.ts'
import type { Colour } from './colour.ts'
import type { Layout } from './layout.ts'
import type { PieceKind } from './piece.ts'
import type { PerSeat, Seat } from './seat.ts'
import type { EliminationReason, EndReason, Formation } from './state.ts'

/** The four outcomes of an attack (R-FIGHT-5). */
export const ATTACK_OUTCOMES = ['attackerWins', 'defenderWins', 'bothRemoved', 'repelled'] as const
export type AttackOutcome = (typeof ATTACK_OUTCOMES)[number]

/** What happened in a game. Stored as they are; viewers get `viewEvent` of them (only `gameStarted` holds secrets). */
export type GameEvent =
  | {
      readonly type: 'gameStarted'
      readonly formations: PerSeat<Formation>
      /** In a flip game, where nobody deploys anything. */
      readonly layout?: Layout
      readonly first: Seat
    }
  | { readonly type: 'pieceMoved'; readonly from: SpaceId; readonly to: SpaceId }
  | {
      readonly type: 'pieceAttacked'
      readonly from: SpaceId
      readonly to: SpaceId
      readonly outcome: AttackOutcome
    }
  /** R-FIGHT-8. */
  | { readonly type: 'flagRevealed'; readonly seat: Seat; readonly space: SpaceId }
  /** R-FIGHT-6: the officer on this space is of this kind, and everyone knows it from now on. */
  | { readonly type: 'officerScouted'; readonly space: SpaceId; readonly kind: PieceKind }
  /** R-FLIP-2: what lay face down there. The seat to move turned it up. */
  | {
      readonly type: 'pieceFlipped'
      readonly space: SpaceId
      readonly colour: Colour
      readonly kind: PieceKind
    }
  /** R-FLIP-3. Follows the flip that decided it. */
  | { readonly type: 'coloursKnown'; readonly colours: PerSeat<Colour> }
  | { readonly type: 'turnSkipped'; readonly seat: Seat }
  | { readonly type: 'seatEliminated'; readonly seat: Seat; readonly reason: EliminationReason }
  | { readonly type: 'drawOffered'; readonly seat: Seat; readonly offer: number }
  | {
      readonly type: 'drawAnswered'
      readonly seat: Seat
      readonly offer: number
      readonly accept: boolean
    }
  /** The offer lapsed because its maker moved, was skipped or went out; a no (drawAnswered) lapses it by itself. */
  | { readonly type: 'drawLapsed'; readonly offer: number }
  | { readonly type: 'gameEnded'; readonly winners: readonly Seat[]; readonly reason: EndReason }
