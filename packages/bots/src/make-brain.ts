import { assertNever } from '@junqi/engine'
import type { Brain, BrainOptions, Level } from './brain.ts'
import { easyBrain } from './easy.ts'
import { hardBrain } from './hard.ts'
import { normalBrain } from './normal.ts'

/** A brain of a level. */
export function makeBrain(level: Level, options: BrainOptions): Brain {
  switch (level) {
    case 'easy':
      return easyBrain(options)
    case 'normal':
      return normalBrain(options)
    case 'hard':
      return hardBrain(options)
    default:
      return assertNever(level)
  }
}
