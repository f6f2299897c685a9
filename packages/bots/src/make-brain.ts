import { assertNever } from '@junqi/engine'
import type { Brain, BrainOptions, Level } from './brain.ts'
import { easyBrain } from './easy.ts'
import { normalBrain } from './normal.ts'

/** A brain of a level. */
export function makeBrain(level: Level, options: BrainOptions): Brain {
  switch (level) {
    case 'easy':
      return easyBrain(options)
    case 'normal':
    case 'hard':
      return normalBrain(options)
    default:
      return assertNever(level)
  }
}
