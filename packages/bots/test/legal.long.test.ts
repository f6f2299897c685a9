import { bySeat, PRESET_NAMES, PRESETS } from '@junqi/engine'
import { expect, test } from 'vitest'
import { makeBrain, playGame, randomFrom } from '../src/index.ts'

const GAMES = 1000
const LEVELS = ['easy', 'normal', 'easy', 'easy', 'hard'] as const

test.each(PRESET_NAMES)(`plays ${GAMES} games of %s without an illegal command`, (preset) => {
  const ruleSet = PRESETS[preset]
  let ended = 0
  for (let seed = 1; seed <= GAMES; seed++) {
    const random = randomFrom(seed)
    const brains = bySeat((seat) => {
      const level = LEVELS[(seed + ruleSet.seats.indexOf(seat)) % LEVELS.length] ?? 'easy'
      return makeBrain(level, { random, nodes: 200 })
    })
    if (playGame({ ruleSet, brains, random }).end.result !== null) ended++
  }
  expect(ended).toBe(GAMES)
})
