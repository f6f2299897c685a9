import { applyCommand, bySeat, newGame, PRESET_NAMES, PRESETS, viewGame } from '@junqi/engine'
import { describe, expect, test } from 'vitest'
import { LEVELS, makeBrain, playGame, randomFrom } from '../src/index.ts'

const FORMATION = '963175358137B246L2LB4FL21'

describe('an easy brain', () => {
  test.each(PRESET_NAMES.filter((name) => name !== 'flip'))(
    'plays whole games of %s without an illegal command',
    (preset) => {
      const ruleSet = PRESETS[preset]
      for (let seed = 1; seed <= 5; seed++) {
        const random = randomFrom(seed)
        const brains = bySeat(() => makeBrain('easy', { random }))
        expect(playGame({ ruleSet, brains, random }).end.result).not.toBeNull()
      }
    },
  )
})

describe.each(LEVELS)('a brain of level %s', (level) => {
  const ruleSet = PRESETS.duel
  const formations = { south: FORMATION, north: FORMATION }
  const start = newGame(ruleSet, { type: 'gameStarted', formations, first: 'south' })

  test('R-TURN-1: does nothing while another seat is to move', () => {
    const brain = makeBrain(level, { random: randomFrom(1) })
    const sight = { ruleSet, seat: 'north', view: viewGame(start, 'north'), history: [] } as const
    expect(brain.act(sight)).toBeNull()
  })

  test('R-END-5: answers a draw offer, also out of its turn', () => {
    const offered = applyCommand(start, { type: 'offerDraw', seat: 'south' })
    if (!offered.ok) throw new Error(offered.error.code)
    const brain = makeBrain(level, { random: randomFrom(1) })
    const view = viewGame(offered.value.state, 'north')
    expect(brain.act({ ruleSet, seat: 'north', view, history: [] })).toEqual({
      type: 'answerDraw',
      offer: 1,
      accept: false,
    })
  })
})
