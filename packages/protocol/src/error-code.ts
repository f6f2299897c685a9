import type { RULE_VIOLATION_CODES } from '@junqi/engine'
import { z } from 'zod'

/** Every `code` of an `error` message or an HTTP error, with what it means and whether the same command may be sent again. */
export const ERRORS = {
  // The message itself
  bad_json: { text: 'The frame is not a JSON object in UTF-8 text.', retryable: false },
  unknown_type: { text: 'There is no message of this type.', retryable: false },
  bad_message: { text: 'The message does not have the form its type asks for.', retryable: false },
  hello_first: { text: 'The first message on a connection is hello.', retryable: false },
  unsupported_protocol: {
    text: 'The server does not speak this protocol version.',
    retryable: false,
  },
  // Who may
  unauthorized: {
    text: 'No valid token came with the request: send it as "Authorization: Bearer TOKEN", or as the subprotocol "bearer.TOKEN".',
    retryable: false,
  },
  forbidden_origin: {
    text: 'This origin is not allowed: who runs the server names those that are in JUNQI_ORIGINS.',
    retryable: false,
  },
  no_guests: {
    text: 'This server takes no guests: sign in with its identity provider.',
    retryable: false,
  },
  banned: { text: 'You are shut out of this server.', retryable: false },
  not_found: {
    text: 'There is no such thing here, or it is not for you to see.',
    retryable: false,
  },
  room_not_found: { text: 'There is no such room, or it is not for you to see.', retryable: false },
  not_seated: { text: 'You have no seat in this room.', retryable: false },
  not_host: { text: 'Only the host of the room may do this.', retryable: false },
  no_spectators: {
    text: 'This room lets nobody look on without a seat while its game runs.',
    retryable: false,
  },
  channel_closed: {
    text: 'This channel is not open to you now.',
    retryable: false,
  },
  silenced: { text: 'The host of this room has silenced you.', retryable: false },
  too_many_players: {
    text: 'As many players as may be are muted or silenced already: let one be heard again first.',
    retryable: false,
  },
  not_subscribed: { text: 'You are not subscribed to this room.', retryable: false },
  // The room
  wrong_phase: { text: 'This cannot be done in the phase that the room is in.', retryable: false },
  seat_taken: { text: 'Somebody sits there already.', retryable: false },
  no_such_seat: { text: 'The rules of this room have no such seat.', retryable: false },
  no_such_player: {
    text: 'This player has no seat in this room, or is not in it at all.',
    retryable: false,
  },
  not_yourself: { text: 'This is done to another player, not to yourself.', retryable: false },
  no_such_swap: {
    text: 'There is no such request to swap seats, or it is not yours to answer.',
    retryable: false,
  },
  no_bot_available: {
    text: 'No bot of this level is connected that is free for this room.',
    retryable: false,
  },
  too_many_bots: {
    text: 'Bots sit in as many rooms as one may have them in that you asked for them: play one of these games to its end, or leave it first.',
    retryable: false,
  },
  not_all_ready: { text: 'A game starts when every seat is taken and ready.', retryable: false },
  id_used: {
    text: 'You gave this id to another command; only the same one is sent again with it.',
    retryable: false,
  },
  already_ready: { text: 'You are ready; say notReady first.', retryable: false },
  bad_rules: { text: 'The rules asked for cannot be played.', retryable: false },
  bad_formation: {
    text: 'The formation is not allowed by the rules of this room.',
    retryable: false,
  },
  too_many_formations: {
    text: 'You keep as many formations as one may: take one out first.',
    retryable: false,
  },
  not_in_jgs: {
    text: 'The game cannot be told by a .jgs file.',
    retryable: false,
  },
  room_failed: {
    text: 'The room was stopped by a fault of the server; its game is void.',
    retryable: false,
  },
  room_full: { text: 'The room has as many members as a room may have.', retryable: false },
  room_closed: { text: 'The room is closed.', retryable: false },
  too_many_changes: {
    text: 'You have changed this room as often as one may before a game: let it begin, or make a room of your own.',
    retryable: false,
  },
  too_many_rooms: {
    text: 'You host, sit in, or this connection is subscribed to, as many rooms as one may: leave one first.',
    retryable: false,
  },
  // Quick play
  already_waiting: {
    text: 'You wait in quick play already; say cancelQuickPlay first.',
    retryable: false,
  },
  not_waiting: { text: 'You wait in no queue, or have a seat already.', retryable: false },
  no_such_pair: {
    text: 'There is no such invitation to a pair, or it is open no longer.',
    retryable: false,
  },
  // The game
  stale_turn: { text: 'The command was made for another turn.', retryable: false },
  too_late: { text: 'The turn had ended when the command arrived.', retryable: false },
  game_over: { text: 'The game has ended.', retryable: false },
  seat_out: { text: 'Your seat is out of the game.', retryable: false },
  not_your_turn: { text: 'It is not your turn.', retryable: false },
  illegal_move: { text: 'The rules do not allow this move.', retryable: false },
  illegal_flip: { text: 'Nothing lies face down there to be turned up.', retryable: false },
  resign_too_early: { text: 'It is too early in the game to resign.', retryable: false },
  draw_offer_open: { text: 'A draw offer is open already.', retryable: false },
  draw_offer_too_soon: {
    text: 'Ten further turns of your own must pass before you offer again.',
    retryable: false,
  },
  no_such_offer: { text: 'There is no such draw offer open.', retryable: false },
  already_answered: { text: 'You have answered this offer, or it is your own.', retryable: false },
  // The server
  rate_limited: { text: 'Too many messages; wait and send again.', retryable: true },
  busy: { text: 'Too much is waiting for this room or socket; send again.', retryable: true },
  unavailable: {
    text: 'The store does not answer; nothing was changed as far as is known. Send again with the same id.',
    retryable: true,
  },
  internal: { text: 'A fault of the server.', retryable: false },
} as const satisfies Record<string, { text: string; retryable: boolean }> &
  Record<(typeof RULE_VIOLATION_CODES)[number], { text: string; retryable: boolean }>

export type ErrorCode = keyof typeof ERRORS

const HTTP_STATUS: Partial<Record<ErrorCode, number>> = {
  bad_json: 400,
  bad_message: 400,
  bad_rules: 400,
  bad_formation: 400,
  unsupported_protocol: 400,
  unauthorized: 401,
  forbidden_origin: 403,
  no_guests: 403,
  banned: 403,
  no_spectators: 403,
  not_found: 404,
  room_not_found: 404,
  rate_limited: 429,
  internal: 500,
  busy: 503,
  unavailable: 503,
}

/** The HTTP status of a code that a request or handshake meets; of any other, 409: the room does not allow it now. */
export const httpStatusOf = (code: ErrorCode): number => HTTP_STATUS[code] ?? 409

export const errorCode = z
  .enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]])
  .meta({ id: 'ErrorCode', description: 'See docs/errors.md.' })
