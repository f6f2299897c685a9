import { assertNever, invariant } from './assert.ts'
import type { GameEvent } from './event.ts'
import type { RuleSet } from './rules/rule-set.ts'
import { seatAfter } from './rules/turn-order.ts'
import { bySeat, type Seat } from './seat.ts'
import type { DrawOffer, GameResult, PublicState, SeatStatus } from './state.ts'

const FRESH: SeatStatus = { out: null, timeouts: 0, turns: 0, offeredAt: null }

/** What everyone knows as play starts. */
export const freshPublicState = ({ seats }: RuleSet, first: Seat): PublicState => ({
  seats: bySeat((seat) => (seats.includes(seat) ? FRESH : null)),
  first,
  toMove: first,
  turn: 0,
  moves: 0,
  quiet: 0,
  skipped: 0,
  offer: null,
  offers: 0,
  result: null,
})

/** An event after the start; of the end only what it decides, for views know more of it than states. */
export type PublicChange =
  | Exclude<GameEvent, { type: 'gameStarted' } | { type: 'gameEnded' }>
  | ({ readonly type: 'gameEnded' } & GameResult)

/** What an event changes of what everyone knows: the one place for states and views alike. */
export function evolvePublic(
  ruleSet: RuleSet,
  state: PublicState,
  event: PublicChange,
): Partial<PublicState> {
  switch (event.type) {
    case 'pieceMoved':
      return moved(ruleSet, state, state.quiet + 1)
    case 'pieceAttacked':
      return moved(ruleSet, state, event.outcome === 'repelled' ? state.quiet + 1 : 0)
    case 'turnSkipped':
      return skipped(ruleSet, state, event.seat)
    case 'seatEliminated':
      return eliminated(ruleSet, state, event)
    case 'drawOffered':
      return offered(state, event.seat, event.offer)
    case 'drawAnswered':
      return { offer: event.accept ? accepted(state.offer, event.seat) : null }
    case 'drawLapsed':
      return { offer: null }
    case 'gameEnded':
      return {
        result: { winners: event.winners, reason: event.reason },
        toMove: null,
        offer: null,
      }
    case 'flagRevealed':
    case 'officerScouted':
      return {}
    default:
      return assertNever(event)
  }
}

function withSeat(state: PublicState, seat: Seat, change: Partial<SeatStatus>) {
  const status = state.seats[seat]
  invariant(status !== null, `${seat} is not in the game`)
  return { ...state.seats, [seat]: { ...status, ...change } }
}

function turnsOf(state: PublicState, seat: Seat): number {
  return state.seats[seat]?.turns ?? 0
}

function moved(ruleSet: RuleSet, state: PublicState, quiet: number): Partial<PublicState> {
  const mover = state.toMove
  invariant(mover !== null, 'a move after the end')
  return {
    seats: withSeat(state, mover, { turns: turnsOf(state, mover) + 1 }),
    toMove: seatAfter(mover, ruleSet, state.seats),
    turn: state.turn + 1,
    moves: state.moves + 1,
    quiet,
    skipped: 0,
  }
}

function skipped(ruleSet: RuleSet, state: PublicState, seat: Seat): Partial<PublicState> {
  const timeouts = (state.seats[seat]?.timeouts ?? 0) + 1
  return {
    seats: withSeat(state, seat, { timeouts, turns: turnsOf(state, seat) + 1 }),
    toMove: seatAfter(seat, ruleSet, state.seats),
    turn: state.turn + 1,
    skipped: state.skipped + 1,
  }
}

function eliminated(
  ruleSet: RuleSet,
  state: PublicState,
  { seat, reason }: Extract<GameEvent, { type: 'seatEliminated' }>,
): Partial<PublicState> {
  const seats = withSeat(state, seat, { out: reason })
  return { seats, toMove: state.toMove === seat ? seatAfter(seat, ruleSet, seats) : state.toMove }
}

const offered = (state: PublicState, by: Seat, number: number): Partial<PublicState> => ({
  seats: withSeat(state, by, { offeredAt: turnsOf(state, by) }),
  offer: { number, by, accepted: [] },
  offers: number,
})

function accepted(offer: DrawOffer | null, seat: Seat): DrawOffer {
  invariant(offer !== null, 'an answer to no offer')
  return { ...offer, accepted: [...offer.accepted, seat] }
}
