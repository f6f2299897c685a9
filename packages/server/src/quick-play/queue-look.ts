import type { PlayerId, RoomId } from '@junqi/protocol'
import { Alarm } from '../alarm.ts'
import {
  type Clock,
  type NodeStore,
  type QueueRecord,
  type QueueStore,
  type ServiceTime,
  StoreUnavailableError,
} from '../ports.ts'
import { atMost } from '../room/at-most.ts'
import { Absences } from './absences.ts'
import type { SeekersHere } from './seekers-here.ts'
import { CANCELLED, type Status, statusOfMatch, statusOfTicket } from './status.ts'
import { type TakingDeps, takeTables } from './table-taking.ts'
import { encodeMatch, type Match, NOBODY, parseQueued, playersOf, type Ticket } from './ticket.ts'

/** Those who come within that time are matched together. */
const GATHER_MS = 100
/** While somebody waits: windows widen, time for bots comes. */
const WAITING_MS = 1_000
/** While nobody does, and other nodes may have died (a store of one node is not looked at). */
const QUIET_MS = 5_000
/** A match that its node has not carried out by then is carried out by all others. */
const REPAIR_MS = 2_000
/** How long a settled match can be asked for. */
const KEPT_MS = 60_000
/** A match whose room cannot be made for so long, by whatever fault, is given up, and its players are free. */
const LOST_MS = 120_000
/** How long a partner is waited for. */
const INVITING_MS = 10 * 60_000
/** Rooms that are made at once. */
const ROOMS_AT_ONCE = 16

export interface QueueLookDeps extends Omit<TakingDeps, 'store'> {
  readonly store: QueueStore & Pick<NodeStore, 'isShared'> & { readonly clock: Clock }
  readonly here: SeekersHere
  /** Makes the room of a match and seats everyone. As often as it is asked for, at whichever node, it is one room. */
  seat(match: Match): Promise<RoomId>
  /** Those of the players who are connected, to whichever node. */
  connected(players: readonly PlayerId[]): Promise<ReadonlySet<PlayerId>>
  /** Uniform in [0, 1). */
  random(): number
  /** A fault of ours. */
  fault(error: unknown): void
}

/** Goes through the queue now and then: drops who is away, matches who waits, carries out what was matched. */
export class QueueLook {
  readonly #deps: QueueLookDeps
  readonly #alarm: Alarm
  readonly #absences = new Absences()
  /** Matches that this node carries out just now. */
  readonly #underWay = new Set<string>()
  #size = 0
  #withoutBots = NOBODY
  #looking: Promise<void> | null = null
  #isAsked = false
  #isStopped = false

  constructor(deps: QueueLookDeps) {
    this.#deps = deps
    this.#alarm = new Alarm(deps.store.clock, () => {
      this.#looking ??= this.#lookAndWake()
    })
  }

  /** Tickets that waited at the last look. */
  get size(): number {
    return this.#size
  }

  /** Those who wait for bots of whom none was free at the last look. */
  get withoutBots(): ReadonlySet<PlayerId> {
    return this.#withoutBots
  }

  /** Those who waited when a process ended are still there. */
  start(): Promise<void> {
    this.#looking = this.#lookAndWake()
    return this.#looking
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#alarm.cancel()
    await this.#looking
  }

  /** Somebody waits who has not been looked at. */
  soon(): void {
    this.#size += 1
    if (this.#looking !== null) this.#isAsked = true
    else this.#wakeIn(GATHER_MS)
  }

  #wakeIn(milliseconds: number): void {
    if (!this.#isStopped) this.#alarm.set(this.#deps.store.clock.now() + milliseconds)
  }

  async #lookAndWake(): Promise<void> {
    let pause: number | null = WAITING_MS
    try {
      pause = await this.#look()
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) this.#deps.fault(error)
    }
    this.#looking = null
    if (this.#isStopped) return
    if (this.#isAsked) this.#wakeIn(GATHER_MS)
    else if (pause !== null) this.#wakeIn(this.#spread(pause))
    this.#isAsked = false
  }

  /** Nodes that look all at once do the same work. */
  #spread(pause: number): number {
    return this.#deps.store.isShared ? Math.round(pause * (0.5 + this.#deps.random())) : pause
  }

  /** When to look again; null: not before somebody comes. */
  async #look(): Promise<number | null> {
    const { store, here } = this.#deps
    const look = here.beginLook()
    const queue = await store.readQueue()
    const now = store.clock.now()
    const tickets = queue.tickets.flatMap(ticketsOf)
    const matches = queue.matches.flatMap(matchesOf)
    const present = await this.#dropAbsent(tickets, now)
    const { made, withoutBots, withoutSeats } = await takeTables(present, now, this.#deps)
    for (const ticket of withoutSeats) await this.#cancel(ticket)
    this.#withoutBots = withoutBots
    const stuck = matches.filter(({ room, at }) => room === null && now - at >= REPAIR_MS)
    await atMost(ROOMS_AT_ONCE, [...made, ...stuck], (match) => this.#carryOut(match, now))
    await this.#forgetOld(matches, now)
    this.#size = tickets.length
    here.tellNews(look, standing(tickets, matches, withoutBots))
    if (tickets.length > 0 || stuck.length > 0) return WAITING_MS
    if (matches.length > 0 || made.length > 0 || store.isShared) return QUIET_MS
    return null
  }

  /** Those who are here, without invitations that nobody followed. */
  async #dropAbsent(tickets: readonly Ticket[], now: ServiceTime): Promise<readonly Ticket[]> {
    const players = tickets.flatMap(playersOf)
    const connected = players.length === 0 ? NOBODY : await this.#deps.connected(players)
    this.#absences.note(players, connected, now)
    const isOver = (ticket: Ticket): boolean =>
      (ticket.isInviting && now - ticket.since >= INVITING_MS) ||
      playersOf(ticket).some((player) => this.#absences.isLong(player, now))
    for (const ticket of tickets.filter(isOver)) await this.#cancel(ticket)
    return tickets.filter(
      (ticket) => !isOver(ticket) && playersOf(ticket).every((player) => connected.has(player)),
    )
  }

  async #cancel(ticket: Ticket): Promise<void> {
    if (!(await this.#deps.store.dequeue(ticket.id))) return
    for (const player of playersOf(ticket)) this.#deps.here.tell(player, CANCELLED)
  }

  /** What is cut off here, by a kill or a fault, is done by another node or the next process. */
  async #carryOut(match: Match, now: ServiceTime): Promise<void> {
    if (this.#underWay.has(match.id)) return
    this.#underWay.add(match.id)
    try {
      const room = await this.#deps.seat(match)
      const settled = { ...match, room, at: now }
      await this.#deps.store.settleMatch(encodeMatch(settled))
      for (const player of playersOf(match)) {
        this.#deps.here.tell(player, statusOfMatch(player, settled))
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) this.#deps.fault(error)
    } finally {
      this.#underWay.delete(match.id)
    }
  }

  async #forgetOld(matches: readonly Match[], now: ServiceTime): Promise<void> {
    const old = matches.filter(({ room, at }) => now - at >= (room === null ? LOST_MS : KEPT_MS))
    for (const { id } of old) await this.#deps.store.forgetMatch(id)
  }
}

/** How it stands for all who were found. Until a match is carried out nothing is new. */
function standing(
  tickets: readonly Ticket[],
  matches: readonly Match[],
  withoutBots: ReadonlySet<PlayerId>,
): ReadonlyMap<PlayerId, Status | 'as told'> {
  const ofMatches = matches.flatMap((match) =>
    playersOf(match).map((player) => {
      const status = match.room === null ? 'as told' : statusOfMatch(player, match)
      return [player, status] as const
    }),
  )
  const ofTickets = tickets.flatMap((ticket) =>
    playersOf(ticket).map(
      (player) => [player, statusOfTicket(player, ticket, withoutBots)] as const,
    ),
  )
  return new Map([...ofMatches, ...ofTickets])
}

function ticketsOf(record: QueueRecord): readonly Ticket[] {
  const parsed = parseQueued(record)
  return parsed.type === 'ticket' ? [parsed.ticket] : []
}

function matchesOf(record: QueueRecord): readonly Match[] {
  const parsed = parseQueued(record)
  return parsed.type === 'match' ? [parsed.match] : []
}
