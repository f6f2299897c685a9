import type { SpaceId } from '../board/board.ts'
import type { Colour } from '../colour.ts'
import type { Layout } from '../layout.ts'
import type { PieceId, PieceKind } from '../piece.ts'
import type { BySeat } from '../seat.ts'
import type { FlipState, Formation, PublicState } from '../state.ts'

/** A piece as a viewer sees it (R-SEE-3): `hidden` is all there is to know of its kind. */
export interface PieceView {
  readonly id: PieceId
  readonly space: SpaceId
  readonly kind: PieceKind | 'hidden'
  /** In a flip game only; null: it lies face down (R-FLIP-1). */
  readonly colour?: Colour | null
}

/** A flip game beside its board, as anyone sees it. */
export interface FlipView extends FlipState {
  /** What lay where as the game started; null until it is over. */
  readonly layout: Layout | null
}

/** A game as one viewer sees it now: built from an allow-list, never by taking fields away. */
export interface GameView extends PublicState {
  /** In the order of the board's space indexes. */
  readonly pieces: readonly PieceView[]
  /** The formations this viewer may see: null where it may not (or there is none). Its own, unless it left; everyone's at the end. */
  readonly formations: BySeat<Formation | null>
  /** In a flip game only. */
  readonly flip?: FlipView
}
