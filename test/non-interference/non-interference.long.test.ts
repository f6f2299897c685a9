import { PRESET_NAMES } from '@junqi/engine'
import { describe, expect, test } from 'vitest'
import { comparePairs } from './pairs.ts'

describe('R-SEE-6: at least 2,000 pairs of runs a preset that are equal to a viewer give it the same bytes', () => {
  test.each(PRESET_NAMES)('%s', async (preset) => {
    const count = await comparePairs(preset, { games: 430, twins: 5, seed: 2_000_000 })
    const share = count.active / count.pairs
    process.stdout.write(
      `${preset}: ${count.pairs} pairs, in ${Math.round(share * 100)} % a differing piece moved or fought; ` +
        `${count.frames} messages to ${count.viewers} viewers, ${count.eliminated} of them out\n`,
    )
    expect(count.pairs).toBeGreaterThanOrEqual(2_000)
    expect(share).toBeGreaterThanOrEqual(0.3)
  })
})
