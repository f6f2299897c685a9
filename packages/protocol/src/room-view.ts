import { z } from 'zod'
import { invitation, playerId, roomId } from './ids.ts'
import type { Immutable } from './immutable.ts'
import { formation, player, seat, serverTime, spaceId } from './primitives.ts'
import { rules } from './rule-set.ts'
import { commitments, salts, sealView } from './seal.ts'
import { publicEvent, seatEvents } from './seat-event.ts'
import { bySeat, gameView } from './seat-view.ts'
import { spectators } from './spectators.ts'

export const PHASES = ['lobby', 'deployment', 'playing', 'finished'] as const
export type Phase = (typeof PHASES)[number]

const swap = z.number().int().min(1)
const bankMs = z.number().int().nonnegative()

/** What happens in a room around its game. */
const roomEvents = [
  z
    .strictObject({ type: z.literal('seatTaken'), seat, player })
    .describe('A player sat down, not ready.'),
  z
    .strictObject({
      type: z.literal('seatVacated'),
      seat,
      player: playerId,
      reason: z.enum(['stood', 'left', 'removed']),
    })
    .describe('The seat is free.'),
  z
    .strictObject({ type: z.literal('seatChanged'), player: playerId, from: seat, to: seat })
    .describe('A seated player took another seat, and is not ready there.'),
  z
    .strictObject({ type: z.literal('swapRequested'), swap, by: seat, with: seat })
    .describe('`by` asks `with` to swap seats.'),
  z
    .strictObject({ type: z.literal('swapAnswered'), swap, accept: z.boolean() })
    .describe('Yes: the two have swapped, and are not ready. No: the request is gone.'),
  z
    .strictObject({ type: z.literal('hostChanged'), player: playerId })
    .describe('Another player is host.'),
  z
    .strictObject({ type: z.literal('memberJoined'), player })
    .describe('A private room has one more member.'),
  z
    .strictObject({ type: z.literal('rulesChanged'), rules })
    .describe("The rules are others now; nobody is ready, and every seat's bank is full."),
  z
    .strictObject({ type: z.literal('spectatorsChanged'), spectators })
    .describe('Others may look on now, or later than before.'),
  z
    .strictObject({ type: z.literal('readyChanged'), seat, ready: z.boolean() })
    .describe('Ready, or not.'),
  z
    .strictObject({ type: z.literal('deploymentStarted') })
    .describe('The room is in deployment; nobody is ready.'),
  z
    .strictObject({ type: z.literal('deploymentCancelled') })
    .describe('Somebody gave a seat up: back in the lobby; nobody is ready.'),
  z
    .strictObject({ type: z.literal('bankUsed'), seat, bankMs })
    .describe("What is left of the seat's bank."),
  z
    .strictObject({ type: z.literal('rematchCreated'), room: roomId })
    .describe('The room of the next game.'),
  z
    .strictObject({ type: z.literal('gameSealed'), commitments })
    .describe('Play has started: what its start is sealed with (R-SEAL-1).'),
  z
    .strictObject({ type: z.literal('sealOpened'), salts })
    .describe('The game has ended: the salts of its commitments (R-SEAL-2).'),
  z.strictObject({ type: z.literal('roomClosed') }).describe('Nothing more happens in this room.'),
] as const

/** One item of an `event` message. */
export const viewedEvent = z.discriminatedUnion('type', [...roomEvents, ...seatEvents])
export type ViewedEvent = Immutable<z.infer<typeof viewedEvent>>

export const occupant = z
  .strictObject({
    player,
    ready: z.boolean(),
    goneSince: serverTime
      .nullable()
      .describe('Server time since which the player has no connection. Null: it has one.'),
    bankMs: bankMs.describe('Milliseconds left in its bank; before play, the whole bank.'),
  })
  .meta({ id: 'Occupant', description: 'A player on its seat.' })

export const roomView = z
  .strictObject({
    phase: z.enum(PHASES),
    rules,
    invitation: invitation
      .nullable()
      .describe(
        'Of a private room, for its members, who may pass it on. Null: the room is public.',
      ),
    spectators,
    host: playerId.nullable(),
    seats: bySeat(occupant.nullable()).describe('Null: empty, or no seat of these rules.'),
    swaps: z
      .array(z.strictObject({ swap, by: seat, with: seat }))
      .describe('Requests to swap seats that wait for an answer.'),
    you: z
      .strictObject({
        seat: seat.nullable(),
        draft: formation
          .nullable()
          .describe(
            'The formation handed in or last saved, until play starts. Only you ever see it.',
          ),
      })
      .describe('What concerns you alone.'),
    game: gameView.nullable().describe('From the start of play on.'),
    seal: sealView
      .nullable()
      .describe('From the start of play on. Null: before, and in games older than seals.'),
    history: z.array(publicEvent).describe('All that happened in the game, in order.'),
    legalMoves: z
      .record(spaceId, z.array(spaceId))
      .describe(
        'Where your own pieces may go, by the space they stand on. `{}` without a game or a seat in it.',
      ),
    flips: z
      .array(spaceId)
      .exactOptional()
      .describe(
        'In a flip game only: the spaces whose pieces you may turn up, when it is your turn. `[]` without a seat in it.',
      ),
    until: serverTime
      .nullable()
      .describe('When deployment or the turn ends, in server time. Null: nothing is timed.'),
    rematch: roomId.nullable().describe('The room of the next game.'),
    closed: z.boolean(),
  })
  .meta({ id: 'RoomView', description: 'A room as you see it: all there is to know of it.' })
export type RoomView = Immutable<z.infer<typeof roomView>>
