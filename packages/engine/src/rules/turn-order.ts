import { type BySeat, ofSeat, SEATS, type Seat } from '../seat.ts'
import type { PublicState } from '../state.ts'
import type { RuleSet } from './rule-set.ts'

/** The seats still in, in the order south, east, north, west. */
export const seatsIn = (seats: PublicState['seats']): Seat[] =>
  SEATS.filter((seat) => ofSeat(seats, seat)?.out === null)

/** Whether more than one alliance has a seat in. */
export function isContested({ alliances }: RuleSet, seats: PublicState['seats']): boolean {
  let rivals = 0
  for (const alliance of alliances) if (hasSeatIn(alliance, seats)) rivals++
  return rivals > 1
}

/** Whether a seat of the alliance is still in. */
export function hasSeatIn(alliance: readonly Seat[], seats: PublicState['seats']): boolean {
  for (const seat of alliance) if (ofSeat(seats, seat)?.out === null) return true
  return false
}

const NEXT: BySeat<Seat> = { south: 'east', east: 'north', north: 'west', west: 'south' }
const PREVIOUS: BySeat<Seat> = { south: 'west', east: 'south', north: 'east', west: 'north' }

/** Who moves after a seat (R-TURN-1): the next that is still in, or null when nobody is. */
export function seatAfter(
  seat: Seat,
  { turnOrder }: RuleSet,
  seats: PublicState['seats'],
): Seat | null {
  const following = turnOrder === 'counterclockwise' ? NEXT : PREVIOUS
  let next = ofSeat(following, seat)
  while (next !== seat && ofSeat(seats, next)?.out !== null) next = ofSeat(following, next)
  return ofSeat(seats, next)?.out === null ? next : null
}

/** The seat that makes the first turn (R-TURN-2); `random` gives numbers from 0 up to 1. */
export function chooseFirst({ firstSeat, seats }: RuleSet, random: () => number): Seat {
  if (firstSeat !== 'random') return firstSeat
  return seats[Math.floor(random() * seats.length)] ?? 'south'
}
