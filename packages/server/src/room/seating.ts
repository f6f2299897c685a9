import { err, ok, type Seat } from '@junqi/engine'
import type { PlayerId } from '@junqi/protocol'
import { admission } from './access.ts'
import { type Decision, type Refusal, refusal, refuse } from './decision.ts'
import type { CommandOf } from './room-command.ts'
import type { RoomEvent, VacatedReason } from './room-event.ts'
import { nextHost, type RoomState, seatOf } from './room-state.ts'

/** Takes an empty seat; a seated player changes to it. One player has at most one seat (F-S3). */
export function decideSit(state: RoomState, { player, seat }: CommandOf<'sit'>): Decision {
  const from = seatOf(state, player.id)
  if (from === seat) return refuse('seat_taken', 'You sit there already.')
  const problem = problemOfSeat(state, seat)
  if (problem !== null) return err(problem)
  if (from !== null) {
    return ok([
      ...lapses(state, [from]),
      { type: 'seatChanged', player: player.id, from, to: seat },
    ])
  }
  const admitted = admission(state, player)
  if (!admitted.ok) return admitted
  return ok([...admitted.value, { type: 'seatTaken', seat, player }])
}

/** Why nobody can take this seat; null: it is there and empty. */
function problemOfSeat(state: RoomState, seat: Seat): Refusal | null {
  const { seats } = state.rules.ruleSet
  if (!seats.includes(seat)) {
    return refusal('no_such_seat', `The seats of this room are ${seats.join(', ')}.`)
  }
  return state.seats[seat] === null ? null : refusal('seat_taken')
}

/** The host's act: a bot takes an empty seat, and is let into a private room. */
export function decideAddBot(
  state: RoomState,
  { player, seat, bot }: CommandOf<'addBot'>,
): Decision {
  if (state.host !== player.id) return refuse('not_host')
  const problem = problemOfSeat(state, seat)
  if (problem !== null) return err(problem)
  if (bot === null || seatOf(state, bot.id) !== null) return refuse('no_bot_available')
  const admitted = admission(state, bot)
  if (!admitted.ok) return admitted
  return ok([...admitted.value, { type: 'seatTaken', seat, player: bot }])
}

export function decideStand(state: RoomState, { player }: CommandOf<'stand'>): Decision {
  const seat = seatOf(state, player.id)
  if (seat === null) return refuse('not_seated')
  return ok(vacate(state, { seat, player: player.id, reason: 'stood' }))
}

/** The host's act: another player loses its seat. */
export function decideRemoval(
  state: RoomState,
  { player, target }: CommandOf<'removePlayer'>,
): Decision {
  if (state.host !== player.id) return refuse('not_host')
  if (target === player.id) {
    return refuse('not_yourself', 'The host cannot remove itself; say stand or leave.')
  }
  const seat = seatOf(state, target)
  if (seat === null) return refuse('no_such_player')
  return ok(vacate(state, { seat, player: target, reason: 'removed' }))
}

/** Leaving before play. When the host leaves, the longest seated person follows; a room without anyone, or of bots alone, closes. */
export function decideLeave(state: RoomState, { player }: CommandOf<'leave'>): Decision {
  const seat = seatOf(state, player.id)
  const isHost = state.host === player.id
  if (seat === null && !isHost) return refuse('not_seated')
  const vacated =
    seat === null ? [] : vacate(state, { seat, player: player.id, reason: 'left' as const })
  if (!isHost) return ok(vacated)
  const next = nextHost(state, player.id)
  return ok([
    ...vacated,
    next === null ? { type: 'roomClosed' } : { type: 'hostChanged', player: next.id },
  ])
}

export function decideSwapRequest(
  state: RoomState,
  { player, seat }: CommandOf<'requestSwap'>,
): Decision {
  const by = seatOf(state, player.id)
  if (by === null) return refuse('not_seated')
  if (seat === by || state.seats[seat] === null) {
    return refuse('no_such_player', 'A swap is asked of another player who sits there.')
  }
  const earlier = state.swaps.filter((swap) => swap.by === by).map(lapse)
  return ok([...earlier, { type: 'swapRequested', swap: state.swapCount + 1, by, with: seat }])
}

export function decideSwapAnswer(
  state: RoomState,
  { player, swap, accept }: CommandOf<'answerSwap'>,
): Decision {
  const seat = seatOf(state, player.id)
  if (seat === null) return refuse('not_seated')
  const request = state.swaps.find((open) => open.swap === swap && open.with === seat)
  if (request === undefined) return refuse('no_such_swap')
  const answered: RoomEvent = { type: 'swapAnswered', swap, accept }
  if (!accept) return ok([answered])
  const others = lapses(state, [request.by, request.with])
  return ok([answered, ...others.filter((lapsed) => lapsed.swap !== swap)])
}

/** Frees a seat, with what follows: its requests to swap lapse, and a deployment is over (R-DEPLOY-7). */
export function vacate(
  state: RoomState,
  vacated: { readonly seat: Seat; readonly player: PlayerId; readonly reason: VacatedReason },
): readonly RoomEvent[] {
  const events: RoomEvent[] = [
    ...lapses(state, [vacated.seat]),
    { type: 'seatVacated', ...vacated },
  ]
  return state.phase === 'deployment' ? [...events, { type: 'deploymentCancelled' }] : events
}

const lapse = ({ swap }: { readonly swap: number }) =>
  ({ type: 'swapAnswered', swap, accept: false }) as const

/** The open requests to swap that end because one of these seats moves. */
export const lapses = ({ swaps }: RoomState, seats: readonly Seat[]) =>
  swaps.filter((swap) => seats.includes(swap.by) || seats.includes(swap.with)).map(lapse)
