import { expect, test } from 'vitest'
import { playFlipGames } from './flip-games.ts'

test('R-FLIP-1, R-FLIP-10: 200 random flip games keep every promise, at every event', () => {
  const { ends } = playFlipGames(200, 1)
  for (const end of ['noMoves', 'left', 'resigned']) expect(ends.get(end) ?? 0).toBeGreaterThan(0)
})
