import type { SpaceId } from './board/board.ts'
import type { Colour } from './colour.ts'
import type { Applied } from './decide.ts'
import type { AttackOutcome, GameEvent } from './event.ts'
import { type LayoutSymbol, symbolOf } from './layout.ts'
import { drawnPiece, drawPiece } from './notation/draw-board.ts'
import type { GameRecord } from './notation/record.ts'
import { PIECES, type PieceSymbol } from './piece.ts'
import { type PlayedAction, playRecord } from './replay.ts'
import { legalFlips, legalMoves } from './rules/legal-moves.ts'
import type { PerSeat, Seat } from './seat.ts'
import type { EliminationReason, GameResult, GameState } from './state.ts'
import { viewPieces } from './view/view-game.ts'
import type { Viewer } from './view/viewer.ts'

/** The occupied spaces as a viewer sees them, as in pictures of boards: `S9`, `N?`; in a flip game `r9`, `@?`. */
export type TraceView = Readonly<Record<SpaceId, string>>

/** What each seat of the game and a spectator see. */
export type TraceViews = { readonly [V in Viewer]?: TraceView }

/** What one action of a record did (RULES.md, "Record and trace"). */
export interface LegalTraceRow {
  readonly n: number
  readonly action: string
  readonly seat: Seat
  readonly legal: number
  readonly outcome: AttackOutcome | null
  readonly flags: PerSeat<SpaceId>
  readonly shown: Readonly<Record<SpaceId, PieceSymbol | LayoutSymbol>>
  /** In a flip game only: when they become known (R-FLIP-10). */
  readonly colours?: PerSeat<Colour>
  readonly eliminated: readonly (readonly [Seat, EliminationReason])[]
  readonly quiet: number
  readonly next: Seat | null
  readonly result: GameResult | null
  readonly views?: TraceViews
}

export interface IllegalTraceRow {
  readonly n: number
  readonly action: string
  readonly illegal: true
}

export type TraceRow = LegalTraceRow | IllegalTraceRow

/** One row for each action of a record; an illegal one ends it. */
export function* traceRecord(
  record: GameRecord,
  { views }: { readonly views: boolean },
): Generator<TraceRow, void> {
  for (const played of playRecord(record)) {
    const { n, action, applied } = played
    if (applied === null) yield { n, action, illegal: true }
    else yield legalRow(played, applied, views ? { views: viewsOf(applied.state) } : {})
  }
}

function legalRow(
  { n, action, before, command }: PlayedAction,
  { events, state }: Applied,
  views: Pick<LegalTraceRow, 'views'>,
): LegalTraceRow {
  const seat =
    (command !== null && 'seat' in command ? command.seat : before.toMove) ?? before.first
  return {
    n,
    action,
    seat,
    legal: legalMoves(before, seat).length + legalFlips(before, seat).length,
    ...whatHappened(events, before),
    quiet: state.quiet,
    next: state.toMove,
    result: state.result,
    ...views,
  }
}

function whatHappened(
  events: readonly GameEvent[],
  { flip }: GameState,
): Pick<LegalTraceRow, 'outcome' | 'flags' | 'shown' | 'colours' | 'eliminated'> {
  let outcome: AttackOutcome | null = null
  const flags: { [S in Seat]?: SpaceId } = {}
  const shown: Record<SpaceId, PieceSymbol | LayoutSymbol> = {}
  let colours: PerSeat<Colour> = {}
  const eliminated: (readonly [Seat, EliminationReason])[] = []
  for (const event of events) {
    if (event.type === 'pieceAttacked') outcome = event.outcome
    if (event.type === 'flagRevealed') flags[event.seat] = event.space
    if (event.type === 'officerScouted') shown[event.space] = PIECES[event.kind].symbol
    if (event.type === 'pieceFlipped') shown[event.space] = symbolOf(event)
    if (event.type === 'coloursKnown') colours = event.colours
    if (event.type === 'seatEliminated') eliminated.push([event.seat, event.reason])
  }
  return { outcome, flags, shown, ...(flip !== null && { colours }), eliminated }
}

function viewsOf(state: GameState): TraceViews {
  const viewers: readonly Viewer[] = [...state.ruleSet.seats, 'spectator']
  return Object.fromEntries(viewers.map((viewer) => [viewer, viewOf(state, viewer)]))
}

const viewOf = (state: GameState, viewer: Viewer): TraceView =>
  Object.fromEntries(
    viewPieces(state, viewer).map((piece) => [piece.space, drawPiece(drawnPiece(piece))]),
  )
