import { z } from 'zod'
import { ERRORS, type ErrorCode } from './error-code.ts'
import { commandId, playerId, roomId } from './ids.ts'
import type { Immutable } from './immutable.ts'
import { formation, player, seat, serverTime, turn, version } from './primitives.ts'
import { roomView, viewedEvent } from './room-view.ts'
import { PROTOCOL } from './version.ts'

const errorCodes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]
const re = commandId

export const welcome = z.strictObject({
  type: z.literal('welcome'),
  re,
  protocol: z.literal(PROTOCOL),
  serverTime,
  player,
  limits: z.strictObject({
    frameBytes: z.number(),
    nameLength: z.number(),
    subscriptions: z.number(),
    rememberedCommands: z.number(),
  }),
})
export const pong = z.strictObject({ type: z.literal('pong'), re, serverTime })

/** The command was accepted, and no event in this socket tells so. `version`: of the entry it made; null: it made none. */
export const ack = z.strictObject({
  type: z.literal('ack'),
  re,
  room: roomId.nullable(),
  version: version.nullable(),
})

/** The command was refused, and changed nothing. `re` is null where no id could be read. */
export const error = z.strictObject({
  type: z.literal('error'),
  re: re.nullable(),
  code: z.enum(errorCodes),
  /** For a person: what was wrong and what would be right. */
  message: z.string(),
  retryable: z.boolean(),
  retryAfterMs: z.number().int().nonnegative().nullable(),
  room: roomId.nullable(),
  /** The room's version and completed turns now, where the sender may know them. */
  version: version.nullable(),
  turn: turn.nullable(),
})

/**
 * One entry of a room's log as the viewer sees it. Versions of a room are dense: the next is one more.
 * `turn`, `next` and `until` hold after it: completed turns, the seat to move, the deadline in server time.
 */
export const event = z.strictObject({
  type: z.literal('event'),
  room: roomId,
  version,
  /** Only in the socket that sent the command: the entry answers it. */
  re: re.exactOptional(),
  turn: turn.nullable(),
  next: seat.nullable(),
  until: serverTime.nullable(),
  events: z.array(viewedEvent),
})

/** The whole room as the viewer sees it; replaces what the client knew. `re` null: the server resyncs the client. */
export const snapshot = z.strictObject({
  type: z.literal('snapshot'),
  re: re.nullable(),
  room: roomId,
  version,
  view: roomView,
})

/** A seated player lost its last connection (`goneSince`), or is back (null). Not part of the log. */
export const presence = z.strictObject({
  type: z.literal('presence'),
  room: roomId,
  player: playerId,
  goneSince: serverTime.nullable(),
})

/** The player's own draft, to its own other sockets. */
export const draft = z.strictObject({ type: z.literal('draft'), room: roomId, formation })

/** The server ended the subscription: the room failed, was closed, or is no longer the player's to see. */
export const dropped = z.strictObject({
  type: z.literal('dropped'),
  room: roomId,
  code: z.enum(['room_failed', 'room_closed', 'room_not_found']),
})

export const serverMessage = z.discriminatedUnion('type', [
  welcome,
  pong,
  ack,
  error,
  event,
  snapshot,
  presence,
  draft,
  dropped,
])
export type ServerMessage = Immutable<z.infer<typeof serverMessage>>
