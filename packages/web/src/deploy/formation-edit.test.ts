import { checkFormation, FORMATION_PLACES, PRESETS } from '@junqi/engine'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { kindAt, placesFor, swapPlaces } from './formation-edit.ts'

const RULES = PRESETS.duel
/** Front row first; the flag is in the left headquarters. */
const FORMATION = '987766554433322B11L1LFLB2'

test.each([
  [
    'R-DEPLOY-2: the flag leaves no headquarters',
    { row: 6, column: 2 },
    { row: 6, column: 3 },
    'flag',
  ],
  [
    'R-DEPLOY-3: a landmine stays in the last two rows',
    { row: 6, column: 1 },
    { row: 1, column: 1 },
    'landmine',
  ],
  [
    'R-DEPLOY-4: a bomb does not go to the front',
    { row: 1, column: 1 },
    { row: 5, column: 1 },
    'bomb',
  ],
  ['R-DEPLOY-1: nothing goes into a camp', { row: 1, column: 1 }, { row: 2, column: 2 }, 'camp'],
] as const)('%s', (_, one, other, problem) => {
  expect(swapPlaces(RULES, FORMATION, [one, other])).toEqual({ problem })
})

const place = fc.constantFrom(...FORMATION_PLACES)

test('what may be swapped leaves an allowed formation allowed', () => {
  fc.assert(
    fc.property(place, place, (one, other) => {
      const swapped = swapPlaces(RULES, FORMATION, [one, other])
      if (!('formation' in swapped)) return
      expect(checkFormation(RULES, swapped.formation)).toBe(null)
      expect(kindAt(swapped.formation, one)).toBe(kindAt(FORMATION, other))
      expect(kindAt(swapped.formation, other)).toBe(kindAt(FORMATION, one))
      expect(placesFor(RULES, FORMATION, one).includes(other) || one === other).toBe(true)
    }),
  )
})
