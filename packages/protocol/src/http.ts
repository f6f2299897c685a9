import { z } from 'zod'
import { errorCode } from './error-code.ts'
import { commandId, roomId } from './ids.ts'
import type { Immutable } from './immutable.ts'
import { listedRoom } from './lobby.ts'
import {
  botLevel,
  player,
  playerName,
  presetName,
  ruleOptionsInput,
  version,
} from './primitives.ts'
import { spectators } from './spectators.ts'

/** The body of every HTTP answer that refuses, a WebSocket handshake's too. */
export const httpError = z
  .strictObject({
    error: z.strictObject({ code: errorCode, message: z.string(), retryable: z.boolean() }),
  })
  .meta({
    id: 'HttpError',
    description: 'The body of every answer that refuses, of a WebSocket handshake too.',
  })

/** The body of `POST /v1/guests`. */
export const guestRequest = z.strictObject({
  name: playerName.describe('1 to 24 characters after trimming, no control characters.'),
  bot: botLevel
    .exactOptional()
    .describe('Needs the bot key. The same name and level are the same account.'),
})

/** Its answer, with 201. The token is told this once. */
export const guest = player.extend({
  token: z.string().describe('Secret. Whoever has it is this player; it is told this once.'),
})
export type Guest = Immutable<z.infer<typeof guest>>

/** The answer of `GET /v1/session`: whose the token is. */
export const session = z.strictObject({ player })

/** How one comes in. */
export const admission = z.strictObject({
  guests: z.boolean().describe('Whether `POST /v1/guests` makes players.'),
  loginUrl: z
    .string()
    .nullable()
    .describe('Where people sign in with the identity provider; null: nowhere, or it is not told.'),
})
export type Admission = Immutable<z.infer<typeof admission>>

/** What a client needs of the answer of `GET /v1/meta`; there is more in it. */
export const meta = z.object({ admission })

/** The answer of `GET /v1/seats`: the rooms where you sit, in games to come or going on. */
export const seatList = z.strictObject({ rooms: z.array(roomId) })

/** The body of `POST /v1/rooms`. The same id (here or in `Idempotency-Key`) makes one room, however often it is asked for. */
export const roomRequest = z.strictObject({
  id: commandId.exactOptional().describe('The same as `Idempotency-Key`: one of the two, or none.'),
  preset: presetName,
  options: ruleOptionsInput.default({}),
  private: z.boolean().default(false).describe('In no list, and entered by invitation only.'),
  spectators: spectators.exactOptional().describe('Left out: `public`.'),
})

/** Its answer, with 201. */
export const roomCreated = z.strictObject({ room: roomId, version })

/** The answer of `GET /v1/codes/<code>`: the room that somebody meant by what they typed. */
export const roomCode = z.strictObject({
  room: roomId,
  code: z.string().describe('The id as it is shown and read out.'),
})

/** The answer of `GET /v1/rooms`. */
export const roomList = z.strictObject({ rooms: z.array(listedRoom) })
