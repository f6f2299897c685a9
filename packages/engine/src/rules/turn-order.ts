import { type BySeat, SEATS, type Seat } from '../seat.ts'
import type { PublicState } from '../state.ts'
import type { RuleSet } from './rule-set.ts'

/** The seats still in, in the order south, east, north, west. */
export const seatsIn = (seats: PublicState['seats']): Seat[] =>
  SEATS.filter((seat) => seats[seat]?.out === null)

/** The alliances that have a seat in. */
export const alliancesIn = ({ alliances }: RuleSet, seats: PublicState['seats']) =>
  alliances.filter((alliance) => alliance.some((seat) => seats[seat]?.out === null))

const NEXT: BySeat<Seat> = { south: 'east', east: 'north', north: 'west', west: 'south' }
const PREVIOUS: BySeat<Seat> = { south: 'west', east: 'south', north: 'east', west: 'north' }

/** Who moves after a seat (R-TURN-1): the next that is still in, or null when nobody is. */
export function seatAfter(
  seat: Seat,
  { turnOrder }: RuleSet,
  seats: PublicState['seats'],
): Seat | null {
  const following = turnOrder === 'counterclockwise' ? NEXT : PREVIOUS
  let next = following[seat]
  while (next !== seat && seats[next]?.out !== null) next = following[next]
  return seats[next]?.out === null ? next : null
}

/** The seat that makes the first turn (R-TURN-2); `random` gives numbers from 0 up to 1. */
export function chooseFirst({ firstSeat, seats }: RuleSet, random: () => number): Seat {
  if (firstSeat !== 'random') return firstSeat
  return seats[Math.floor(random() * seats.length)] ?? 'south'
}
