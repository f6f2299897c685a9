import {
  checkFormation,
  chooseFirst,
  type Formation,
  invariant,
  ok,
  type PerSeat,
  parseFormation,
  type Result,
} from '@junqi/engine'
import { type Decision, type Refusal, refuse, sentenceOf } from './decision.ts'
import type { Chance, CommandOf } from './room-command.ts'
import type { RoomEvent } from './room-event.ts'
import { LOBBY_ENTRIES } from './room-limits.ts'
import { type RoomState, seatOf } from './room-state.ts'
import { sealedStart } from './sealing.ts'

/** Nothing to change in the log: drafts are kept apart from it (R-DEPLOY-6). */
export function decideDraft(state: RoomState, command: CommandOf<'saveDraft'>): Decision {
  const deployed = formationFrom(state, command)
  return deployed.ok ? ok([]) : deployed
}

/** Hands a formation in; the last one starts the game in the same entry. */
export function decideSubmission(
  state: RoomState,
  command: CommandOf<'submitFormation'>,
): Decision {
  const deployed = formationFrom(state, command)
  if (!deployed.ok) return deployed
  const seat = seatOf(state, command.player.id)
  invariant(seat !== null, 'only who sits hands in a formation')
  const formation = deployed.value
  const submitted: RoomEvent = { type: 'formationSubmitted', seat, formation }
  const formations = { ...state.formations, [seat]: formation }
  const isLast = state.rules.ruleSet.seats.every((other) => formations[other] !== undefined)
  return ok(isLast ? [submitted, ...startOfPlay(state, formations, command)] : [submitted])
}

/** In the lobby and in deployment. */
export function decideWithdrawal(state: RoomState, command: CommandOf<'notReady'>): Decision {
  const seat = seatOf(state, command.player.id)
  if (seat === null) return refuse('not_seated')
  if (state.phase === 'deployment') {
    if (isLate(state, command)) return refuse('too_late')
    if (state.version >= LOBBY_ENTRIES) {
      return refuse('wrong_phase', 'Too much was changed before this game; play it now.')
    }
  }
  return ok([{ type: 'readyChanged', seat, ready: false }])
}

/** R-TURN-2: the rules name the first seat, or chance does. */
export function startOfPlay(
  state: RoomState,
  formations: PerSeat<Formation>,
  { random, salts }: Chance,
): readonly RoomEvent[] {
  const { ruleSet } = state.rules
  const first = chooseFirst(ruleSet, () => random)
  return sealedStart(ruleSet, { type: 'gameStarted', formations, first }, salts)
}

/** The formation that a player lays out, checked whole for every seat (F-S6). */
export function formationFrom(
  state: RoomState,
  command: CommandOf<'saveDraft'> | CommandOf<'submitFormation'>,
): Result<Formation, Refusal> {
  const seat = seatOf(state, command.player.id)
  if (seat === null) return refuse('not_seated')
  if (isLate(state, command)) return refuse('too_late', 'The time for deployment was over.')
  if (state.seats[seat]?.ready) return refuse('already_ready')
  const parsed = parseFormation(command.formation)
  if (!parsed.ok) return refuse('bad_formation', sentenceOf(parsed.error))
  const problem = checkFormation(state.rules.ruleSet, parsed.value)
  return problem === null ? parsed : refuse('bad_formation', sentenceOf(problem))
}

/** Judged by when the server received it (F-T3). */
export const isLate = (
  { deadline }: RoomState,
  { receivedAt }: { readonly receivedAt: number },
): boolean => deadline !== null && receivedAt > deadline
