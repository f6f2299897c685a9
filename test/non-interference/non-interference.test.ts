import { PRESET_NAMES } from '@junqi/engine'
import { describe, expect, test } from 'vitest'
import { comparePairs } from './pairs.ts'

/** One game of each kind. */
const EXTENT = { games: 3, twins: 3, acts: 55 }

describe('R-SEE-6, R-DEPLOY-6, F-H4: runs that are equal to a viewer give it the same bytes', () => {
  test.each(PRESET_NAMES)('%s, F-H3: also from a restored room', async (preset) => {
    const count = await comparePairs(preset, { ...EXTENT, seed: 1_000_000 })
    expect(count.pairs).toBeGreaterThanOrEqual(8)
    expect(count.active / count.pairs).toBeGreaterThanOrEqual(0.3)
  })

  test.each(['siguo', 'siguo-ally-open', 'duel', 'flip'] as const)(
    '%s, F-H9: also where everyone is at another node than the next',
    async (preset) => {
      const count = await comparePairs(preset, { ...EXTENT, seed: 2_000_000, nodes: 2 })
      expect(count.pairs).toBeGreaterThanOrEqual(6)
      expect(count.active).toBeGreaterThanOrEqual(2)
    },
  )
})
