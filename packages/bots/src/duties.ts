import {
  type DrawOffer,
  legalFlipsInView,
  legalMovesInView,
  type Move,
  type SpaceId,
} from '@junqi/engine'
import type { Sight } from './brain.ts'

/** The draw offer that waits for this seat's answer, or null (R-END-5). */
export function offerToAnswer({ view, seat }: Sight): DrawOffer | null {
  const { offer, result } = view
  if (offer === null || result !== null || view.seats[seat]?.out !== null) return null
  return offer.by === seat || offer.accepted.includes(seat) ? null : offer
}

/** The moves that the seat may make now: none when it is not to move. */
export const movesNow = ({ ruleSet, view, seat }: Sight): readonly Move[] =>
  view.toMove === seat ? legalMovesInView(ruleSet, view, seat) : []

/** The pieces that the seat may turn up now (R-FLIP-2): none outside the flip game. */
export const flipsNow = ({ ruleSet, view, seat }: Sight): readonly SpaceId[] =>
  view.toMove === seat ? legalFlipsInView(ruleSet, view, seat) : []
