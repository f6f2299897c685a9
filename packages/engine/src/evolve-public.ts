import { assertNever, invariant } from './assert.ts'
import type { GameEvent } from './event.ts'
import type { RuleSet } from './rules/rule-set.ts'
import { seatAfter } from './rules/turn-order.ts'
import { bySeat, ofSeat, type Seat } from './seat.ts'
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
): PublicState {
  switch (event.type) {
    case 'pieceMoved':
      return moved(ruleSet, state, state.quiet + 1)
    case 'pieceAttacked':
      return moved(ruleSet, state, event.outcome === 'repelled' ? state.quiet + 1 : 0)
    case 'pieceFlipped':
      return moved(ruleSet, state, 0)
    case 'turnSkipped':
      return skipped(ruleSet, state, event.seat)
    case 'seatEliminated':
      return eliminated(ruleSet, state, event)
    case 'drawOffered':
      return offered(state, event.seat, event.offer)
    case 'drawAnswered':
      return { ...state, offer: event.accept ? accepted(state.offer, event.seat) : null }
    case 'drawLapsed':
      return { ...state, offer: null }
    case 'gameEnded':
      return ended(state, event)
    case 'flagRevealed':
    case 'officerScouted':
    case 'coloursKnown':
      return state
    default:
      return assertNever(event)
  }
}

/** Field by field: on the way of every move, spreads would cost as much as all the rest. */
function moved(ruleSet: RuleSet, state: PublicState, quiet: number): PublicState {
  const mover = state.toMove
  invariant(mover !== null, 'a move after the end')
  const { out, timeouts, turns, offeredAt } = statusOf(state, mover)
  return {
    seats: withStatus(state, mover, { out, timeouts, turns: turns + 1, offeredAt }),
    first: state.first,
    toMove: seatAfter(mover, ruleSet, state.seats),
    turn: state.turn + 1,
    moves: state.moves + 1,
    quiet,
    skipped: 0,
    offer: state.offer,
    offers: state.offers,
    result: state.result,
  }
}

function skipped(ruleSet: RuleSet, state: PublicState, seat: Seat): PublicState {
  const status = statusOf(state, seat)
  const { timeouts, turns } = status
  return {
    ...state,
    seats: withStatus(state, seat, { ...status, timeouts: timeouts + 1, turns: turns + 1 }),
    toMove: seatAfter(seat, ruleSet, state.seats),
    turn: state.turn + 1,
    skipped: state.skipped + 1,
  }
}

function eliminated(
  ruleSet: RuleSet,
  state: PublicState,
  { seat, reason }: Extract<GameEvent, { type: 'seatEliminated' }>,
): PublicState {
  const seats = withStatus(state, seat, { ...statusOf(state, seat), out: reason })
  const toMove = state.toMove === seat ? seatAfter(seat, ruleSet, seats) : state.toMove
  return { ...state, seats, toMove }
}

function offered(state: PublicState, by: Seat, number: number): PublicState {
  const status = statusOf(state, by)
  return {
    ...state,
    seats: withStatus(state, by, { ...status, offeredAt: status.turns }),
    offer: { number, by, accepted: [] },
    offers: number,
  }
}

const ended = (state: PublicState, { winners, reason }: GameResult): PublicState => ({
  ...state,
  result: { winners, reason },
  toMove: null,
  offer: null,
})

function accepted(offer: DrawOffer | null, seat: Seat): DrawOffer {
  invariant(offer !== null, 'an answer to no offer')
  return { ...offer, accepted: [...offer.accepted, seat] }
}

function statusOf({ seats }: PublicState, seat: Seat): SeatStatus {
  const status = ofSeat(seats, seat)
  invariant(status !== null, `${seat} is not in the game`)
  return status
}

const withStatus = (
  { seats: { south, east, north, west } }: PublicState,
  seat: Seat,
  status: SeatStatus,
): PublicState['seats'] => ({
  south: seat === 'south' ? status : south,
  east: seat === 'east' ? status : east,
  north: seat === 'north' ? status : north,
  west: seat === 'west' ? status : west,
})
