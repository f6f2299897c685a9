import type { RuleViolationCode } from '../command.ts'
import { SEATS, type Seat } from '../seat.ts'
import type { PublicState } from '../state.ts'

/** Turns of its own between two offers of a seat (R-END-5). */
const TURNS_BETWEEN_OFFERS = 10

/** Why a seat may not offer a draw now, or null. */
export function problemOfOffer(state: PublicState, seat: Seat): RuleViolationCode | null {
  if (state.offer !== null) return 'draw_offer_open'
  const status = state.seats[seat]
  const offeredAt = status?.offeredAt ?? null
  if (status === null || offeredAt === null) return null
  return status.turns - offeredAt < TURNS_BETWEEN_OFFERS ? 'draw_offer_too_soon' : null
}

/** Why a seat may not answer an offer, or null. */
export function problemOfAnswer(
  { offer }: PublicState,
  seat: Seat,
  number: number,
): RuleViolationCode | null {
  if (offer === null || offer.number !== number) return 'no_such_offer'
  return offer.by === seat || offer.accepted.includes(seat) ? 'already_answered' : null
}

/** Whether the offer lapsed: its maker has moved or was skipped since, or is out. */
export function isLapsed({ offer, seats }: PublicState): boolean {
  if (offer === null) return false
  const maker = seats[offer.by]
  return maker === null || maker.out !== null || maker.turns !== maker.offeredAt
}

/** Whether every other seat still in has said yes; a seat that is out needs no answer. */
export function isAgreed({ offer, seats }: PublicState): boolean {
  if (offer === null) return false
  return SEATS.every(
    (seat) => seats[seat]?.out !== null || seat === offer.by || offer.accepted.includes(seat),
  )
}
