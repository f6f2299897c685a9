import type { RuleSet, Seat } from '@junqi/engine'
import type { ServiceTime } from '../ports.ts'
import { nearest } from './nearest.ts'
import { placeTable } from './placing.ts'
import { hasPairs, type Seeker, type Ticket, type TicketBots } from './ticket.ts'

/**
 * How far apart ratings may be at first, and how much farther after each second. In fortieths of openskill's `mu`: 200 are
 * 5 of it, with which the stronger of two wins some four games of five.
 */
const WINDOW = 200
const WINDOW_PER_SECOND = 20
/** After that a ticket takes whoever is nearest: nobody waits for ever for want of equals. */
export const PATIENCE_MS = 60_000

/** Who sits down together. */
export interface Table {
  /** The oldest first; its table it is. */
  readonly tickets: readonly Ticket[]
  readonly seats: readonly { readonly seat: Seat; readonly seeker: Seeker }[]
  /** Seats for bots. */
  readonly bots: { readonly seats: readonly Seat[]; readonly level: TicketBots['level'] } | null
}

export type RulesOf = (preset: Ticket['preset']) => Pick<RuleSet, 'seats' | 'alliances'>

/**
 * The tables that can be filled now. Each queue, of tickets with the same preset and the same wish to be rated, is gone
 * through from its oldest ticket on: first for tables of people, then for those that all who sit there fill with bots.
 */
export function matchTickets(
  tickets: readonly Ticket[],
  now: ServiceTime,
  rulesOf: RulesOf,
): readonly Table[] {
  const queues = new Map<string, Ticket[]>()
  for (const ticket of tickets) {
    if (ticket.isInviting) continue
    const key = `${ticket.preset} ${ticket.rated}`
    queues.set(key, [...(queues.get(key) ?? []), ticket])
  }
  return [...queues.values()].flatMap((queue) =>
    new Queue(queue, now, rulesOf(queue[0]?.preset ?? 'duel')).tables(),
  )
}

class Queue {
  /** The oldest first. */
  readonly #tickets: readonly Ticket[]
  readonly #now: ServiceTime
  readonly #rules: Pick<RuleSet, 'seats' | 'alliances'>
  /** By rating. */
  readonly #sorted: readonly Ticket[]
  readonly #taken = new Set<Ticket>()

  constructor(
    tickets: readonly Ticket[],
    now: ServiceTime,
    rules: Pick<RuleSet, 'seats' | 'alliances'>,
  ) {
    this.#tickets = [...tickets].sort(byAge)
    this.#now = now
    this.#rules = rules
    this.#sorted = [...this.#tickets].sort((one, other) => ratingOf(one) - ratingOf(other))
  }

  tables(): readonly Table[] {
    return [
      ...this.#gather((ticket) => this.#tableOf(ticket)),
      ...this.#gather((ticket) => this.#tableWithBots(ticket)),
    ]
  }

  #gather(tableOf: (oldest: Ticket) => Table | null): readonly Table[] {
    return this.#tickets.flatMap((oldest) => {
      const table = this.#taken.has(oldest) ? null : tableOf(oldest)
      for (const ticket of table?.tickets ?? []) this.#taken.add(ticket)
      return table === null ? [] : [table]
    })
  }

  /** Of the ways to divide the seats between pairs and single players the one whose ratings are closest. */
  #tableOf(oldest: Ticket): Table | null {
    const free = this.#rules.seats.length - oldest.seekers.length
    const mostPairs = hasPairs(this.#rules) ? Math.floor(free / 2) : 0
    const ways = Array.from({ length: mostPairs + 1 }, (_, pairs) =>
      this.#fill(oldest, { pairs, singles: free - 2 * pairs }),
    )
    const full = ways.filter((tickets) => sizeOf(tickets) === this.#rules.seats.length)
    const [best] = full.sort((one, other) => spreadOf(one) - spreadOf(other))
    return best === undefined ? null : this.#place(best, null)
  }

  /** Only with those whose own time to wait for people is over as well. */
  #tableWithBots(oldest: Ticket): Table | null {
    const { bots } = oldest
    if (bots === null || !this.#takesBots(oldest)) return null
    const free = this.#rules.seats.length - oldest.seekers.length
    const pairs = hasPairs(this.#rules) ? Math.floor(free / 2) : 0
    const people = this.#fill(oldest, { pairs, singles: free }, (ticket) => this.#takesBots(ticket))
    return this.#place(people, bots.level)
  }

  #takesBots({ bots, since }: Ticket): boolean {
    return bots !== null && this.#now - since >= bots.afterMs
  }

  /** The ticket and the nearest that fit, at most so many of each size and never more players than seats. */
  #fill(
    oldest: Ticket,
    places: { readonly pairs: number; readonly singles: number },
    isWanted: (ticket: Ticket) => boolean = () => true,
  ): readonly Ticket[] {
    const chosen = [oldest]
    let { pairs, singles } = places
    let free = this.#rules.seats.length - oldest.seekers.length
    const window = this.#windowOf(oldest)
    for (const ticket of nearest(this.#sorted, ratingOf(oldest), ratingOf)) {
      if (free === 0 || gapBetween(ticket, oldest) > window) break
      const size = ticket.seekers.length
      const isPlaced = size === 2 ? pairs > 0 && free >= 2 : singles > 0
      if (ticket === oldest || this.#taken.has(ticket) || !isPlaced || !isWanted(ticket)) continue
      if (!this.#fits(ticket, chosen)) continue
      chosen.push(ticket)
      free -= size
      if (size === 2) pairs -= 1
      else singles -= 1
    }
    return chosen
  }

  /** Everyone's window is kept, but that of who waited long enough is the whole table's. */
  #fits(ticket: Ticket, chosen: readonly Ticket[]): boolean {
    const [oldest] = chosen
    if (oldest !== undefined && this.#windowOf(oldest) === Number.POSITIVE_INFINITY) return true
    return chosen.every(
      (other) =>
        gapBetween(ticket, other) <= Math.min(this.#windowOf(ticket), this.#windowOf(other)),
    )
  }

  #windowOf({ since }: Ticket): number {
    return windowAfter(this.#now - since)
  }

  #place(tickets: readonly Ticket[], level: TicketBots['level'] | null): Table {
    const { seats, free } = placeTable(tickets, this.#rules.alliances)
    const bots = level === null || free.length === 0 ? null : { seats: free, level }
    return { tickets, seats, bots }
  }
}

/** How far apart ratings may be for who has waited so long. */
export const windowAfter = (waitedMs: number): number =>
  waitedMs >= PATIENCE_MS
    ? Number.POSITIVE_INFINITY
    : WINDOW + (WINDOW_PER_SECOND * Math.max(0, waitedMs)) / 1_000

/** A pair counts as its mean. */
export const ratingOf = ({ seekers }: Ticket): number =>
  seekers.reduce((sum, { rating }) => sum + rating, 0) / seekers.length

const gapBetween = (one: Ticket, other: Ticket): number => Math.abs(ratingOf(one) - ratingOf(other))

const sizeOf = (tickets: readonly Ticket[]): number =>
  tickets.reduce((sum, { seekers }) => sum + seekers.length, 0)

function spreadOf(tickets: readonly Ticket[]): number {
  const ratings = tickets.map(ratingOf)
  return Math.max(...ratings) - Math.min(...ratings)
}

const byAge = (one: Ticket, other: Ticket): number =>
  one.since - other.since || (one.id < other.id ? -1 : 1)
