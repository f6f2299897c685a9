import { invariant } from './assert.ts'
import { COLOURS, type Colour, isColour } from './colour.ts'
import type { PieceKind } from './piece.ts'
import {
  kindOfSymbol,
  nameOfKind,
  PIECE_KINDS,
  PIECE_SYMBOLS,
  PIECES,
  type PieceSymbol,
} from './piece.ts'

/** A piece in a layout: its colour and its symbol, such as `r9`. */
export type LayoutSymbol = `${Colour}${PieceSymbol}`

/** What lies where as a flip game starts: rows 1 to 12 and columns a to e, camps left out (R-FLIP-10). */
export type Layout = readonly LayoutSymbol[]

/** A colour and a kind: what a face-down piece turns out to be. */
export interface ColouredKind {
  readonly colour: Colour
  readonly kind: PieceKind
}

export const symbolOf = ({ colour, kind }: ColouredKind): LayoutSymbol =>
  `${colour}${PIECES[kind].symbol}`

/** What a piece of a layout is. */
export function kindInLayout(symbol: LayoutSymbol): ColouredKind {
  const [colour, kind] = [symbol.charAt(0), kindOfSymbol(symbol.charAt(1))]
  invariant(isColour(colour) && kind !== null, `no piece ${symbol}`)
  return { colour, kind }
}

/** Both armies, in the order of their kinds. */
const BOTH_ARMIES: Layout = COLOURS.flatMap((colour) =>
  PIECE_KINDS.flatMap((kind) =>
    Array.from({ length: PIECES[kind].count }, () => symbolOf({ colour, kind })),
  ),
)

/** Reads a layout, or says what would be right (R-FLIP-10). */
export function problemOfLayout(layout: readonly unknown[]): string | null {
  const size = BOTH_ARMIES.length
  const isKnown = (item: unknown) => BOTH_ARMIES.some((symbol) => symbol === item)
  if (layout.length !== size || !layout.every(isKnown)) {
    return `a layout is ${size} of r or b and one of ${PIECE_SYMBOLS.join('')}, such as r9`
  }
  for (const symbol of new Set(BOTH_ARMIES)) {
    const count = (all: readonly unknown[]) => all.filter((item) => item === symbol).length
    const [found, wanted] = [count(layout), count(BOTH_ARMIES)]
    if (found !== wanted) {
      const piece = `${symbol} (${nameOfKind(kindInLayout(symbol).kind)})`
      return `a layout has ${wanted} of ${piece}; this one has ${found}`
    }
  }
  return null
}

export const isLayout = (layout: readonly unknown[]): layout is Layout =>
  problemOfLayout(layout) === null

/** R-FLIP-1: every layout is as likely as any other; `random` gives numbers from 0 up to 1. */
export function shuffledLayout(random: () => number): Layout {
  const layout = [...BOTH_ARMIES]
  for (let last = layout.length - 1; last > 0; last--) {
    const chosen = Math.floor(random() * (last + 1))
    const [one, other] = [layout[last], layout[chosen]]
    invariant(one !== undefined && other !== undefined, 'a shuffle stays within the layout')
    layout[last] = other
    layout[chosen] = one
  }
  return layout
}
