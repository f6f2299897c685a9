import { invariant } from './assert.ts'
import type { Colour } from './colour.ts'
import { isSeat, type Seat } from './seat.ts'

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

/**
 * `south:h1`: the seat and the first space of a piece, nothing else (R-SEE-5). In a flip game `@a1`: the space
 * that it lay on face down (R-FLIP-1). It keeps this id when it is turned up and wherever it goes.
 */
export type PieceId = `${Seat}:${string}` | `@${string}`

/** A piece on the board. Immutable: the same object travels from state to state. */
export interface Piece {
  readonly id: PieceId
  /** null: a piece that is nobody's, face down or before the colours are known (R-FLIP-3). */
  readonly seat: Seat | null
  readonly kind: PieceKind
  /** Its kind was shown to everyone (R-FIGHT-6, R-FIGHT-8); in a flip game: it lies face up. */
  readonly shown: boolean
  /** In a flip game only. */
  readonly colour?: Colour
}

/** What a kind is and can do. The rules ask for traits, never for a kind by name. */
export interface PieceTraits {
  readonly symbol: PieceSymbol
  readonly chinese: string
  /** How many an army has. */
  readonly count: number
  readonly role: 'officer' | 'bomb' | 'landmine' | 'flag'
  /** The higher wins (R-FIGHT-4); 0: no officer. */
  readonly rank: number
  /** R-MOVE-1. */
  readonly moves: boolean
  /** Turns anywhere on railroads (R-MOVE-4), wins against landmines (R-FIGHT-3), scouts (R-FIGHT-6). */
  readonly engineers: boolean
  /** Its fall shows its owner's flag (R-FIGHT-8); R-FIGHT-2 and 3 name it. */
  readonly commands: boolean
}

const officer = (symbol: PieceSymbol, chinese: string, count: number): PieceTraits => ({
  symbol,
  chinese,
  count,
  role: 'officer',
  rank: Number(symbol),
  moves: true,
  engineers: false,
  commands: false,
})

export const PIECES: Readonly<Record<PieceKind, PieceTraits>> = {
  fieldMarshal: { ...officer('9', '司令', 1), commands: true },
  general: officer('8', '军长', 1),
  majorGeneral: officer('7', '师长', 2),
  brigadier: officer('6', '旅长', 2),
  colonel: officer('5', '团长', 2),
  major: officer('4', '营长', 2),
  captain: officer('3', '连长', 3),
  lieutenant: officer('2', '排长', 3),
  engineer: { ...officer('1', '工兵', 3), engineers: true },
  bomb: { ...officer('B', '炸弹', 2), role: 'bomb', rank: 0 },
  landmine: { ...officer('L', '地雷', 3), role: 'landmine', rank: 0, moves: false },
  flag: { ...officer('F', '军旗', 1), role: 'flag', rank: 0, moves: false },
}

/** What there is for a kind. Said in full for the reason that `ofSeat` is. */
export function ofKind<T>(by: { readonly [K in PieceKind]?: T }, kind: PieceKind): T | undefined {
  switch (kind) {
    case 'fieldMarshal':
      return by.fieldMarshal
    case 'general':
      return by.general
    case 'majorGeneral':
      return by.majorGeneral
    case 'brigadier':
      return by.brigadier
    case 'colonel':
      return by.colonel
    case 'major':
      return by.major
    case 'captain':
      return by.captain
    case 'lieutenant':
      return by.lieutenant
    case 'engineer':
      return by.engineer
    case 'bomb':
      return by.bomb
    case 'landmine':
      return by.landmine
    case 'flag':
      return by.flag
  }
}

/** A kind in sentences that explain its letter: `师长, major general`. */
export const nameOfKind = (kind: PieceKind): string =>
  `${PIECES[kind].chinese}, ${kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`

/** The kind that a letter stands for, or null. */
export function kindOfSymbol(symbol: string): PieceKind | null {
  return PIECE_KINDS.find((kind) => PIECES[kind].symbol === symbol) ?? null
}

/** Whose piece an id names; those of a flip game name nobody. */
export function seatOfPiece(id: PieceId): Seat {
  const seat = id.slice(0, id.indexOf(':'))
  invariant(isSeat(seat), `no seat in the piece id ${id}`)
  return seat
}
