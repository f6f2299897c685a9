import type { Seat } from './seat.ts'

/** The twelve kinds, the strongest officer first (RULES.md, Words). */
export const PIECE_KINDS = [
  'fieldMarshal',
  'general',
  'majorGeneral',
  'brigadier',
  'colonel',
  'major',
  'captain',
  'lieutenant',
  'engineer',
  'bomb',
  'landmine',
  'flag',
] as const
export type PieceKind = (typeof PIECE_KINDS)[number]

/** The letter of a kind in every text form. */
export const PIECE_SYMBOLS = ['9', '8', '7', '6', '5', '4', '3', '2', '1', 'B', 'L', 'F'] as const
export type PieceSymbol = (typeof PIECE_SYMBOLS)[number]

/** `south:h1`: the seat and the first space of a piece, nothing else (R-SEE-5). */
export type PieceId = `${Seat}:${string}`

/** A piece on the board. Immutable: the same object travels from state to state. */
export interface Piece {
  readonly id: PieceId
  readonly seat: Seat
  readonly kind: PieceKind
  /** Its kind was shown to everyone (R-FIGHT-6, R-FIGHT-8). */
  readonly shown: boolean
}
