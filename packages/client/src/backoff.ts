import { CLOSE_CODES, parseRetryHint } from '@junqi/protocol'

const BASE_MS = 200
const CAP_MS = 20_000
/** The longest wait of somebody whose clock runs meanwhile (DESIGN 5.4). */
const URGENT_CAP_MS = 1_000

/** Whether the player has a seat in a game that is on. */
export type Urgency = 'urgent' | 'patient'

/** A connection that was welcomed and lived that long has proved itself: the next attempts start over (F-R9). */
export const STABLE_MS = 10_000

/** How long to wait before attempt 0, 1, 2 ...: between half and all of a time that doubles. */
export function backoffDelay(
  attempt: number,
  random: () => number,
  urgency: Urgency = 'patient',
): number {
  const cap = urgency === 'urgent' ? URGENT_CAP_MS : CAP_MS
  const ceiling = Math.min(cap, BASE_MS * 2 ** Math.min(attempt, 16))
  return ceiling * (0.5 + random() / 2)
}

/** How long to wait after a close, by the published table; null: do not come back. */
export function reconnectDelay(
  close: { readonly code: number; readonly reason: string },
  attempt: number,
  random: () => number,
  urgency: Urgency = 'patient',
): number | null {
  const known = Object.entries(CLOSE_CODES).find(([code]) => Number(code) === close.code)
  const retry = known?.[1].retry ?? 'backoff'
  if (retry === 'no') return null
  const hint = retry === 'hint' ? parseRetryHint(close.reason) : null
  if (hint !== null && attempt === 0) return hint
  return Math.max(hint ?? 0, backoffDelay(attempt, random, urgency))
}
