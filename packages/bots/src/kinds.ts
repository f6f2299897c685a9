import { PIECE_KINDS, PIECES, type PieceKind, type PieceTraits } from '@junqi/engine'

/** Kinds by number, 0 the field marshal .. 11 the flag: what the inner loops count with. */
export const KINDS = PIECE_KINDS.length

export const TRAITS: readonly PieceTraits[] = PIECE_KINDS.map((kind) => PIECES[kind])

/** How many of each kind an army has. */
export const COUNTS: readonly number[] = TRAITS.map(({ count }) => count)

export const numberOf = (kind: PieceKind): number => PIECE_KINDS.indexOf(kind)

/** A set of kinds as bits. */
export type KindSet = number

export const ANY_KIND: KindSet = (1 << KINDS) - 1

export const setOf = (kind: number): KindSet => 1 << kind

export const has = (set: KindSet, kind: number): boolean => (set & (1 << kind)) !== 0

/** The kinds that satisfy something. */
export const kindsWhere = (wanted: (traits: PieceTraits, kind: number) => boolean): KindSet =>
  TRAITS.reduce((set, traits, kind) => (wanted(traits, kind) ? set | setOf(kind) : set), 0)

/** Kinds that can move at all (R-MOVE-1). */
export const MOVERS = kindsWhere(({ moves }) => moves)
export const FLAG = TRAITS.findIndex(({ role }) => role === 'flag')
export const LANDMINE = TRAITS.findIndex(({ role }) => role === 'landmine')
export const BOMB = TRAITS.findIndex(({ role }) => role === 'bomb')
export const ENGINEER = TRAITS.findIndex(({ engineers }) => engineers)
