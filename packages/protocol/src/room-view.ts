import { z } from 'zod'
import { invitation, playerId, roomId } from './ids.ts'
import type { Immutable } from './immutable.ts'
import { formation, player, seat, serverTime, spaceId } from './primitives.ts'
import { rules } from './rule-set.ts'
import { publicEvent, seatEvents } from './seat-event.ts'
import { bySeat, gameView } from './seat-view.ts'

export const PHASES = ['lobby', 'deployment', 'playing', 'finished'] as const
export const phase = z.enum(PHASES)
export type Phase = z.infer<typeof phase>

/** What happens in a room around its game. */
export const roomEvents = [
  z.strictObject({ type: z.literal('seatTaken'), seat, player }),
  z.strictObject({
    type: z.literal('seatVacated'),
    seat,
    player: playerId,
    reason: z.enum(['stood', 'left', 'removed']),
  }),
  z.strictObject({ type: z.literal('seatChanged'), player: playerId, from: seat, to: seat }),
  z.strictObject({
    type: z.literal('swapRequested'),
    swap: z.number().int(),
    by: seat,
    with: seat,
  }),
  /** Yes: the two seats are swapped. A no, and a request that lapsed because one of the two moved. */
  z.strictObject({ type: z.literal('swapAnswered'), swap: z.number().int(), accept: z.boolean() }),
  z.strictObject({ type: z.literal('hostChanged'), player: playerId }),
  z.strictObject({ type: z.literal('memberJoined'), player }),
  /** Clears everyone's ready. */
  z.strictObject({ type: z.literal('rulesChanged'), rules }),
  z.strictObject({ type: z.literal('readyChanged'), seat, ready: z.boolean() }),
  /** The room is in deployment; clears everyone's ready. */
  z.strictObject({ type: z.literal('deploymentStarted') }),
  /** Somebody left: back in the lobby. */
  z.strictObject({ type: z.literal('deploymentCancelled') }),
  /** What is left of a seat's bank, in milliseconds, after it used some (R-OUT-4). */
  z.strictObject({ type: z.literal('bankUsed'), seat, bankMs: z.number().int().nonnegative() }),
  z.strictObject({ type: z.literal('rematchCreated'), room: roomId }),
  z.strictObject({ type: z.literal('roomClosed') }),
] as const

/** One item of an `event` message. */
export const viewedEvent = z.discriminatedUnion('type', [...roomEvents, ...seatEvents])
export type ViewedEvent = Immutable<z.infer<typeof viewedEvent>>

/** A taken seat. */
const occupant = z.strictObject({
  player,
  ready: z.boolean(),
  /** Server time since which the player has no connection; null: it has one. */
  goneSince: serverTime.nullable(),
  /** Milliseconds left in its bank; the whole bank before play. */
  bankMs: z.number().int().nonnegative(),
})

/** A room as one viewer sees it. */
export const roomView = z.strictObject({
  phase,
  rules,
  /** Only members of a private room get here, so its invitation is shown; null: the room is public. */
  invitation: invitation.nullable(),
  host: playerId.nullable(),
  seats: bySeat(occupant.nullable()),
  swaps: z.array(z.strictObject({ swap: z.number().int(), by: seat, with: seat })),
  /** Of the viewer itself. */
  you: z.strictObject({
    seat: seat.nullable(),
    /** The formation handed in, else the draft kept in the server; its own, and secret. */
    draft: formation.nullable(),
  }),
  /** From the start of play on. */
  game: gameView.nullable(),
  /** All that happened in the game, in order. */
  history: z.array(publicEvent),
  /** Where the viewer's own pieces may go: from -> to. Empty when its seat is out or has none. */
  legalMoves: z.record(spaceId, z.array(spaceId)),
  /** When deployment or the turn ends, in server time; null: nothing is timed. */
  until: serverTime.nullable(),
  rematch: roomId.nullable(),
  closed: z.boolean(),
})
export type RoomView = Immutable<z.infer<typeof roomView>>
