import { z } from 'zod'
import { ERRORS, type ErrorCode } from './error-code.ts'
import { commandId, playerId } from './ids.ts'
import { playerName, presetName, ruleOptions } from './primitives.ts'

/** `POST /v1/guests` */
export const guestRequest = z.strictObject({ name: playerName })
/** The token is told once, here; whoever has it is this player. */
export const guestAnswer = z.strictObject({ id: playerId, name: z.string(), token: z.string() })
export type GuestAnswer = z.infer<typeof guestAnswer>

/** `POST /v1/rooms`. The same id (here or in `Idempotency-Key`) makes one room however often it is asked for. */
export const roomRequest = z.strictObject({
  preset: presetName,
  options: ruleOptions.default({}),
  private: z.boolean().default(false),
  id: commandId.exactOptional(),
})

/** The body of every HTTP answer of 400 and above, and of a refused WebSocket handshake. */
export const httpError = z.strictObject({
  error: z.strictObject({
    code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    retryable: z.boolean(),
  }),
})
