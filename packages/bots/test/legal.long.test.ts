import { bySeat, PRESET_NAMES, PRESETS, type RuleSet } from '@junqi/engine'
import { expect, test } from 'vitest'
import { type Level, makeBrain, playGame, randomFrom } from '../src/index.ts'

const GAMES = 1000

/** Most games are between easy ones, which come to every odd corner soonest; some have all levels in them. */
function levelsOf(game: number): readonly Level[] {
  if (game % 10 === 0) return ['hard', 'normal', 'easy', 'normal']
  return game % 10 <= 2 ? ['normal', 'easy'] : ['easy']
}

function playToTheEnd(ruleSet: RuleSet, game: number): boolean {
  const random = randomFrom(game)
  const levels = levelsOf(game)
  const brains = bySeat((seat) => {
    const level = levels[ruleSet.seats.indexOf(seat) % levels.length] ?? 'easy'
    return makeBrain(level, { random, nodes: 200 })
  })
  return playGame({ ruleSet, brains, random }).end.result !== null
}

test.each(PRESET_NAMES)(`plays ${GAMES} games of %s without an illegal command`, (preset) => {
  let ended = 0
  for (let game = 1; game <= GAMES; game++) if (playToTheEnd(PRESETS[preset], game)) ended++
  expect(ended).toBe(GAMES)
})
