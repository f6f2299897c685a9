import { ok } from '@junqi/engine'
import type { Phase, Player, PlayerId } from '@junqi/protocol'
import { isSameSecret } from '../same-secret.ts'
import { type Decision, type Refusal, refusal, refuse } from './decision.ts'
import type { CommandOf, PlayerAction, PlayerCommand } from './room-command.ts'
import { MAX_MEMBERS } from './room-limits.ts'
import { maySee, type RoomState } from './room-state.ts'

const BEFORE_PLAY = ['lobby', 'deployment'] as const

/** The phases that each command belongs to. */
const PHASES_OF: Readonly<Record<PlayerAction['type'], readonly Phase[]>> = {
  join: ['lobby', 'deployment', 'playing', 'finished'],
  sit: ['lobby'],
  stand: BEFORE_PLAY,
  requestSwap: ['lobby'],
  answerSwap: ['lobby'],
  ready: ['lobby'],
  notReady: BEFORE_PLAY,
  setRules: ['lobby'],
  setSpectators: ['lobby'],
  removePlayer: BEFORE_PLAY,
  addBot: ['lobby'],
  start: ['lobby'],
  saveDraft: ['deployment'],
  submitFormation: ['deployment'],
  move: ['playing'],
  flip: ['playing'],
  resign: ['playing'],
  leave: [...BEFORE_PLAY, 'playing'],
  offerDraw: ['playing'],
  answerDraw: ['playing'],
  rematch: ['finished'],
}

/** Why a player cannot ask this of the room at all, whatever its details; null: it can. */
export function problemOfAccess(state: RoomState, command: PlayerCommand): Refusal | null {
  if (!mayEnter(state, command.player.id, command)) {
    return refusal('room_not_found')
  }
  if (state.closed) return refusal('room_closed')
  const phases = PHASES_OF[command.type]
  if (phases.includes(state.phase)) return null
  if (state.phase === 'finished' && phases.includes('playing')) return refusal('game_over')
  const right = phases.join(' or ')
  return refusal(
    'wrong_phase',
    `${command.type} belongs to the phase ${right}; the room is in ${state.phase}.`,
  )
}

/** Whether the room exists for a player who asks this. */
export const mayEnter = (state: RoomState, player: PlayerId, action: PlayerAction): boolean =>
  maySee(state, player) || isInvited(state, action)

const isInvited = ({ invitation }: RoomState, action: PlayerAction): boolean =>
  (action.type === 'join' || action.type === 'sit') &&
  invitation !== null &&
  action.invitation !== null &&
  isSameSecret(invitation, action.invitation)

/** What lets a player into a private room that invited it; nothing for those who are in. */
export function admission(state: RoomState, player: Player): Decision {
  if (maySee(state, player.id)) return ok([])
  if (state.members.size >= MAX_MEMBERS) return refuse('room_full')
  return ok([{ type: 'memberJoined', player }])
}

export const decideJoin = (state: RoomState, { player }: CommandOf<'join'>): Decision =>
  admission(state, player)
