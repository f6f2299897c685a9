import { PRESET_NAMES } from '@junqi/engine'
import { describe, expect, test } from 'vitest'
import { comparePairs } from './pairs.ts'

describe('R-SEE-6, R-DEPLOY-6, F-H4: runs that are equal to a viewer give it the same bytes', () => {
  test.each(PRESET_NAMES)('%s, F-H3: also from a restored room', async (preset) => {
    const count = await comparePairs(preset, { games: 3, twins: 3, seed: 1_000_000 })
    expect(count.pairs).toBeGreaterThanOrEqual(8)
    expect(count.active / count.pairs).toBeGreaterThanOrEqual(0.3)
  })
})
