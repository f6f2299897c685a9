import { assertNever, invariant, type PublicEvent, type Viewer, viewEvent } from '@junqi/engine'
import type { ViewedEvent } from '@junqi/protocol'
import type { LogEntry } from './log-entry.ts'
import type { RoomEvent, TableEvent } from './room-event.ts'
import { evolveEvent, isTableEvent } from './room-reducer.ts'
import type { RoomState } from './room-state.ts'
import { viewSeal } from './sealing.ts'

/** What one viewer learns from an entry: the egress of everything that happens (F-H2). */
export function viewEntry(before: RoomState, entry: LogEntry, viewer: Viewer): ViewedEvent[] {
  let after = before
  return entry.events.flatMap((event) => {
    after = evolveEvent(after, event)
    return viewRoomEvent(after, event, viewer)
  })
}

/** What everyone learns from an entry, alike; null: viewers may learn different things from it. */
export function viewForAll(entry: LogEntry): readonly ViewedEvent[] | null {
  const viewed: ViewedEvent[] = []
  for (const event of entry.events) {
    if (isTableEvent(event)) viewed.push(...viewTableEvent(event))
    else if (isToldToAll(event) && event.type !== 'seatEliminated') viewed.push(event)
    else return null
  }
  return viewed
}

const PUBLIC_EVENTS: ReadonlySet<string> = new Set([
  'pieceMoved',
  'pieceAttacked',
  'flagRevealed',
  'officerScouted',
  'pieceFlipped',
  'coloursKnown',
  'turnSkipped',
  'seatEliminated',
  'drawOffered',
  'drawAnswered',
  'drawLapsed',
] satisfies PublicEvent['type'][])

/** Told to everyone just as it happened. What is not named here is not. */
export const isToldToAll = (event: RoomEvent): event is PublicEvent => PUBLIC_EVENTS.has(event.type)

function viewRoomEvent(after: RoomState, event: RoomEvent, viewer: Viewer): readonly ViewedEvent[] {
  if (isTableEvent(event)) return viewTableEvent(event)
  invariant(after.game !== null, `${event.type} before the game`)
  const viewed = viewEvent(after.game, event, viewer)
  return event.type === 'gameEnded' ? [...viewed, ...viewOpening(after)] : viewed
}

/** R-SEAL-2: with the end come the salts. */
function viewOpening(after: RoomState): readonly ViewedEvent[] {
  const salts = viewSeal(after)?.salts ?? null
  return salts === null ? [] : [{ type: 'sealOpened', salts }]
}

function viewTableEvent(event: TableEvent): readonly ViewedEvent[] {
  switch (event.type) {
    case 'roomCreated':
      return []
    case 'formationSubmitted':
      return [{ type: 'readyChanged', seat: event.seat, ready: true }]
    case 'gameSealed':
      return [{ type: 'gameSealed', commitments: event.commitments }]
    case 'seatTaken':
    case 'seatVacated':
    case 'seatChanged':
    case 'swapRequested':
    case 'swapAnswered':
    case 'hostChanged':
    case 'memberJoined':
    case 'rulesChanged':
    case 'spectatorsChanged':
    case 'readyChanged':
    case 'deploymentStarted':
    case 'deploymentCancelled':
    case 'bankUsed':
    case 'rematchCreated':
    case 'roomClosed':
      return [event]
    default:
      return assertNever(event)
  }
}
