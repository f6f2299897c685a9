import type { RuleViolationCode } from './command.ts'

/** Refusals whose sentence says what stands in the way (rules/why-illegal.ts). */
type Explained = 'illegal_move' | 'illegal_flip'

/** The one sentence of each other refusal: the same whatever the position is (R-SEE-6). */
export const VIOLATIONS: Readonly<Record<Exclude<RuleViolationCode, Explained>, string>> = {
  game_over: 'The game is over; nothing can be played any more.',
  seat_out: 'This seat is not in the game; only seats that are still in can act.',
  not_your_turn: 'It is not the turn of this seat; wait until it is.',
  resign_too_early: 'It is too early to resign; the rules say from which move on (resignFromMove).',
  draw_offer_open: 'A draw offer is open; answer it, or wait until it is settled.',
  draw_offer_too_soon:
    'The last offer of this seat is too recent; make 10 own turns between offers.',
  no_such_offer: 'This draw offer is not open; answer the one that is.',
  already_answered: 'This seat has answered the offer already; wait for the others.',
}
