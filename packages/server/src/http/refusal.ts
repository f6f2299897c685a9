import { ERRORS, type ErrorCode, httpStatusOf } from '@junqi/protocol'

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

/** Over HTTP few things have an id. */
export const NO_STORE = refusal(
  'unavailable',
  'The store does not answer; nothing was changed as far as is known. Ask again, with the same Idempotency-Key if there was one.',
)

export function tooMany(retryAfterMs: number): Refusal {
  return { code: 'rate_limited', message: ERRORS.rate_limited.text, retryAfterMs }
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
  return { status: httpStatusOf(code), headers, body }
}
