import { PRESETS, type PresetName } from '@junqi/engine'
import { expect } from 'vitest'
import { comparePairs } from './pairs.ts'

/** The whole form of the property for one preset: 2,000 pairs at least, in three of ten all differing pieces moved or fought. */
export async function compareWhole(preset: PresetName): Promise<void> {
  const count = await comparePairs(preset, { games: 300, twins: 7, seed: 2_000_000 })
  const share = Math.round((count.active / count.pairs) * 100)
  process.stdout.write(
    `${preset}: ${count.pairs} pairs, in ${share} % all differing pieces moved or fought; ` +
      `${count.frames} messages to ${count.viewers} viewers, ${count.eliminated} of them out\n`,
  )
  expect(count.pairs).toBeGreaterThanOrEqual(2_000)
  expect(share).toBeGreaterThanOrEqual(30)
  // Where two play, the game is over when one is out.
  if (PRESETS[preset].seats.length > 2) expect(count.eliminated).toBeGreaterThan(0)
}
