import { z } from 'zod'
import { channel, phrase } from './chat.ts'
import { errorCode } from './error-code.ts'
import { commandId, playerId, roomId } from './ids.ts'
import type { Immutable } from './immutable.ts'
import { listedRoom } from './lobby.ts'
import { formation, player, presetName, seat, serverTime, turn, version } from './primitives.ts'
import { roomView, viewedEvent } from './room-view.ts'
import { seatScores } from './standing.ts'
import { PROTOCOL } from './version.ts'

const re = commandId

export const welcome = z
  .strictObject({
    type: z.literal('welcome'),
    re,
    protocol: z.literal(PROTOCOL),
    serverTime,
    player: player.describe('Who you are.'),
    limits: z.strictObject({
      frameBytes: z.number(),
      nameLength: z.number(),
      subscriptions: z.number(),
      rememberedCommands: z.number(),
    }),
  })
  .describe('Answers `hello`.')

export const pong = z
  .strictObject({ type: z.literal('pong'), re, serverTime })
  .describe('Answers `ping`.')

export const ack = z
  .strictObject({
    type: z.literal('ack'),
    re,
    room: roomId.nullable().describe('The room; of `createRoom` the new one.'),
    version: version
      .nullable()
      .describe('The version of the entry that the command made. Null: it made none.'),
  })
  .describe('The command was accepted, and no event on this connection says so.')

export const error = z
  .strictObject({
    type: z.literal('error'),
    re: re.nullable().describe('Null: no id could be read.'),
    code: errorCode,
    message: z.string().describe('For a person: what was wrong and what would be right.'),
    retryable: z.boolean().describe('Whether the same command may be sent again, id and all.'),
    retryAfterMs: z.number().int().nonnegative().nullable(),
    room: roomId.nullable(),
    version: version.nullable().describe("The room's version now, where you may know it."),
    turn: turn.nullable().describe("The game's completed turns now, where you may know them."),
  })
  .describe('The command was refused and changed nothing.')

export const event = z
  .strictObject({
    type: z.literal('event'),
    room: roomId,
    version: version.describe('Dense: the next event of the room has one more.'),
    re: re
      .exactOptional()
      .describe('Only on the connection that sent the command: this entry answers it.'),
    turn: turn.nullable().describe('Completed turns after it. Null: no game yet.'),
    next: seat.nullable().describe('The seat to move after it.'),
    until: serverTime.nullable().describe('The deadline after it.'),
    events: z.array(viewedEvent).describe('What happened, in order.'),
  })
  .describe("One entry of a room's log as you see it.")

export const snapshot = z
  .strictObject({
    type: z.literal('snapshot'),
    re: re.nullable().describe('Null: the server brings you up to date unasked.'),
    room: roomId,
    version,
    view: roomView,
  })
  .describe('The whole room as you see it; replaces what you knew.')

export const presence = z
  .strictObject({
    type: z.literal('presence'),
    room: roomId,
    player: playerId,
    goneSince: serverTime.nullable().describe('Null: the player is here.'),
  })
  .describe('A seated player lost its last connection, or is back. No entry of the log.')

export const draft = z
  .strictObject({ type: z.literal('draft'), room: roomId, formation })
  .describe('Your own draft, saved or handed in on any of your connections. No entry of the log.')

export const dropped = z
  .strictObject({
    type: z.literal('dropped'),
    room: roomId,
    code: z.enum(['room_failed', 'room_closed', 'room_not_found', 'no_spectators']),
  })
  .describe('The server ended the subscription, for the reason that the error code names.')

export const said = z
  .strictObject({
    type: z.literal('said'),
    room: roomId,
    channel,
    part: z
      .number()
      .int()
      .nonnegative()
      .describe(
        'Of which game: the version with which its deployment began (in a flip game, play); 0 in `room`.',
      ),
    number: z.number().int().min(1).describe('1, 2, 3 ... in the channel and part.'),
    by: player,
    at: serverTime,
    text: z.string().nullable().describe('Plain text. Null: it was a phrase.'),
    phrase: phrase.nullable(),
  })
  .describe('Somebody said something that you may hear. No entry of the log.')

export const mutes = z
  .strictObject({ type: z.literal('mutes'), players: z.array(playerId) })
  .describe('All those whom you do not hear. After `welcome` if there are any, and at each change.')

export const onlookers = z
  .strictObject({
    type: z.literal('onlookers'),
    room: roomId,
    count: z.number().int().nonnegative(),
    players: z.array(player).describe('Some of those who let themselves be shown.'),
  })
  .describe('So many look on without a seat; none before this is told. No entry of the log.')

export const seated = z
  .strictObject({ type: z.literal('seated'), room: roomId })
  .describe(
    'You have a seat in this room now, taken by you or given by another. Told to all your connections.',
  )

export const seats = z
  .strictObject({ type: z.literal('seats'), rooms: z.array(roomId) })
  .describe('Every room where you sit in a game to come or going on. Comes after `welcome`.')

export const lobby = z
  .strictObject({ type: z.literal('lobby'), rooms: z.array(listedRoom) })
  .describe('After `watchLobby`: the rooms that pass the filters, the newest first.')

export const lobbyChanged = z
  .strictObject({
    type: z.literal('lobbyChanged'),
    put: z.array(listedRoom).describe('Rooms that are new in the list, or look otherwise now.'),
    removed: z.array(roomId).describe('Rooms that are in it no more.'),
  })
  .describe('The difference to the list that you have.')

export const quickPlayStatus = z
  .strictObject({
    type: z.literal('quickPlayStatus'),
    state: z
      .enum(['idle', 'inviting', 'waiting', 'matched', 'cancelled'])
      .describe(
        '`idle`: you wait for nothing. `inviting`: for your partner. `waiting`: for a table. `matched`: you sit at one. `cancelled`: you waited, and do no longer: you or your partner said so, was away for too long, or has as many seats as one may have.',
      ),
    preset: presetName.nullable(),
    since: serverTime.nullable().describe('While you wait: since when.'),
    code: z.string().nullable().describe('While inviting: what your partner sends in `joinPair`.'),
    partner: player.nullable().describe('Your ally, who waits with you.'),
    noBotFree: z
      .boolean()
      .describe(
        'You wait, and the time for bots has come that you asked for, but none of the level is free, or bots sit already in as many rooms as one may have them in that you asked for them. You go on waiting, for people and for bots.',
      ),
    room: roomId.nullable().describe('Matched: where you sit.'),
    seat: seat.nullable(),
  })
  .describe('How your wish for quick play stands. Told to all your connections.')

export const scored = z
  .strictObject({ type: z.literal('scored'), room: roomId, seats: seatScores })
  .describe(
    'What a scored game that has just ended did to its players. Told to who watches the room, as far as it can be: `GET /v1/games/<room>/score` tells it for certain. No entry of the log.',
  )

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
  said,
  mutes,
  onlookers,
  seated,
  seats,
  lobby,
  lobbyChanged,
  quickPlayStatus,
  scored,
])
export type ServerMessage = Immutable<z.infer<typeof serverMessage>>
