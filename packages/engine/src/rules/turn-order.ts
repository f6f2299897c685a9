import { SEATS, type Seat } from '../seat.ts'
import type { PublicState } from '../state.ts'
import type { RuleSet } from './rule-set.ts'

/** The seats still in, in the order south, east, north, west. */
export const seatsIn = (seats: PublicState['seats']): Seat[] =>
  SEATS.filter((seat) => seats[seat]?.out === null)

/** Who moves after a seat (R-TURN-1): the next that is still in, or null when nobody is. */
export function seatAfter(
  seat: Seat,
  { turnOrder }: RuleSet,
  seats: PublicState['seats'],
): Seat | null {
  const step = turnOrder === 'counterclockwise' ? 1 : SEATS.length - 1
  const start = SEATS.indexOf(seat)
  for (let i = 1; i <= SEATS.length; i++) {
    const next = SEATS[(start + i * step) % SEATS.length]
    if (next !== undefined && seats[next]?.out === null) return next
  }
  return null
}

/** The seat that makes the first turn (R-TURN-2); `random` gives numbers from 0 up to 1. */
export function chooseFirst({ firstSeat, seats }: RuleSet, random: () => number): Seat {
  if (firstSeat !== 'random') return firstSeat
  return seats[Math.floor(random() * seats.length)] ?? 'south'
}
