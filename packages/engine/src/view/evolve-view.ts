import { assertNever, invariant } from '../assert.ts'
import type { SpaceId } from '../board/board.ts'
import type { AttackOutcome } from '../event.ts'
import { evolveFlip, FRESH_FLIP } from '../evolve-flip.ts'
import { evolvePublic, freshPublicState } from '../evolve-public.ts'
import { type ColouredKind, kindInLayout } from '../layout.ts'
import { kindOfSymbol, type PieceKind, seatOfPiece } from '../piece.ts'
import { allyOf } from '../rules/alliance.ts'
import { layoutPlaces } from '../rules/flip-board.ts'
import { boardOf } from '../rules/ground.ts'
import { isFlipGame, type RuleSet } from '../rules/rule-set.ts'
import { mayKnowFormation } from '../rules/visibility.ts'
import { bySeat, type Seat } from '../seat.ts'
import { ownerOf } from './piece-owner.ts'
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
  ...(isFlipGame(ruleSet) && { flip: { ...FRESH_FLIP, layout: null } }),
})

/** A viewer's view after what it learns from one event: what `viewGame` gives after that event. */
export function evolveView(
  ruleSet: RuleSet,
  view: GameView,
  viewer: Viewer,
  event: SeatEvent,
): GameView {
  if (event.type === 'gameStarted') return viewOfStart(ruleSet, event)
  const pieces = evolvePieces({ ruleSet, viewer }, view, event)
  if (event.type === 'piecesShown') return { ...view, pieces }
  const { formations } = view
  const flip = evolveFlipView(view, event)
  const after = { ...evolvePublic(ruleSet, view, event), pieces, formations, ...flip }
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

/** Of a flip game the same as its state, and the layout at the end. */
function evolveFlipView(
  view: GameView,
  event: Exclude<SeatEvent, StartSeen>,
): Pick<GameView, 'flip'> {
  if (view.flip === undefined) return {}
  const { layout, ...flip } = view.flip
  const after = evolveFlip({ flip, toMove: view.toMove, faceUpOn }, event)
  const shown = event.type === 'gameEnded' ? (event.layout ?? null) : layout
  return { flip: { ...after, layout: shown } }

  function faceUpOn(space: SpaceId): ColouredKind {
    const { kind, colour } = view.pieces.find((piece) => piece.space === space) ?? {}
    invariant(kind !== undefined && kind !== 'hidden' && colour, `nothing lies open on ${space}`)
    return { kind, colour }
  }
}

interface Standpoint {
  readonly ruleSet: RuleSet
  readonly viewer: Viewer
}

type Pieces = readonly PieceView[]

function evolvePieces(
  standpoint: Standpoint,
  view: GameView,
  event: Exclude<SeatEvent, StartSeen>,
): Pieces {
  const { pieces } = view
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
    case 'pieceFlipped': {
      const { space, kind, colour } = event
      return pieces.map((piece) => (piece.space === space ? { ...piece, kind, colour } : piece))
    }
    case 'seatEliminated':
      return afterElimination(standpoint, view, event.seat)
    case 'gameEnded':
      return pieces.map((piece) => ({ ...piece, ...kindOf(standpoint.ruleSet, event, piece) }))
    case 'coloursKnown':
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
function afterElimination({ ruleSet, viewer }: Standpoint, view: GameView, seat: Seat): Pieces {
  const others = view.pieces.filter((piece) => ownerOf(view, piece) !== seat)
  if (viewer !== seat) return others
  const ally = allyOf(ruleSet, seat)
  if (ally === null) return others
  return others.map((piece) =>
    ownerOf(view, piece) === ally ? { ...piece, kind: 'hidden' as const } : piece,
  )
}

type Shown = Extract<SeatEvent, { type: 'gameEnded' }>

/** What a piece is, by its first space, which its id names. */
function kindOf(
  ruleSet: RuleSet,
  { formations, layout }: Shown,
  { id }: PieceView,
): Pick<PieceView, 'kind' | 'colour'> {
  const { homes, indexOf } = boardOf(ruleSet)
  const first = indexOf.get(id.slice(id.search(/[@:]/) + 1)) ?? -1
  if (layout !== undefined) {
    const symbol = layout[layoutPlaces(boardOf(ruleSet)).indexOf(first)]
    invariant(symbol !== undefined, `no layout tells the kind of ${id}`)
    return kindInLayout(symbol)
  }
  const seat = seatOfPiece(id)
  const kind = kindOfSymbol(formations[seat]?.charAt(homes[seat]?.indexOf(first) ?? -1) ?? '')
  invariant(kind !== null, `no formation tells the kind of ${id}`)
  return { kind }
}
