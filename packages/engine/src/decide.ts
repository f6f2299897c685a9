import { assertNever, invariant } from './assert.ts'
import type { GameCommand, RuleViolation, RuleViolationCode } from './command.ts'
import type { GameEvent } from './event.ts'
import { evolve } from './evolve.ts'
import { err, ok, type Result } from './result.ts'
import { moveEvents } from './rules/attack.ts'
import { isLapsed, problemOfAnswer, problemOfOffer } from './rules/draw-offer.ts'
import { isForfeit, mayResign, stuckSeats } from './rules/elimination.ts'
import { endsByLeaving, resultOf } from './rules/ending.ts'
import { flipEvents } from './rules/flip.ts'
import { actionTest, isLegalMove, legalFlips } from './rules/legal-moves.ts'
import { whyIllegalFlip, whyIllegalMove } from './rules/why-illegal.ts'
import { ofSeat, type Seat } from './seat.ts'
import type { EliminationReason, GameState } from './state.ts'
import { viewGame } from './view/view-game.ts'
import { VIOLATIONS } from './violations.ts'

/** What a command leads to, or why it is refused. Refusals depend on public facts and own pieces alone. */
export function decide(
  state: GameState,
  command: GameCommand,
): Result<readonly GameEvent[], RuleViolation> {
  const applied = applyCommand(state, command)
  return applied.ok ? ok(applied.value.events) : applied
}

/** Events and the state after them. */
export interface Applied {
  readonly events: readonly GameEvent[]
  readonly state: GameState
}

/** `decide`, and `evolve` of all that it decided, in one. */
export function applyCommand(
  state: GameState,
  command: GameCommand,
): Result<Applied, RuleViolation> {
  const problem = problemOf(state, command)
  if (problem !== null) return err({ code: problem, message: explain(state, command, problem) })
  return ok(settle(happened(state, eventsOf(state, command))))
}

function problemOf(state: GameState, command: GameCommand): RuleViolationCode | null {
  if (state.result !== null) return 'game_over'
  if (command.type === 'agreeDraw') return null
  const { seat } = command
  if (ofSeat(state.seats, seat)?.out !== null) return 'seat_out'
  switch (command.type) {
    case 'movePiece':
      if (state.toMove !== seat) return 'not_your_turn'
      return isLegalMove(state, seat, command) ? null : 'illegal_move'
    case 'flipPiece':
      if (state.toMove !== seat) return 'not_your_turn'
      return legalFlips(state, seat).includes(command.space) ? null : 'illegal_flip'
    case 'timeout':
      return state.toMove === seat ? null : 'not_your_turn'
    case 'resign':
      if (state.toMove !== seat) return 'not_your_turn'
      return mayResign(state) ? null : 'resign_too_early'
    case 'leave':
      return null
    case 'offerDraw':
      return problemOfOffer(state, seat)
    case 'answerDraw':
      return problemOfAnswer(state, seat, command.offer)
    default:
      return assertNever(command)
  }
}

/** In a sentence. Of moves and flips it is found in what the seat sees. */
function explain(state: GameState, command: GameCommand, problem: RuleViolationCode): string {
  if (problem === 'illegal_move' || problem === 'illegal_flip') {
    invariant(
      command.type === 'movePiece' || command.type === 'flipPiece',
      'only these are illegal',
    )
    const { seat } = command
    const sight = { ruleSet: state.ruleSet, view: viewGame(state, seat), seat }
    return command.type === 'movePiece'
      ? whyIllegalMove(sight, command)
      : whyIllegalFlip(sight, command.space)
  }
  return VIOLATIONS[problem]
}

/** What a legal command does by itself; what follows from it is up to `settle`. */
function eventsOf(state: GameState, command: GameCommand): readonly GameEvent[] {
  switch (command.type) {
    case 'movePiece':
      return moveEvents(state, command)
    case 'flipPiece':
      return flipEvents(state, command)
    case 'timeout':
      return timeoutEvents(state, command.seat)
    case 'resign':
      return [out(command.seat, 'resigned')]
    case 'leave':
      return leaveEvents(state, command.seat)
    case 'offerDraw':
      return [{ type: 'drawOffered', seat: command.seat, offer: state.offers + 1 }]
    case 'answerDraw':
      return [
        {
          type: 'drawAnswered',
          seat: command.seat,
          offer: command.offer,
          accept: command.accept,
        },
      ]
    case 'agreeDraw':
      return [{ type: 'gameEnded', winners: [], reason: 'agreed' }]
    default:
      return assertNever(command)
  }
}

const out = (seat: Seat, reason: EliminationReason): GameEvent => ({
  type: 'seatEliminated',
  seat,
  reason,
})

function timeoutEvents({ seats, ruleSet }: GameState, seat: Seat): readonly GameEvent[] {
  const timeouts = (seats[seat]?.timeouts ?? 0) + 1
  const skip: GameEvent = { type: 'turnSkipped', seat }
  return isForfeit(timeouts, ruleSet) ? [skip, out(seat, 'timeouts')] : [skip]
}

function leaveEvents(state: GameState, seat: Seat): readonly GameEvent[] {
  const left = out(seat, 'left')
  if (!endsByLeaving(state, seat)) return [left]
  return [left, { type: 'gameEnded', winners: [], reason: 'left' }]
}

const happened = (before: GameState, events: readonly GameEvent[]): Applied => ({
  events,
  state: events.reduce(evolve, before),
})

function unfold(applied: Applied, more: readonly GameEvent[]): Applied {
  const { events, state } = happened(applied.state, more)
  return { events: [...applied.events, ...events], state }
}

/** What follows from an action, until nothing does: R-OUT-3, the offer's lapse, the end. */
function settle(acted: Applied): Applied {
  if (acted.state.result !== null) return acted
  return endIfOver(lapseOffer(eliminateStuck(acted)))
}

/** R-OUT-3: rounds of elimination, until nobody is stuck. */
function eliminateStuck(applied: Applied): Applied {
  const stuck = stuckSeats(applied.state, actionTest(applied.state))
  if (stuck.length === 0) return applied
  return eliminateStuck(
    unfold(
      applied,
      stuck.map((seat) => out(seat, 'noMoves')),
    ),
  )
}

function lapseOffer(applied: Applied): Applied {
  const { offer } = applied.state
  if (offer === null || !isLapsed(applied.state)) return applied
  return unfold(applied, [{ type: 'drawLapsed', offer: offer.number }])
}

function endIfOver(applied: Applied): Applied {
  const elimination = applied.events.findLast((event) => event.type === 'seatEliminated')
  const result = resultOf(applied.state, elimination?.reason ?? null)
  if (result === null) return applied
  return unfold(applied, [{ type: 'gameEnded', ...result }])
}
