import type { RoomState } from '@junqi/client'
import type { Seat } from '@junqi/engine'
import type { Sight } from '../brain.ts'
import { flipsNow, movesNow, offerToAnswer } from '../duties.ts'

/** What a room wants of a bot that sits there; null: nothing now. */
export type Duty =
  | { readonly type: 'ready' }
  | { readonly type: 'answerSwap'; readonly swap: number }
  | { readonly type: 'deploy'; readonly seat: Seat }
  | { readonly type: 'act'; readonly sight: Sight }
  /** Nothing more is to be done here. */
  | { readonly type: 'goHome' }

/** A bot says yes to whoever wants its seat, and is ready as soon as it may be. */
export function dutyIn({ view }: RoomState): Duty | null {
  const { seat } = view.you
  if (seat === null || view.closed || view.phase === 'finished') return { type: 'goHome' }
  const isReady = view.seats[seat]?.ready === true
  switch (view.phase) {
    case 'lobby': {
      const asked = view.swaps.find((swap) => swap.with === seat)
      if (asked !== undefined) return { type: 'answerSwap', swap: asked.swap }
      return isReady ? null : { type: 'ready' }
    }
    case 'deployment':
      return isReady ? null : { type: 'deploy', seat }
    case 'playing':
      return dutyInPlay(view, seat)
  }
}

function dutyInPlay({ rules, game, history }: RoomState['view'], seat: Seat): Duty | null {
  if (game === null) return null
  const sight = { ruleSet: rules.ruleSet, seat, view: game, history }
  const hasAction = movesNow(sight).length > 0 || flipsNow(sight).length > 0
  return hasAction || offerToAnswer(sight) !== null ? { type: 'act', sight } : null
}
