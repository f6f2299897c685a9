import { checkFormation, PRESETS } from '@junqi/engine'
import { describe, expect, test } from 'vitest'
import { bookFormations, formationFromBook } from '../src/book.ts'
import { LEVELS, makeBrain, randomFrom } from '../src/index.ts'
import { ARMY_PRESETS } from './games.ts'

describe('the book', () => {
  test.each(ARMY_PRESETS)(
    'R-DEPLOY: each formation, and its mirror image, holds under %s',
    (preset) => {
      const problems = bookFormations().map((formation) =>
        checkFormation(PRESETS[preset], formation),
      )
      expect(problems).toEqual(problems.map(() => null))
    },
  )

  test('its formations differ, and so do their mirror images', () => {
    expect(new Set(bookFormations()).size).toBe(bookFormations().length)
  })

  test.each(ARMY_PRESETS)('R-DEPLOY: what is made of it holds under %s, and varies', (preset) => {
    const random = randomFrom(3)
    const made = Array.from({ length: 300 }, () => formationFromBook(PRESETS[preset], random))
    expect(made.map((formation) => checkFormation(PRESETS[preset], formation))).toEqual(
      made.map(() => null),
    )
    expect(new Set(made).size).toBeGreaterThan(150)
  })

  test('guards the flag with two landmines at least', () => {
    // Row 5 and 6 of a formation are its last ten symbols; the headquarters are the second and fourth of row 6.
    for (const formation of bookFormations()) {
      const [row5, row6] = [formation.slice(15, 20), formation.slice(20)]
      const flag = row6.indexOf('F')
      const beside = [row6.charAt(flag - 1), row6.charAt(flag + 1), row5.charAt(flag)]
      expect(beside.filter((symbol) => symbol === 'L').length).toBeGreaterThanOrEqual(2)
    }
  })
})

describe.each(LEVELS)('a brain of level %s', (level) => {
  test.each(ARMY_PRESETS)('R-DEPLOY: deploys validly in %s', (preset) => {
    const ruleSet = PRESETS[preset]
    const brain = makeBrain(level, { random: randomFrom(11) })
    for (let n = 0; n < 100; n++) {
      for (const seat of ruleSet.seats) {
        expect(checkFormation(ruleSet, brain.formation(ruleSet, seat))).toBeNull()
      }
    }
  })
})
