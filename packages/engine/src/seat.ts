/** The four seats in counterclockwise order (R-TURN-1): each next is the right-hand neighbour. */
export const SEATS = ['south', 'east', 'north', 'west'] as const
export type Seat = (typeof SEATS)[number]

/** Something for each of the four seats; what a game without that seat has there is up to `T`. */
export type BySeat<T> = Readonly<Record<Seat, T>>

/** Something for the seats that take part, in JSON that leaves the others out. */
export type PerSeat<T> = { readonly [S in Seat]?: T }

/** Makes a `BySeat` of what `make` gives for each seat. */
export const bySeat = <T>(make: (seat: Seat) => T): BySeat<T> => ({
  south: make('south'),
  east: make('east'),
  north: make('north'),
  west: make('west'),
})

/** What is there for a seat. Said in full: a property whose name varies costs V8 a search each time. */
export function ofSeat<T>(by: BySeat<T>, seat: Seat): T {
  switch (seat) {
    case 'south':
      return by.south
    case 'east':
      return by.east
    case 'north':
      return by.north
    case 'west':
      return by.west
  }
}

export const isSeat = (value: unknown): value is Seat => SEATS.some((seat) => seat === value)
