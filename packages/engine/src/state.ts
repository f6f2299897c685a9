import type { ByColour, Colour } from './colour.ts'
import type { Layout } from './layout.ts'
import type { Piece, PieceKind } from './piece.ts'
import type { RuleSet } from './rules/rule-set.ts'
import type { BySeat, PerSeat, Seat } from './seat.ts'

/** Why a seat went out (R-OUT-1). */
export const ELIMINATION_REASONS = [
  'flagCaptured',
  'noMoves',
  'resigned',
  'left',
  'timeouts',
] as const
export type EliminationReason = (typeof ELIMINATION_REASONS)[number]

/** Why a game ended (R-OUT, R-OUT-7, R-END). */
export const END_REASONS = [
  ...ELIMINATION_REASONS,
  'quietMoves',
  'maxMoves',
  'abandoned',
  'agreed',
] as const
export type EndReason = (typeof END_REASONS)[number]

/** How a game ended; no winners: a draw, or ended by leaving (R-END-7). */
export interface GameResult {
  readonly winners: readonly Seat[]
  readonly reason: EndReason
}

/** 25 symbols, front row first, as its owner sees it (R-DEPLOY-5). */
export type Formation = string

/** What the game knows of one seat. All of it is public. */
export interface SeatStatus {
  readonly out: EliminationReason | null
  /** Skipped turns so far (R-OUT-4). */
  readonly timeouts: number
  /** Turns of its own completed: moves and skips; counts the distance between draw offers (R-END-5). */
  readonly turns: number
  /** `turns` at its last draw offer, or null. */
  readonly offeredAt: number | null
}

/** The open draw offer (R-END-5). */
export interface DrawOffer {
  /** 1, 2, 3 ... within the game. */
  readonly number: number
  readonly by: Seat
  /** Seats that have said yes, in the order of their answers. */
  readonly accepted: readonly Seat[]
}

/** What everyone knows of a game, beside the pieces: the same for every viewer. */
export interface PublicState {
  /** null: a seat that is not in the game. */
  readonly seats: BySeat<SeatStatus | null>
  /** Who made the first turn. */
  readonly first: Seat
  /** Whose turn it is; null after the end. */
  readonly toMove: Seat | null
  /** Turns completed (moves and skips): what `move` and `resign` commands name. */
  readonly turn: number
  /** Moves made (skips do not count). */
  readonly moves: number
  /** Moves in a row in which nothing was removed by an attack (R-END-3). */
  readonly quiet: number
  /** Skipped turns in a row with no move between (R-END-4). */
  readonly skipped: number
  readonly offer: DrawOffer | null
  /** Draw offers made so far. */
  readonly offers: number
  readonly result: GameResult | null
}

/** What everyone knows of a flip game beside the board. */
export interface FlipState {
  /** Which colour each seat plays; null: still open (R-FLIP-3). */
  readonly colours: PerSeat<Colour> | null
  /** Who turned the first piece up, and its colour; null: nobody has. */
  readonly first: { readonly seat: Seat; readonly colour: Colour } | null
  /** The colour of each seat's latest flip. */
  readonly latest: PerSeat<Colour>
  /** The kinds that attacks have removed, in order: what is left of a colour follows, face-down ones counted. */
  readonly removed: ByColour<readonly PieceKind[]>
}

/** A whole game from the start of play on: everything, hidden kinds included. Never sent anywhere. */
export interface GameState extends PublicState {
  readonly ruleSet: RuleSet
  /** What each seat deployed; null: a seat that is not in the game. */
  readonly formations: BySeat<Formation | null>
  /** null: no flip game. */
  readonly flip: FlipState | null
  /** What lay where as a flip game started (R-FLIP-1); null: no flip game. */
  readonly layout: Layout | null
  /** By space index of the board. */
  readonly pieces: readonly (Piece | null)[]
}
