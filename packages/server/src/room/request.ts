import type { Result } from '@junqi/engine'
import type { CommandId, Player } from '@junqi/protocol'
import type { ServiceTime } from '../ports.ts'
import type { Session } from '../socket/session.ts'
import { type Refusal, refuse } from './decision.ts'
import { ledTo } from './led-to.ts'
import type { LogEntry } from './log-entry.ts'
import type { PlayerAction } from './room-command.ts'

/** A player's command, as it came in. */
export interface Request {
  readonly player: Player
  readonly action: PlayerAction
  readonly receivedAt: ServiceTime
  /** null: not remembered (repeating it is harmless by itself). */
  readonly id: CommandId | null
  /** The socket to answer, if any. */
  readonly session: Session | null
}

/** What became of an accepted command. */
export interface Accepted {
  /** Of the entry it made, now or when it was first sent; null: it made none. */
  readonly version: number | null
  /** The sender's socket has got the entry, with `re`. */
  readonly isAnnounced: boolean
}

export type Outcome = Result<Accepted, Refusal>

/** Too much waits for the room; to who may not see it, it is not there. */
export const busy = (isSeen: boolean): Outcome => refuse(isSeen ? 'busy' : 'room_not_found')

/** Whether an entry is what the request led to. */
export const isEntryOf = (
  { player, command, events }: LogEntry,
  { player: { id }, id: asked, action }: Request,
): boolean => asked !== null && command === asked && player === id && ledTo(action, events)
