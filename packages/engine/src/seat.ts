/** The four seats in counterclockwise order (R-TURN-1): each next is the right-hand neighbour. */
export const SEATS = ['south', 'east', 'north', 'west'] as const
export type Seat = (typeof SEATS)[number]

/** Something for each of the four seats; what a game without that seat has there is up to `T`. */
export type BySeat<T> = Readonly<Record<Seat, T>>

/** Something for the seats that take part, in JSON that leaves the others out. */
export type PerSeat<T> = { readonly [S in Seat]?: T }
