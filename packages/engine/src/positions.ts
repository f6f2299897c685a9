import { invariant } from './assert.ts'
import type { GameEvent } from './event.ts'
import { newGame } from './new-game.ts'
import type { GameRecord } from './notation/record.ts'
import { playRecord, startOf } from './replay.ts'
import { err, ok, type Result } from './result.ts'
import type { GameState } from './state.ts'
import type { GameView } from './view/seat-view.ts'
import { viewGame } from './view/view-game.ts'
import type { Viewer } from './view/viewer.ts'

/** As whom a position is looked at: as a viewer saw it when it was played, or as it was. */
export type Standpoint = Viewer | 'truth'

/** The positions of a recorded game: 0 before the first action, n after the n-th. */
export interface Positions {
  readonly record: GameRecord
  /** The number of actions, and of the last position. */
  readonly last: number
  /** The action that led to a position; null: it is the first one. */
  actionAt(n: number): string | null
  /** What that action did. */
  eventsAt(n: number): readonly GameEvent[]
  viewAt(n: number, as: Standpoint): GameView
}

/** What becomes of a record that is played through: its positions, or which action is illegal. */
type Played = Result<Positions, { readonly n: number; readonly action: string }>

/** Plays a record through, once. A number that no position has is a bug of the caller. */
export function positionsOf(record: GameRecord): Played {
  const playing = positionByPosition(record)
  for (;;) {
    const { done, value } = playing.next()
    if (done === true) return value
  }
}

/** The same for who has other things to do in between: it stops after every action, and tells how many there were. */
export function* positionByPosition(record: GameRecord): Generator<number, Played> {
  const { ruleSet, started } = startOf(record)
  const steps: Step[] = [{ action: null, events: [started], state: newGame(ruleSet, started) }]
  for (const { n, action, applied } of playRecord(record)) {
    if (applied === null) return err({ n, action })
    steps.push({ action, ...applied })
    yield n
  }
  const stepAt = (n: number): Step => {
    const step = steps[n]
    invariant(step !== undefined, `a position from 0 to ${steps.length - 1}, not ${n}`)
    return step
  }
  return ok({
    record,
    last: steps.length - 1,
    actionAt: (n) => stepAt(n).action,
    eventsAt: (n) => stepAt(n).events,
    viewAt: (n, as) => viewAs(stepAt(n).state, as),
  })
}

interface Step {
  readonly action: string | null
  readonly events: readonly GameEvent[]
  readonly state: GameState
}

/** The truth is what everyone sees of a game that has ended (R-END-6), at an earlier position. */
function viewAs(state: GameState, as: Standpoint): GameView {
  if (as !== 'truth') return viewGame(state, as)
  const { result } = state
  const atEnd: GameState = { ...state, result: result ?? { winners: [], reason: 'agreed' } }
  return { ...viewGame(atEnd, 'spectator'), result }
}
