import type { PerSeat } from '../seat.ts'

/** A space's name: column letter and row number, `a1`..`q17` (R-BOARD). */
export type SpaceId = string
export type SpaceKind = 'post' | 'camp' | 'headquarters'

export const BOARD_NAMES = ['duel', 'siguo'] as const
export type BoardName = (typeof BOARD_NAMES)[number]

/** A road or railroad between two spaces, by index, the lower first (R-BOARD-2). */
export interface Link {
  readonly a: number
  readonly b: number
  readonly railroad: boolean
  /** One of the four curved railroads (R-BOARD-5). */
  readonly curved: boolean
}

/** Spaces that a piece may follow without turning (R-BOARD-6), by index. */
export interface Line {
  readonly spaces: readonly number[]
  readonly curved: boolean
}

/** A board as data. Spaces have small indexes, in the order of their names as strings. */
export interface Board {
  readonly name: BoardName
  readonly spaces: readonly SpaceId[]
  readonly indexOf: ReadonlyMap<SpaceId, number>
  readonly kinds: readonly SpaceKind[]
  readonly links: readonly Link[]
  readonly lines: readonly Line[]
  /** The 25 spaces of each open territory's formation, in the order of R-DEPLOY-5. */
  readonly homes: PerSeat<readonly number[]>
}
