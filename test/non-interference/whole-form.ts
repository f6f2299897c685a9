import { PRESETS, type PresetName } from '@junqi/engine'
import { expect } from 'vitest'
import { type Count, comparePairs } from './pairs.ts'
import { SocketSite } from './socket-site.ts'

/** The whole form of the property for one preset: 2,000 pairs at least, in three of ten all differing pieces moved or fought. */
export async function compareWhole(preset: PresetName): Promise<void> {
  const count = await comparePairs(preset, { games: 300, twins: 7, seed: 2_000_000 })
  tell(preset, 'the rooms', count)
  expect(count.pairs).toBeGreaterThanOrEqual(2_000)
  // Of those that are compared after the end the pieces are the same.
  expect(count.active / (count.pairs - count.beyond)).toBeGreaterThanOrEqual(0.3)
  expect(count.bots).toBeGreaterThanOrEqual(500)
  expect(count.beyond).toBeGreaterThanOrEqual(150)
  // A flip game has no flags that one could make for.
  expect([...count.ended.keys()]).toEqual(
    expect.arrayContaining(['agreed', 'quietMoves', 'resigned']),
  )
  // Where two play, the game is over when one is out.
  if (PRESETS[preset].seats.length > 2) {
    expect([...count.viewers.keys()].some((role) => role.startsWith('out'))).toBe(true)
  }
}

/** The same over real sockets, with a process that is killed in each run: fewer, since a process takes a second to load. */
export async function compareOverSockets(preset: PresetName): Promise<void> {
  const openSite = SocketSite.open
  const count = await comparePairs(preset, { games: 6, twins: 7, seed: 6_000_000, openSite })
  tell(preset, 'over sockets', count)
  expect(count.pairs).toBeGreaterThanOrEqual(35)
}

function tell(preset: PresetName, form: string, count: Count): void {
  const viewers = [...count.viewers].map(([role, times]) => `${times} × ${role}`)
  const ends = [...count.ended].map(([reason, times]) => `${times} × ${reason}`)
  const share = Math.round((count.active / count.pairs) * 100)
  process.stdout.write(
    `${preset}, ${form}: ${count.pairs} pairs, in ${share} % all differing pieces moved or fought; ` +
      `${count.frames} messages to ${viewers.sort().join(', ')}; ` +
      `a bot in a seat of ${count.bots}; ended: ${ends.sort().join(', ') || 'none'}, ${count.beyond} of these compared after the end too\n`,
  )
}
