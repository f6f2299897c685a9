import { describe, test } from 'vitest'
import { compareWhole } from './whole-form.ts'

const ALLIED = ['siguo', 'siguo-table', 'siguo-ally-open', 'siguo-open'] as const

describe('R-SEE-6: at least 2,000 pairs of runs a preset give an equal viewer the same bytes', () => {
  test.each(ALLIED)('%s', compareWhole)
})
