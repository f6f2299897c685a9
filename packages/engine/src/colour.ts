/** The two colours of the flip game (R-FLIP-3). */
export const COLOURS = ['r', 'b'] as const
export type Colour = (typeof COLOURS)[number]

/** Something for each of the two colours. */
export type ByColour<T> = Readonly<Record<Colour, T>>

export const isColour = (value: unknown): value is Colour =>
  COLOURS.some((colour) => colour === value)

export const otherColour = (colour: Colour): Colour => (colour === 'r' ? 'b' : 'r')
