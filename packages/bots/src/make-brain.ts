import { assertNever } from '@junqi/engine'
import type { Brain, BrainOptions, Level } from './brain.ts'
import { easyBrain } from './easy.ts'

/** A brain of a level. */
export function makeBrain(level: Level, options: BrainOptions): Brain {
  switch (level) {
    case 'easy':
    case 'normal':
    case 'hard':
      return easyBrain(options)
    default:
      return assertNever(level)
  }
}
