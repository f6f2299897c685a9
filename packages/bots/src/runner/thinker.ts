import type { Formation, RuleSet, Seat } from '@junqi/engine'
import type { Action, Level, Random, Sight } from '../brain.ts'
import { makeBrain } from '../make-brain.ts'

/** Where bots think: in this thread, or in one that may take its time. */
export interface Thinker {
  formation(level: Level, ruleSet: RuleSet, seat: Seat): Promise<Formation>
  act(level: Level, sight: Sight): Promise<Action | null>
}

/** Thinks at once, in this thread: nothing else runs meanwhile. */
export function inlineThinker(random: Random): Thinker {
  return {
    formation: async (level, ruleSet, seat) =>
      makeBrain(level, { random }).formation(ruleSet, seat),
    act: async (level, sight) => makeBrain(level, { random }).act(sight),
  }
}
