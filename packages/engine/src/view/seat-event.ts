import type { SpaceId } from '../board/board.ts'
import type { GameEvent } from '../event.ts'
import type { Layout } from '../layout.ts'
import type { PieceKind } from '../piece.ts'
import type { BySeat, Seat } from '../seat.ts'
import type { EndReason, Formation } from '../state.ts'
import type { PieceView } from './seat-view.ts'

/** Events that are told to everyone just as they happened. */
export type PublicEvent = Exclude<GameEvent, { type: 'gameStarted' } | { type: 'gameEnded' }>

export const isPublicEvent = (event: GameEvent): event is PublicEvent =>
  event.type !== 'gameStarted' && event.type !== 'gameEnded'

/** What one viewer learns from one event. */
export type SeatEvent =
  | PublicEvent
  /** The start of play: all pieces as this viewer sees them, and the formations it may see. */
  | {
      readonly type: 'gameStarted'
      readonly first: Seat
      readonly pieces: readonly PieceView[]
      readonly formations: BySeat<Formation | null>
    }
  /** Kinds that this viewer alone learns now: `eliminatedView: ally` (R-OUT-6). Follows `seatEliminated`. */
  | {
      readonly type: 'piecesShown'
      readonly pieces: readonly { readonly space: SpaceId; readonly kind: PieceKind }[]
    }
  /** The end: all formations, or the layout, so that every kind of every piece follows (R-END-6). */
  | {
      readonly type: 'gameEnded'
      readonly winners: readonly Seat[]
      readonly reason: EndReason
      readonly formations: BySeat<Formation | null>
      /** Of a flip game, where there are no formations (R-FLIP-1). */
      readonly layout?: Layout
    }
