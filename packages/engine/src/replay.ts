import { invariant } from './assert.ts'
import type { GameCommand } from './command.ts'
import { type Applied, applyCommand } from './decide.ts'
import type { GameEvent } from './event.ts'
import { evolve } from './evolve.ts'
import { type GameStarted, newGame } from './new-game.ts'
import { commandOf } from './notation/action.ts'
import type { GameRecord } from './notation/record.ts'
import { err, ok, type Result } from './result.ts'
import { resolveRules } from './rules/resolve-rules.ts'
import type { RuleSet } from './rules/rule-set.ts'
import type { GameState } from './state.ts'

/** The game after the first `version` events of its log, or after all of them. */
export function replay(
  ruleSet: RuleSet,
  events: readonly GameEvent[],
  version: number = events.length,
): GameState {
  const [started, ...rest] = events.slice(0, version)
  invariant(started?.type === 'gameStarted', 'a log begins with gameStarted')
  return rest.reduce(evolve, newGame(ruleSet, started))
}

/** One action of a record as it was played; `applied` is null where it was illegal. */
export interface PlayedAction {
  /** From 1. */
  readonly n: number
  readonly action: string
  readonly before: GameState
  readonly command: GameCommand | null
  readonly applied: Applied | null
}

/** The start of the game that a record tells. */
export function startOf(record: GameRecord): { ruleSet: RuleSet; started: GameStarted } {
  const rules = resolveRules(record.rules)
  invariant(rules.ok, 'the rules of a parsed record hold')
  const { formations = {}, layout, first } = record
  const laid = layout === undefined ? {} : { layout }
  return { ruleSet: rules.value, started: { type: 'gameStarted', formations, ...laid, first } }
}

/** Plays a record action by action, up to its end or its first illegal action. */
export function* playRecord(record: GameRecord): Generator<PlayedAction, GameState> {
  const { ruleSet, started } = startOf(record)
  let state = newGame(ruleSet, started)
  for (const [index, action] of record.actions.entries()) {
    const command = commandOf(state, action)
    const applied = command === null ? null : applyCommand(state, command)
    const played = { n: index + 1, action, before: state, command }
    if (applied === null || !applied.ok) {
      yield { ...played, applied: null }
      return state
    }
    yield { ...played, applied: applied.value }
    state = applied.value.state
  }
  return state
}

/** A whole game: its log and where it stands. */
export interface ReplayedRecord {
  readonly ruleSet: RuleSet
  readonly events: readonly GameEvent[]
  readonly state: GameState
}

/** Plays a whole record, or says which action is illegal. */
export function replayRecord(
  record: GameRecord,
): Result<ReplayedRecord, { readonly n: number; readonly action: string }> {
  const { ruleSet, started } = startOf(record)
  const events: GameEvent[] = [started]
  let state = newGame(ruleSet, started)
  for (const { n, action, applied } of playRecord(record)) {
    if (applied === null) return err({ n, action })
    events.push(...applied.events)
    state = applied.state
  }
  return ok({ ruleSet, events, state })
}
