import type { Colour, RuleSet, Seat } from '@junqi/engine'

/** What a piece looks like: whose it is; in a flip game its colour, or that it lies face down. */
export type Suit = Seat | Colour | 'down'

/** Drawn on the back of a hidden piece, around the point 0,0: whose it is, told by shape as well as by colour. */
export const EMBLEMS: Readonly<Record<Suit, string>> = {
  south: 'M0-8 8 6H-8Z',
  north: 'M-7-7H7V7H-7Z',
  east: 'M0-9 8 0 0 9-8 0Z',
  west: 'M-3-8H3V-3H8V3H3V8H-3V3H-8V-3H-3Z',
  r: 'M0-8 8 6H-8Z',
  b: 'M-7-7H7V7H-7Z',
  down: 'M0-9 2.6-2.6 9 0 2.6 2.6 0 9-2.6 2.6-9 0-2.6-2.6Z',
}

/** The form of a piece's outline: one for each alliance. */
export type Form = 'round' | 'cut' | 'plain' | 'tab'
const FORMS: readonly Form[] = ['round', 'cut', 'plain', 'tab']

export function formOf({ alliances }: RuleSet, suit: Suit): Form {
  if (suit === 'r') return 'round'
  if (suit === 'b') return 'cut'
  if (suit === 'down') return 'plain'
  return FORMS[alliances.findIndex((seats) => seats.includes(suit))] ?? 'plain'
}

/** The outline of a piece of this size, around the point 0,0. */
export function outline(form: Form, width: number, height: number): string {
  const [x, y] = [width / 2, height / 2]
  switch (form) {
    case 'round':
      return rounded(x, y, Math.min(x, y) * 0.42)
    case 'cut': {
      const c = Math.min(x, y) * 0.4
      return `M${-x + c} ${-y}H${x - c}L${x} ${-y + c}V${y - c}L${x - c} ${y}H${-x + c}L${-x} ${y - c}V${-y + c}Z`
    }
    case 'plain':
      return `M${-x} ${-y}H${x}V${y}H${-x}Z`
    case 'tab':
      return `M${-x} ${y}V${-y + y * 0.6}Q${-x} ${-y} ${-x + y * 0.6} ${-y}H${x - y * 0.6}Q${x} ${-y} ${x} ${-y + y * 0.6}V${y}Z`
  }
}

const rounded = (x: number, y: number, r: number): string =>
  `M${-x + r} ${-y}H${x - r}Q${x} ${-y} ${x} ${-y + r}V${y - r}Q${x} ${y} ${x - r} ${y}H${-x + r}Q${-x} ${y} ${-x} ${y - r}V${-y + r}Q${-x} ${-y} ${-x + r} ${-y}Z`
