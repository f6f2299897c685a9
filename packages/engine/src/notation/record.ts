import { invariant } from '../assert.ts'
import type { GameEvent } from '../event.ts'
import type { Layout } from '../layout.ts'
import type { Rules } from '../rules/rule-set.ts'
import type { PerSeat, Seat } from '../seat.ts'
import type { Formation, GameResult } from '../state.ts'
import { formatFlip, formatMove } from './move.ts'
import type { Seal } from './seal.ts'

export const RECORD_FORMAT = 'junqi-record/1'

/** What every record tells. */
interface RecordBase {
  readonly format: typeof RECORD_FORMAT
  readonly rules: Rules
  readonly first: Seat
  readonly actions: readonly string[]
  readonly result: GameResult | null
  /** What it was sealed with at its start (R-SEAL-3); not there: it was not. */
  readonly seal?: Seal
}

/** A game of armies that were deployed. */
export interface ArmyRecord extends RecordBase {
  readonly formations: PerSeat<Formation>
  readonly layout?: never
}

/** A flip game (R-FLIP-10). */
export interface FlipRecord extends RecordBase {
  readonly layout: Layout
  readonly formations?: never
}

/** A game as text: its rules, what stood where, and its actions (RULES.md, "Record and trace"). */
export type GameRecord = ArmyRecord | FlipRecord

/** The record as a line of JSON. */
export const formatRecord = (record: GameRecord): string => JSON.stringify(record)

/** The record of a game, from its rules and all its events. */
export function recordOf(rules: Rules, events: readonly GameEvent[]): GameRecord {
  const started = events.find((event) => event.type === 'gameStarted')
  const ended = events.find((event) => event.type === 'gameEnded')
  invariant(started !== undefined, 'a game without a start has no record')
  const { formations, layout, first } = started
  return {
    format: RECORD_FORMAT,
    rules,
    ...(layout === undefined ? { formations } : { layout }),
    first,
    actions: events.flatMap(actionOf),
    result: ended === undefined ? null : { winners: ended.winners, reason: ended.reason },
  }
}

/** The action that an event stands for; events that follow from others stand for none. */
function actionOf(event: GameEvent): string[] {
  switch (event.type) {
    case 'pieceMoved':
    case 'pieceAttacked':
      return [formatMove(event)]
    case 'pieceFlipped':
      return [formatFlip(event.space)]
    case 'turnSkipped':
      return [`timeout ${event.seat}`]
    case 'seatEliminated':
      if (event.reason === 'resigned') return [`resign ${event.seat}`]
      return event.reason === 'left' ? [`leave ${event.seat}`] : []
    case 'gameEnded':
      return event.reason === 'agreed' ? ['draw agreed'] : []
    default:
      return []
  }
}
