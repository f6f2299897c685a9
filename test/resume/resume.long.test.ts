import { PRESET_NAMES } from '@junqi/engine'
import { describe, expect, test } from 'vitest'
import { resumeThroughout } from './games.ts'

const GAMES = 6

describe('F-R7: a client that resumes from any version sees what one sees that was there all along', () => {
  const happened = new Set<string>()
  const count = { versions: 0, resumed: 0, eliminated: 0 }

  test.each(PRESET_NAMES)('%s', async (preset) => {
    for (let game = 0; game < GAMES; game++) {
      const seed = 5_000_000 + game * 1_000
      const compared = await resumeThroughout(preset, { seed, often: 8, acts: 300 })
      count.versions += compared.versions
      count.resumed += compared.resumed
      count.eliminated += compared.eliminated
      for (const item of compared.happened) happened.add(item)
    }
  })

  test('everything that can happen did', () => {
    process.stdout.write(
      `${count.resumed} clients resumed in ${count.versions} versions, ${count.eliminated} of them eliminated\n`,
    )
    expect(count.eliminated).toBeGreaterThan(0)
    expect([...happened]).toEqual(
      expect.arrayContaining([
        'seatTaken',
        'seatVacated',
        'seatChanged',
        'swapRequested',
        'swapAnswered',
        'rulesChanged',
        'readyChanged',
        'deploymentStarted',
        'deploymentCancelled',
        'gameStarted',
        'pieceMoved',
        'pieceAttacked',
        'pieceFlipped',
        'coloursKnown',
        'flagRevealed',
        'officerScouted',
        'piecesShown',
        'turnSkipped',
        'bankUsed',
        'drawOffered',
        'drawAnswered',
        'drawLapsed',
        'seatEliminated',
        'flagCaptured',
        'resigned',
        'left',
        'timeouts',
        'agreed',
        'gameEnded',
        'rematchCreated',
        'hostChanged',
      ]),
    )
  })
})
