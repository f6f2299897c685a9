import type { Rules } from '@junqi/engine'

/** What an option may change without a game being played otherwise: `scored` tells of it. */
const SCORING: readonly string[] = ['scoring', 'scoreFloor']

/** Whether a game is played otherwise than its preset says. */
export const isCustom = (options: Rules['options']): boolean =>
  Object.keys(options).some((field) => !SCORING.includes(field))
