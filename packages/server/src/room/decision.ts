import { err, type Result } from '@junqi/engine'
import { ERRORS, type ErrorCode } from '@junqi/protocol'
import type { RoomEvent } from './room-event.ts'

/** Why a command changed nothing. Depends on public facts and what its sender knows (R-SEE-6). */
export interface Refusal {
  readonly code: ErrorCode
  /** What was wrong and what would be right. */
  readonly message: string
  /** When it may be sent again; null: nothing is known of that. */
  readonly retryAfterMs: number | null
}

/** What a command leads to, or why it is refused. */
export type Decision = Result<readonly RoomEvent[], Refusal>

/** A refusal with its code's own sentence, or one that says more. */
export const refusal = (code: ErrorCode, message: string = ERRORS[code].text): Refusal => ({
  code,
  message,
  retryAfterMs: null,
})

export const refuse = (
  code: ErrorCode,
  message?: string,
): { readonly ok: false; readonly error: Refusal } => err(refusal(code, message))

/** What the engine says is wrong with something that was sent, as a sentence. */
export const sentenceOf = (problem: string): string =>
  `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`

/** One more than a quota allows; there is a token for it after so long. */
export const tooMany = (retryAfterMs: number): { readonly ok: false; readonly error: Refusal } =>
  err({ ...refusal('rate_limited'), retryAfterMs })
