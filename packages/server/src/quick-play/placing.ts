import type { Seat } from '@junqi/engine'
import type { Seeker, Ticket } from './ticket.ts'

export interface Placed {
  readonly seats: readonly { readonly seat: Seat; readonly seeker: Seeker }[]
  /** Seats that nobody has. */
  readonly free: readonly Seat[]
}

/**
 * A pair gets an alliance, and so sits opposite each other. The others are dealt to the rest of them by strength and there
 * and back, so that the alliances are as even as they can be: of four the first and the last are allies.
 */
export function placeTable(
  tickets: readonly Ticket[],
  alliances: readonly (readonly Seat[])[],
): Placed {
  const pairs = tickets.filter(({ seekers }) => seekers.length === 2)
  const singles = tickets
    .filter(({ seekers }) => seekers.length === 1)
    .flatMap(({ seekers }) => seekers)
    .sort((one, other) => other.rating - one.rating)
  const taken = pairs.flatMap(({ seekers }, n) =>
    seekers.flatMap((seeker, place) => placed(alliances[n]?.[place], seeker)),
  )
  const rest = thereAndBack(alliances.slice(pairs.length))
  const dealt = singles.flatMap((seeker, n) => placed(rest[n], seeker))
  return { seats: [...taken, ...dealt], free: rest.slice(singles.length) }
}

const placed = (seat: Seat | undefined, seeker: Seeker) =>
  seat === undefined ? [] : [{ seat, seeker }]

/** The first seat of each alliance, then the second ones from the last alliance to the first, and so on. */
function thereAndBack(alliances: readonly (readonly Seat[])[]): readonly Seat[] {
  const most = Math.max(0, ...alliances.map(({ length }) => length))
  return Array.from({ length: most }, (_, round) => {
    const seats = alliances.flatMap((seats) => seats.slice(round, round + 1))
    return round % 2 === 0 ? seats : seats.reverse()
  }).flat()
}
