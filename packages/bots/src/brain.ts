import type { Formation, GameView, PublicEvent, RuleSet, Seat, SpaceId } from '@junqi/engine'

/** How well a bot plays. */
export const LEVELS = ['easy', 'normal', 'hard'] as const
export type Level = (typeof LEVELS)[number]

/** All that a brain ever learns: what its seat sees now, and what everyone was told so far. */
export interface Sight {
  readonly ruleSet: RuleSet
  readonly seat: Seat
  readonly view: GameView
  /** Everything that happened after the start of play, in order (`history` of a room's view). */
  readonly history: readonly PublicEvent[]
}

/** What a brain does. It resigns, leaves and offers nothing. */
export type Action =
  | { readonly type: 'move'; readonly from: SpaceId; readonly to: SpaceId }
  /** In the flip game: turns up what lies face down there (R-FLIP-2). */
  | { readonly type: 'flip'; readonly space: SpaceId }
  | { readonly type: 'answerDraw'; readonly offer: number; readonly accept: boolean }

/** Numbers from 0 up to 1. */
export type Random = () => number

/** A player's thinking: it keeps nothing from one call to the next but its source of chance. */
export interface Brain {
  /** A formation that the rules allow, of a game that has not begun and is no flip game. */
  formation(ruleSet: RuleSet, seat: Seat): Formation
  /** What the seat does now; null where nothing is up to it: no turn of its own, no offer to answer. */
  act(sight: Sight): Action | null
}

/** What a brain is made with. */
export interface BrainOptions {
  readonly random: Random
  /** Positions that `hard` may look at for one move. */
  readonly nodes?: number
}
