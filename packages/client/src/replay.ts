import {
  type GameEvent,
  type GameRecord,
  type GameView,
  ok,
  positionsOf,
  type Result,
  type Standpoint,
} from '@junqi/engine'

/** Steps through a recorded game. It never leaves it: before the first position there is none, nor after the last. */
export interface Replay {
  readonly record: GameRecord
  /** The position that it stands at: so many actions were made. */
  readonly n: number
  /** The number of the last position. */
  readonly last: number
  /** The action that led here, and what it did; null: it stands at the start. */
  readonly action: string | null
  readonly events: readonly GameEvent[]
  /** What a seat or a spectator saw here, or what was so. */
  view(as: Standpoint): GameView
  to(n: number): Replay
  next(): Replay
  back(): Replay
}

/** A replay that stands at the start; or which action of the record is illegal. Nothing is asked of a server. */
export function replayOf(
  record: GameRecord,
): Result<Replay, { readonly n: number; readonly action: string }> {
  const positions = positionsOf(record)
  if (!positions.ok) return positions
  const { last, actionAt, eventsAt, viewAt } = positions.value
  const at = (wanted: number): Replay => {
    const n = Math.min(Math.max(Math.trunc(wanted), 0), last)
    return {
      record,
      n,
      last,
      action: actionAt(n),
      events: eventsAt(n),
      view: (as) => viewAt(n, as),
      to: at,
      next: () => at(n + 1),
      back: () => at(n - 1),
    }
  }
  return ok(at(0))
}
