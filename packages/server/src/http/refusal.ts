import { ERRORS, type ErrorCode } from '@junqi/protocol'

/** Why a request or a handshake is refused. */
export interface Refusal {
  readonly code: ErrorCode
  /** For a person: what was wrong and what would be right. */
  readonly message: string
  readonly retryAfterMs: number | null
}

export function refusal(code: ErrorCode, message: string = ERRORS[code].text): Refusal {
  return { code, message, retryAfterMs: null }
}

export function tooMany(retryAfterMs: number): Refusal {
  return { code: 'rate_limited', message: ERRORS.rate_limited.text, retryAfterMs }
}

/** The HTTP status of each code that a request or handshake meets; of any other, 409: the room does not allow it now. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  bad_json: 400,
  bad_message: 400,
  bad_rules: 400,
  bad_formation: 400,
  unsupported_protocol: 400,
  unauthorized: 401,
  forbidden_origin: 403,
  no_guests: 403,
  no_spectators: 403,
  not_found: 404,
  room_not_found: 404,
  rate_limited: 429,
  internal: 500,
  busy: 503,
  unavailable: 503,
}

/** A refusal as every HTTP answer has it. */
export function httpRefusal(refusal: Refusal): {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
} {
  const { code, message, retryAfterMs } = refusal
  const { retryable } = ERRORS[code]
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(retryAfterMs !== null && { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }),
    ...(code === 'unauthorized' && { 'www-authenticate': 'Bearer' }),
  }
  const body = JSON.stringify({ error: { code, message, retryable } })
  return { status: STATUS[code] ?? 409, headers, body }
}
