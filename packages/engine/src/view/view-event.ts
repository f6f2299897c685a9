import { assertNever } from '../assert.ts'
import type { GameEvent } from '../event.ts'
import type { Layout } from '../layout.ts'
import { allyOf } from '../rules/alliance.ts'
import { boardOf } from '../rules/ground.ts'
import { mayKnow } from '../rules/visibility.ts'
import type { Seat } from '../seat.ts'
import type { GameState } from '../state.ts'
import type { SeatEvent } from './seat-event.ts'
import { viewFormations, viewLayout, viewPieces } from './view-game.ts'
import type { Viewer } from './viewer.ts'

/** What a viewer learns from an event; `after` is the game just after it. */
export function viewEvent(
  after: GameState,
  event: GameEvent,
  viewer: Viewer,
): readonly SeatEvent[] {
  switch (event.type) {
    case 'gameStarted':
      return [
        {
          type: 'gameStarted',
          first: event.first,
          pieces: viewPieces(after, viewer),
          formations: viewFormations(after, viewer),
        },
      ]
    case 'gameEnded':
      return [
        {
          type: 'gameEnded',
          winners: event.winners,
          reason: event.reason,
          formations: viewFormations(after, viewer),
          ...shownLayout(after),
        },
      ]
    case 'seatEliminated':
      return event.seat === viewer ? [event, ...shownOnLeavingPlay(after, event.seat)] : [event]
    case 'pieceMoved':
    case 'pieceAttacked':
    case 'flagRevealed':
    case 'officerScouted':
    case 'pieceFlipped':
    case 'coloursKnown':
    case 'turnSkipped':
    case 'drawOffered':
    case 'drawAnswered':
    case 'drawLapsed':
      return [event]
    default:
      return assertNever(event)
  }
}

function shownLayout(after: GameState): { readonly layout?: Layout } {
  const { layout } = viewLayout(after)
  return layout === null ? {} : { layout }
}

/** All that a seat may know of its ally's pieces once it is out (R-OUT-6): no less, and no more. */
function shownOnLeavingPlay(after: GameState, seat: Seat): SeatEvent[] {
  const ally = allyOf(after.ruleSet, seat)
  if (ally === null) return []
  const { spaces } = boardOf(after.ruleSet)
  const pieces = after.pieces.flatMap((piece, index) =>
    piece !== null && piece.seat === ally && mayKnow(seat, piece, after)
      ? [{ space: spaces[index] ?? '', kind: piece.kind }]
      : [],
  )
  return pieces.length === 0 ? [] : [{ type: 'piecesShown', pieces }]
}
