import { expect, test } from 'vitest'
import { playFlipGames } from './flip-games.ts'

test('R-FLIP-1, R-FLIP-10: 1,000 random flip games keep every promise, at every event', () => {
  const { ends } = playFlipGames(1_000, 10_000)
  process.stdout.write(`1,000 flip games: ${JSON.stringify([...ends])}\n`)
  for (const end of ['noMoves', 'flagCaptured', 'left', 'resigned', 'timeouts']) {
    expect(ends.get(end) ?? 0, end).toBeGreaterThan(0)
  }
})
