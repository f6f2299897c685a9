import { isDeepStrictEqual } from 'node:util'
import { assertNever, type Formation, ok, parseFormation } from '@junqi/engine'
import { roomRules } from './lobby.ts'
import type { PlayerAction } from './room-command.ts'
import type { RoomEvent } from './room-event.ts'

/**
 * Whether the action, when it was accepted, can have led to these events: a command that comes again with a known id is
 * told by it from another one, to which its sender gave a used id by mistake (F-R2).
 */
export function ledTo(action: PlayerAction, events: readonly RoomEvent[]): boolean {
  return events.some((event) => isResultOf(action, event))
}

function isResultOf(action: PlayerAction, event: RoomEvent): boolean {
  switch (action.type) {
    case 'join':
      return event.type === 'memberJoined'
    case 'sit':
      if (event.type === 'seatChanged') return event.to === action.seat
      return event.type === 'seatTaken' && event.seat === action.seat
    case 'stand':
      return event.type === 'seatVacated' && event.reason === 'stood'
    case 'requestSwap':
      return event.type === 'swapRequested' && event.with === action.seat
    case 'answerSwap':
      return (
        event.type === 'swapAnswered' &&
        event.swap === action.swap &&
        event.accept === action.accept
      )
    case 'ready':
    case 'notReady':
      return event.type === 'readyChanged' && event.ready === (action.type === 'ready')
    case 'setRules':
      return event.type === 'rulesChanged' && isDeepStrictEqual(roomRules(action), ok(event.rules))
    case 'setSpectators':
      return (
        event.type === 'spectatorsChanged' && isDeepStrictEqual(event.spectators, action.spectators)
      )
    case 'removePlayer':
      return (
        event.type === 'seatVacated' && event.reason === 'removed' && event.player === action.target
      )
    case 'addBot':
      return (
        event.type === 'seatTaken' && event.seat === action.seat && event.player.bot !== undefined
      )
    case 'start':
      return event.type === 'deploymentStarted' || event.type === 'gameStarted'
    case 'submitFormation':
      return event.type === 'formationSubmitted' && isFormation(action.formation, event.formation)
    case 'move':
      if (event.type !== 'pieceMoved' && event.type !== 'pieceAttacked') return false
      return event.from === action.from && event.to === action.to
    case 'flip':
      return event.type === 'pieceFlipped' && event.space === action.space
    case 'resign':
      return event.type === 'seatEliminated' && event.reason === 'resigned'
    case 'leave':
      if (event.type === 'hostChanged' || event.type === 'roomClosed') return true
      return (
        (event.type === 'seatVacated' || event.type === 'seatEliminated') && event.reason === 'left'
      )
    case 'offerDraw':
      return event.type === 'drawOffered'
    case 'answerDraw':
      return (
        event.type === 'drawAnswered' &&
        event.offer === action.offer &&
        event.accept === action.accept
      )
    case 'rematch':
      return event.type === 'rematchCreated'
    // Drafts stand in no log.
    case 'saveDraft':
      return false
    default:
      return assertNever(action)
  }
}

/** A formation may be written in rows. */
function isFormation(text: string, formation: Formation): boolean {
  const parsed = parseFormation(text)
  return parsed.ok && parsed.value === formation
}
