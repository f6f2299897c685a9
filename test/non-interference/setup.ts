import {
  type GameStarted,
  isFlipGame,
  type RuleSet,
  randomFormation,
  shuffledLayout,
} from '@junqi/engine'
import type { Random } from './random.ts'

/** What stands or lies where as play starts, and is known to nobody else, or to nobody at all. */
export type Setup = Pick<GameStarted, 'formations' | 'layout'>

export function setupOf(ruleSet: RuleSet, random: Random): Setup {
  if (isFlipGame(ruleSet)) return { formations: {}, layout: shuffledLayout(random) }
  const formations = ruleSet.seats.map((seat) => [seat, randomFormation(ruleSet, random)])
  return { formations: Object.fromEntries(formations) }
}
