import { InvariantError, PRESET_NAMES, type RuleSet, SEATS } from '@junqi/engine'
import {
  BOT_LEVELS,
  type BotLevel,
  commandId,
  type Immutable,
  type PlayerId,
  player,
  type RoomId,
  roomId,
} from '@junqi/protocol'
import { z } from 'zod'
import type { QueueRecord } from '../ports.ts'

const seeker = z.strictObject({
  player,
  rating: z.number(),
  /** The command that made or joined the ticket: repeated, it changes nothing. */
  command: commandId,
})

const ticket = z.strictObject({
  type: z.literal('ticket'),
  preset: z.enum(PRESET_NAMES),
  rated: z.boolean(),
  seekers: z.array(seeker).min(1).max(2),
  /** A partner is invited; until it is there nobody is matched. */
  isInviting: z.boolean(),
  bots: z.strictObject({ afterMs: z.number(), level: z.enum(BOT_LEVELS) }).nullable(),
  since: z.number(),
})

const match = z.strictObject({
  type: z.literal('match'),
  preset: z.enum(PRESET_NAMES),
  rated: z.boolean(),
  seats: z.array(z.strictObject({ seat: z.enum(SEATS), player })),
  seekers: z.array(seeker),
  since: z.number(),
  /** When the tickets were taken; when everyone was seated. */
  at: z.number(),
  /** null: the room is to be made. */
  room: roomId.nullable(),
})

export type Seeker = Immutable<z.infer<typeof seeker>>
export type TicketBots = { readonly afterMs: number; readonly level: BotLevel }

export const NOBODY: ReadonlySet<PlayerId> = new Set()

/** One player, or a pair of allies, who wait for a table. */
export type Ticket = Immutable<Omit<z.infer<typeof ticket>, 'type'>> & { readonly id: string }

/** Those of a table, taken out of the queue; named after its oldest ticket. */
export type Match = Immutable<Omit<z.infer<typeof match>, 'type'>> & { readonly id: string }

/** Of a ticket that invites a partner: what the partner says. It has the form of a room's id, and is read like one. */
export const codeOf = ({ id }: Pick<Ticket, 'id'>): RoomId => roomId.parse(id)

export const playersOf = ({ seekers }: Pick<Ticket, 'seekers'>): readonly PlayerId[] =>
  seekers.map((each) => each.player.id)

export function encodeTicket({ id, ...body }: Ticket): QueueRecord {
  const data = JSON.stringify({ type: 'ticket', ...body })
  return { id, players: playersOf(body), data }
}

export function encodeMatch({ id, ...body }: Match): QueueRecord {
  const data = JSON.stringify({ type: 'match', ...body })
  return { id, players: playersOf(body), data }
}

const record = z.discriminatedUnion('type', [ticket, match])

/** What the queue holds under an id. */
export function parseQueued({ id, data }: QueueRecord): TicketRecord | MatchRecord {
  const parsed = record.safeParse(JSON.parse(data))
  if (!parsed.success) throw new InvariantError('a record of the queue is not of its form')
  if (parsed.data.type === 'ticket') {
    const { type, ...body } = parsed.data
    return { type, ticket: { id, ...body } }
  }
  const { type, ...body } = parsed.data
  return { type, match: { id, ...body } }
}

export interface TicketRecord {
  readonly type: 'ticket'
  readonly ticket: Ticket
}

export interface MatchRecord {
  readonly type: 'match'
  readonly match: Match
}

/** Whether two players of these rules can be allies who come as a pair. */
export const hasPairs = ({ alliances }: Pick<RuleSet, 'alliances'>): boolean =>
  alliances.every(({ length }) => length === 2)
