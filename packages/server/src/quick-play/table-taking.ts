import { PRESETS } from '@junqi/engine'
import type { BotLevel, Player, PlayerId } from '@junqi/protocol'
import type { QueueStore, ServiceTime } from '../ports.ts'
import type { SeatHolder } from '../room/seats.ts'
import { matchTickets, type Table } from './matching.ts'
import { encodeMatch, type Match, playersOf, type Ticket } from './ticket.ts'

export interface TakingDeps {
  readonly store: Pick<QueueStore, 'takeMatch'>
  /** Bots of this level that are free, no more than asked for and none twice. */
  findBots(level: BotLevel, count: number): Promise<readonly Player[]>
  /** Notes the seats of a match, so that nobody else is given them. Who has as many as it may have is given; null: all are noted. */
  takeSeats(match: Match): Promise<SeatHolder | null>
}

/** What became of those who wait. */
export interface Taken {
  readonly made: readonly Match[]
  /** Those for whom the time of bots has come, and there is none for them. They wait for people. */
  readonly withoutBots: ReadonlySet<PlayerId>
  /** Those with a player who has no seat left to take. */
  readonly withoutSeats: readonly Ticket[]
}

/** Takes out of the queue whoever can sit down now, one table after the other: each knows what those before it took. */
export async function takeTables(
  tickets: readonly Ticket[],
  now: ServiceTime,
  deps: TakingDeps,
): Promise<Taken> {
  const taking = new Taking(tickets, now, deps)
  // Who gets no bots, or no seat, keeps nobody else from a table of its own.
  while (await taking.goThrough());
  return taking
}

class Taking implements Taken {
  readonly made: Match[] = []
  readonly withoutBots = new Set<PlayerId>()
  readonly withoutSeats: Ticket[] = []
  readonly #deps: TakingDeps
  readonly #now: ServiceTime
  #waiting: readonly Ticket[]
  /** By level how many bots were looked for in vain: so many are not there for anybody else. */
  readonly #missing = new Map<BotLevel, number>()

  constructor(tickets: readonly Ticket[], now: ServiceTime, deps: TakingDeps) {
    this.#waiting = tickets
    this.#now = now
    this.#deps = deps
  }

  /** Whether there may be other tables now. */
  async goThrough(): Promise<boolean> {
    const tickets = this.#waiting.map((ticket) =>
      this.#isWithoutBots(ticket) ? { ...ticket, bots: null } : ticket,
    )
    const lacking = this.withoutBots.size + this.withoutSeats.length
    for (const table of matchTickets(tickets, this.#now, (preset) => PRESETS[preset])) {
      if (await this.#take(table)) this.#waitNoMore(table.tickets)
    }
    return this.withoutBots.size + this.withoutSeats.length > lacking
  }

  /** Whether its tickets are out of the queue: by this, or since another node was faster. */
  async #take(table: Table): Promise<boolean> {
    const match = await this.#matchOf(table)
    if (match === null) return this.#noBotsFor(table.tickets[0])
    const lacking = await this.#deps.takeSeats(match)
    if (lacking !== null) return this.#leaveOut(lacking, table)
    const ids = table.tickets.map(({ id }) => id)
    if (await this.#deps.store.takeMatch(encodeMatch(match), ids)) this.made.push(match)
    return true
  }

  #leaveOut({ whose, player }: SeatHolder, { tickets }: Table): boolean {
    const ticket = tickets.find((each) => playersOf(each).includes(player.id))
    // A bot that somebody else was faster to take.
    if (ticket === undefined) return this.#noBotsFor(tickets[0])
    if (whose === 'bots') return this.#noBotsFor(ticket)
    this.withoutSeats.push(ticket)
    this.#waitNoMore([ticket])
    return false
  }

  #noBotsFor(ticket: Ticket | undefined): false {
    for (const player of ticket === undefined ? [] : playersOf(ticket)) this.withoutBots.add(player)
    return false
  }

  #isWithoutBots(ticket: Ticket): boolean {
    return playersOf(ticket).some((player) => this.withoutBots.has(player))
  }

  #waitNoMore(tickets: readonly Ticket[]): void {
    const ids = new Set(tickets.map(({ id }) => id))
    this.#waiting = this.#waiting.filter(({ id }) => !ids.has(id))
  }

  /** null: there are not so many. */
  async #find(level: BotLevel, count: number): Promise<readonly Player[] | null> {
    if (count >= (this.#missing.get(level) ?? Number.POSITIVE_INFINITY)) return null
    const found = await this.#deps.findBots(level, count)
    if (found.length === count) return found
    this.#missing.set(level, count)
    return null
  }

  /** null: the bots that it needs are not there. */
  async #matchOf({ tickets, seats, bots }: Table): Promise<Match | null> {
    const [oldest] = tickets
    if (oldest === undefined) return null
    const found = bots === null ? [] : await this.#find(bots.level, bots.seats.length)
    if (found === null) return null
    const { id, preset, rated, since } = oldest
    const people = seats.map(({ seat, seeker }) => ({ seat, player: seeker.player }))
    const programs = (bots?.seats ?? []).flatMap((seat, n) => {
      const player = found[n]
      return player === undefined ? [] : [{ seat, player }]
    })
    return {
      id,
      preset,
      rated,
      seats: [...people, ...programs],
      seekers: seats.map(({ seeker }) => seeker),
      since,
      at: this.#now,
      room: null,
    }
  }
}
