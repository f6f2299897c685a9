import type { Seat } from '../seat.ts'
import type { TerritoryPlace } from './territory.ts'

/** A point of the drawing grid, both from 1: `x` 1 is column a, `y` 1 is row 1. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** The two ends of a straight railroad; every space between them is on it. */
export type Stretch = readonly [from: string, to: string]

/** A board as R-BOARD tells it; `buildBoard` works out the spaces, links and lines. */
export interface BoardPlan {
  readonly territories: { readonly [S in Seat]?: (place: TerritoryPlace) => Point }
  /** Spaces outside the territories. */
  readonly center: readonly string[]
  /** Straight lines of R-BOARD-6 beside those of each territory's rows 5 and 1. */
  readonly lines: readonly Stretch[]
  /** The curve lines: the curved railroad joins the end of one stretch to the start of the other. */
  readonly curves: readonly (readonly [Stretch, Stretch])[]
}
