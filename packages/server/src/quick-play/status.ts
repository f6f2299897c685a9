import {
  encodeServerMessage,
  formatRoomCode,
  type PlayerId,
  type ServerMessage,
} from '@junqi/protocol'
import type { QueueRecord } from '../ports.ts'
import { codeOf, type Match, NOBODY, parseQueued, type Ticket } from './ticket.ts'

export type Status = Omit<Extract<ServerMessage, { type: 'quickPlayStatus' }>, 'type'>

const NOTHING = {
  preset: null,
  since: null,
  code: null,
  partner: null,
  noBotFree: false,
  room: null,
  seat: null,
}
const IDLE: Status = { state: 'idle', ...NOTHING }
export const CANCELLED: Status = { state: 'cancelled', ...NOTHING }

/** How it stands for a player of whom the queue holds this; null: nothing. For those without bots none was free. */
export function statusOf(
  player: PlayerId,
  queued: QueueRecord | null,
  withoutBots: ReadonlySet<PlayerId>,
): Status {
  if (queued === null) return IDLE
  const parsed = parseQueued(queued)
  return parsed.type === 'ticket'
    ? statusOfTicket(player, parsed.ticket, withoutBots)
    : statusOfMatch(player, parsed.match)
}

export function statusOfTicket(
  player: PlayerId,
  ticket: Ticket,
  withoutBots: ReadonlySet<PlayerId> = NOBODY,
): Status {
  const { preset, since, seekers, isInviting } = ticket
  const partner = seekers.find((seeker) => seeker.player.id !== player)?.player ?? null
  const code = isInviting ? formatRoomCode(codeOf(ticket)) : null
  const state = isInviting ? 'inviting' : 'waiting'
  return { ...NOTHING, state, preset, since, code, partner, noBotFree: withoutBots.has(player) }
}

export function statusOfMatch(player: PlayerId, match: Match): Status {
  const { preset, room, since } = match
  if (room === null) return { ...NOTHING, state: 'waiting', preset, since }
  const seat = match.seats.find((taken) => taken.player.id === player)?.seat ?? null
  return { ...NOTHING, state: 'matched', preset, room, seat }
}

export const frameOf = (status: Status) =>
  encodeServerMessage({ type: 'quickPlayStatus', ...status })
