/**
 * Every code with which the server closes a WebSocket, and whether a client comes back: `no`, `hint` (after the time
 * in the reason), `backoff`. A connection that ends in any other way, or in none, is a broken one: `backoff`.
 */
export const CLOSE_CODES = {
  1000: {
    name: 'done',
    retry: 'no',
    text: 'The client asked for it, or the server is done with it.',
  },
  1001: { name: 'going_away', retry: 'backoff', text: 'The server stops.' },
  1002: {
    name: 'protocol_error',
    retry: 'backoff',
    text: 'Bytes came that are no WebSocket frame.',
  },
  1007: { name: 'not_utf8', retry: 'no', text: 'A text frame was not UTF-8.' },
  1008: {
    name: 'too_many_fragments',
    retry: 'no',
    text: 'A message came in more fragments than the limit.',
  },
  1009: { name: 'frame_too_big', retry: 'no', text: 'A frame was larger than the limit.' },
  1011: { name: 'internal', retry: 'backoff', text: 'A fault of the server.' },
  1012: {
    name: 'restart',
    retry: 'hint',
    text: 'The server restarts; the reason holds {"retryAfterMs": n}.',
  },
  1013: { name: 'overload', retry: 'backoff', text: 'Too much to do; come back later.' },
  4400: { name: 'bad_messages', retry: 'no', text: 'Too many malformed messages.' },
  4401: { name: 'token_revoked', retry: 'no', text: 'The token is no longer valid.' },
  4403: { name: 'banned', retry: 'no', text: 'The player is shut out of this server.' },
  4408: { name: 'hello_missing', retry: 'backoff', text: 'No hello came in time.' },
  4429: { name: 'flooding', retry: 'backoff', text: 'Too many messages for too long.' },
} as const satisfies Record<
  number,
  { name: string; retry: 'no' | 'hint' | 'backoff'; text: string }
>

export type CloseCode = keyof typeof CLOSE_CODES

/** The reason text that goes with 1012, the code of a restart. */
export const formatRetryHint = (retryAfterMs: number): string => JSON.stringify({ retryAfterMs })

/** What a close reason says of when to come back, in milliseconds; null: nothing. */
export function parseRetryHint(reason: string): number | null {
  const milliseconds = /^\{"retryAfterMs":(\d{1,7})\}$/.exec(reason)?.[1]
  return milliseconds === undefined ? null : Number(milliseconds)
}
