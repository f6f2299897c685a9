import { PRESET_NAMES } from '@junqi/engine'
import { describe, expect, test } from 'vitest'
import { resumeThroughout } from './games.ts'

describe('F-R7: a client that resumes from any version sees what one sees that was there all along', () => {
  test.each(PRESET_NAMES)('%s', async (preset) => {
    // A flip game has hardly begun when another one is over.
    const acts = preset === 'flip' ? 200 : 40
    const compared = await resumeThroughout(preset, { seed: 3_000_000, often: 1, acts })
    expect(compared.versions).toBeGreaterThan(20)
    // From every version by everyone there, before and after a restart, and on the way.
    expect(compared.resumed).toBeGreaterThan(compared.versions * 6)
  })

  test.each(['siguo-ally-open', 'duel'] as const)('%s, at another node', async (preset) => {
    const extent = { seed: 4_000_000, often: 1, acts: 40, nodes: 2 }
    const compared = await resumeThroughout(preset, extent)
    expect(compared.versions).toBeGreaterThan(20)
    expect(compared.resumed).toBeGreaterThan(compared.versions * 6)
  })
})
