import type { SpaceId } from './board/board.ts'
import type { Applied } from './decide.ts'
import type { AttackOutcome, GameEvent } from './event.ts'
import type { GameRecord } from './notation/record.ts'
import { PIECES, type PieceSymbol, seatOfPiece } from './piece.ts'
import { type PlayedAction, playRecord } from './replay.ts'
import { legalMoves } from './rules/legal-moves.ts'
import type { PerSeat, Seat } from './seat.ts'
import type { EliminationReason, GameResult, GameState } from './state.ts'
import { viewPieces } from './view/view-game.ts'
import type { Viewer } from './view/viewer.ts'

/** The occupied spaces as a viewer sees them: the seat's capital and the symbol or `?`. */
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
  readonly shown: Readonly<Record<SpaceId, PieceSymbol>>
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
    legal: legalMoves(before, seat).length,
    ...whatHappened(events),
    quiet: state.quiet,
    next: state.toMove,
    result: state.result,
    ...views,
  }
}

function whatHappened(
  events: readonly GameEvent[],
): Pick<LegalTraceRow, 'outcome' | 'flags' | 'shown' | 'eliminated'> {
  let outcome: AttackOutcome | null = null
  const flags: { [S in Seat]?: SpaceId } = {}
  const shown: Record<SpaceId, PieceSymbol> = {}
  const eliminated: (readonly [Seat, EliminationReason])[] = []
  for (const event of events) {
    if (event.type === 'pieceAttacked') outcome = event.outcome
    if (event.type === 'flagRevealed') flags[event.seat] = event.space
    if (event.type === 'officerScouted') shown[event.space] = PIECES[event.kind].symbol
    if (event.type === 'seatEliminated') eliminated.push([event.seat, event.reason])
  }
  return { outcome, flags, shown, eliminated }
}

function viewsOf(state: GameState): TraceViews {
  const viewers: readonly Viewer[] = [...state.ruleSet.seats, 'spectator']
  return Object.fromEntries(viewers.map((viewer) => [viewer, viewOf(state, viewer)]))
}

const viewOf = (state: GameState, viewer: Viewer): TraceView =>
  Object.fromEntries(
    viewPieces(state, viewer).map(({ id, space, kind }) => [
      space,
      seatOfPiece(id).charAt(0).toUpperCase() + (kind === 'hidden' ? '?' : PIECES[kind].symbol),
    ]),
  )
