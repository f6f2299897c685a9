import type { SpaceId } from '../board/board.ts'
import type { PieceId, PieceKind } from '../piece.ts'
import type { BySeat } from '../seat.ts'
import type { Formation, PublicState } from '../state.ts'

/** A piece as a viewer sees it (R-SEE-3): `hidden` is all there is to know of its kind. */
export interface PieceView {
  readonly id: PieceId
  readonly space: SpaceId
  readonly kind: PieceKind | 'hidden'
}

/** A game as one viewer sees it now: built from an allow-list, never by taking fields away. */
export interface GameView extends PublicState {
  /** In the order of the board's space indexes. */
  readonly pieces: readonly PieceView[]
  /** The formations this viewer may see: null where it may not (or there is none). Its own, unless it left; everyone's at the end. */
  readonly formations: BySeat<Formation | null>
}
