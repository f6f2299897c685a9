import { describe, test } from 'vitest'
import { compareWhole } from './whole-form.ts'

const ALONE = ['duel', 'sanguo', 'siguo-free', 'duel-open', 'siguo-duel', 'flip'] as const

describe('R-SEE-6: at least 2,000 pairs of runs a preset give an equal viewer the same bytes', () => {
  test.each(ALONE)('%s', compareWhole)
})
