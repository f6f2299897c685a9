import { z } from 'zod'
import { commandId, invitation, playerId, roomId } from './ids.ts'
import type { Immutable } from './immutable.ts'
import {
  formationInput,
  presetName,
  ruleOptionsInput,
  seat,
  spaceId,
  turn,
  version,
} from './primitives.ts'

/** A message about one room. */
const inRoom = { id: commandId, room: roomId }

/** First message on every connection. Other messages may follow at once. */
export const hello = z.strictObject({
  type: z.literal('hello'),
  id: commandId,
  /** The name and version of the client program, for the server's log. */
  client: z.string().max(64),
})
export const ping = z.strictObject({ type: z.literal('ping'), id: commandId })

/** Watch a room: missed entries since that version, or a snapshot (also when `since` is left out). */
export const subscribe = z.strictObject({
  type: z.literal('subscribe'),
  ...inRoom,
  since: version.exactOptional(),
  /** For a private room that one is not a member of yet. */
  invitation: invitation.exactOptional(),
})
export const unsubscribe = z.strictObject({ type: z.literal('unsubscribe'), ...inRoom })

export const createRoom = z.strictObject({
  type: z.literal('createRoom'),
  id: commandId,
  preset: presetName,
  options: ruleOptionsInput,
  private: z.boolean(),
})
/** Take an empty seat; a seated player changes its seat. In a private room the invitation admits. */
export const sit = z.strictObject({
  type: z.literal('sit'),
  ...inRoom,
  seat,
  invitation: invitation.exactOptional(),
})
/** Give the seat up before the start (in deployment: the room is back in the lobby). */
export const stand = z.strictObject({ type: z.literal('stand'), ...inRoom })
/** Ask the player on a taken seat to swap. */
export const requestSwap = z.strictObject({ type: z.literal('requestSwap'), ...inRoom, seat })
export const answerSwap = z.strictObject({
  type: z.literal('answerSwap'),
  ...inRoom,
  swap: z.number().int().positive(),
  accept: z.boolean(),
})
/** Lobby: ready to start. (In deployment a seat becomes ready with `submitFormation`.) */
export const ready = z.strictObject({ type: z.literal('ready'), ...inRoom })
/** Lobby and deployment: not ready after all. */
export const notReady = z.strictObject({ type: z.literal('notReady'), ...inRoom })
/** Host, lobby: replaces the rules and clears everyone's ready. */
export const setRules = z.strictObject({
  type: z.literal('setRules'),
  ...inRoom,
  preset: presetName,
  options: ruleOptionsInput,
})
/** Host, before play: puts a seated player out of its seat. */
export const removePlayer = z.strictObject({
  type: z.literal('removePlayer'),
  ...inRoom,
  player: playerId,
})
/** Host, lobby: every seat taken and ready -> deployment. */
export const start = z.strictObject({ type: z.literal('start'), ...inRoom })

/** Deployment: keep a formation without being ready. Nobody else ever learns of it (R-DEPLOY-6). */
export const saveDraft = z.strictObject({
  type: z.literal('saveDraft'),
  ...inRoom,
  formation: formationInput,
})
/** Deployment: hand in the formation and be ready. */
export const submitFormation = z.strictObject({
  type: z.literal('submitFormation'),
  ...inRoom,
  formation: formationInput,
})

export const move = z.strictObject({
  type: z.literal('move'),
  ...inRoom,
  turn,
  from: spaceId,
  to: spaceId,
})
export const resign = z.strictObject({ type: z.literal('resign'), ...inRoom, turn })
/** Leave the room for good: during play as R-OUT-7 says, before it the seat is given up. */
export const leave = z.strictObject({ type: z.literal('leave'), ...inRoom })
export const offerDraw = z.strictObject({ type: z.literal('offerDraw'), ...inRoom })
export const answerDraw = z.strictObject({
  type: z.literal('answerDraw'),
  ...inRoom,
  offer: z.number().int().positive(),
  accept: z.boolean(),
})
/** After the end: a new room with the same seats, rules, invitation and members. Asked for twice it is one room. */
export const rematch = z.strictObject({ type: z.literal('rematch'), ...inRoom })

export const clientMessage = z.discriminatedUnion('type', [
  hello,
  ping,
  subscribe,
  unsubscribe,
  createRoom,
  sit,
  stand,
  requestSwap,
  answerSwap,
  ready,
  notReady,
  setRules,
  removePlayer,
  start,
  saveDraft,
  submitFormation,
  move,
  resign,
  leave,
  offerDraw,
  answerDraw,
  rematch,
])
export type ClientMessage = Immutable<z.infer<typeof clientMessage>>
