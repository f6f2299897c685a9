import { assertNever, invariant } from '../assert.ts'
import type { SpaceId } from '../board/board.ts'
import type { AttackOutcome } from '../event.ts'
import { evolvePublic, freshPublicState } from '../evolve-public.ts'
import { kindOfSymbol, type PieceId, type PieceKind, seatOfPiece } from '../piece.ts'
import { allyOf } from '../rules/alliance.ts'
import { boardOf } from '../rules/ground.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { mayKnowFormation } from '../rules/visibility.ts'
import { bySeat, type Seat } from '../seat.ts'
import type { SeatEvent } from './seat-event.ts'
import type { GameView, PieceView } from './seat-view.ts'
import type { Viewer } from './viewer.ts'

type StartSeen = Extract<SeatEvent, { type: 'gameStarted' }>
type Formations = GameView['formations']

/** The first view of a game, from what its start told a viewer. */
export const viewOfStart = (ruleSet: RuleSet, started: StartSeen): GameView => ({
  ...freshPublicState(ruleSet, started.first),
  pieces: started.pieces,
  formations: started.formations,
})

/** A viewer's view after what it learns from one event: what `viewGame` gives after that event. */
export function evolveView(
  ruleSet: RuleSet,
  view: GameView,
  viewer: Viewer,
  event: SeatEvent,
): GameView {
  if (event.type === 'gameStarted') return viewOfStart(ruleSet, event)
  const pieces = evolvePieces({ ruleSet, viewer }, view.pieces, event)
  if (event.type === 'piecesShown') return { ...view, pieces }
  const { formations } = view
  const after = { ...evolvePublic(ruleSet, view, event), pieces, formations }
  return { ...after, formations: evolveFormations({ ruleSet, viewer }, after, event) }
}

/** The formations that a viewer may still see: all after the end, fewer after it went out. */
function evolveFormations(
  { ruleSet, viewer }: Standpoint,
  after: GameView,
  event: SeatEvent,
): Formations {
  if (event.type === 'gameEnded') return event.formations
  if (event.type !== 'seatEliminated' || event.seat !== viewer) return after.formations
  const sight = { ruleSet, seats: after.seats, result: after.result }
  return bySeat((seat) => (mayKnowFormation(viewer, seat, sight) ? after.formations[seat] : null))
}

interface Standpoint {
  readonly ruleSet: RuleSet
  readonly viewer: Viewer
}

type Pieces = readonly PieceView[]

function evolvePieces(
  standpoint: Standpoint,
  pieces: Pieces,
  event: Exclude<SeatEvent, StartSeen>,
): Pieces {
  switch (event.type) {
    case 'pieceMoved':
      return afterAttack(standpoint.ruleSet, pieces, { ...event, outcome: 'attackerWins' })
    case 'pieceAttacked':
      return afterAttack(standpoint.ruleSet, pieces, event)
    case 'flagRevealed':
      return withKinds(pieces, [{ space: event.space, kind: 'flag' }])
    case 'officerScouted':
      return withKinds(pieces, [event])
    case 'piecesShown':
      return withKinds(pieces, event.pieces)
    case 'seatEliminated':
      return afterElimination(standpoint, pieces, event.seat)
    case 'gameEnded':
      return pieces.map((piece) => ({
        ...piece,
        kind: kindOf(standpoint.ruleSet, event.formations, piece.id),
      }))
    case 'turnSkipped':
    case 'drawOffered':
    case 'drawAnswered':
    case 'drawLapsed':
      return pieces
    default:
      return assertNever(event)
  }
}

interface Attack {
  readonly from: SpaceId
  readonly to: SpaceId
  readonly outcome: AttackOutcome
}

function afterAttack(ruleSet: RuleSet, pieces: Pieces, { from, to, outcome }: Attack): Pieces {
  if (outcome === 'repelled') return pieces
  const mover = pieces.find(({ space }) => space === from)
  invariant(mover !== undefined, `nothing stands on ${from}`)
  const kept = pieces.filter(
    ({ space }) => space !== from && (space !== to || outcome === 'defenderWins'),
  )
  return outcome === 'attackerWins' ? withPiece(ruleSet, kept, { ...mover, space: to }) : kept
}

/** Puts a piece where the order of the spaces has it. */
function withPiece(ruleSet: RuleSet, pieces: Pieces, piece: PieceView): Pieces {
  const { indexOf } = boardOf(ruleSet)
  const index = ({ space }: PieceView) => indexOf.get(space) ?? 0
  const after = pieces.findIndex((other) => index(other) > index(piece))
  return pieces.toSpliced(after < 0 ? pieces.length : after, 0, piece)
}

function withKinds(
  pieces: Pieces,
  known: readonly { readonly space: SpaceId; readonly kind: PieceKind }[],
): Pieces {
  const kinds = new Map(known.map(({ space, kind }) => [space, kind]))
  return pieces.map((piece) => ({ ...piece, kind: kinds.get(piece.space) ?? piece.kind }))
}

/** The army goes; of its ally a seat that goes out itself knows what `piecesShown` says, nothing else. */
function afterElimination({ ruleSet, viewer }: Standpoint, pieces: Pieces, seat: Seat): Pieces {
  const others = pieces.filter(({ id }) => seatOfPiece(id) !== seat)
  if (viewer !== seat) return others
  const ally = allyOf(ruleSet, seat)
  return others.map((piece) =>
    seatOfPiece(piece.id) === ally ? { ...piece, kind: 'hidden' as const } : piece,
  )
}

/** The kind of a piece by its first space, which its id names. */
function kindOf(ruleSet: RuleSet, formations: Formations, id: PieceId): PieceKind {
  const seat = seatOfPiece(id)
  const { homes, indexOf } = boardOf(ruleSet)
  const place = homes[seat]?.indexOf(indexOf.get(id.slice(seat.length + 1)) ?? -1) ?? -1
  const kind = kindOfSymbol(formations[seat]?.charAt(place) ?? '')
  invariant(kind !== null, `no formation tells the kind of ${id}`)
  return kind
}
