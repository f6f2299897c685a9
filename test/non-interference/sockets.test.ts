import { afterAll, describe, expect, test } from 'vitest'
import { comparePairs } from './pairs.ts'
import { closeSpares, SocketSite } from './socket-site.ts'

describe('R-SEE-6, F-H3, F-H4: the same over real sockets, with a server that is killed', () => {
  afterAll(closeSpares)

  test.each(['siguo', 'flip'] as const)('%s', async (preset) => {
    const openSite = SocketSite.open
    const extent = { games: 1, twins: 1, seed: 5_000_000, acts: 30, openSite }
    const { pairs, frames } = await comparePairs(preset, extent)
    expect(pairs).toBe(1)
    expect(frames).toBeGreaterThan(200)
  })
})
