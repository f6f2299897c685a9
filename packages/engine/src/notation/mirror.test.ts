import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomFrom } from '../../test/random-game.ts'
import { checkFormation, randomFormation } from '../rules/deployment.ts'
import { PRESETS } from '../rules/presets.ts'
import { formatFormation } from './formation.ts'
import { mirrorFormation } from './mirror.ts'

test('R-DEPLOY-5: a mirrored formation has each row from right to left, camps left where they are', () => {
  const mirrored = mirrorFormation('963175358137B246L2LB4FL21')
  expect(formatFormation('963175358137B246L2LB4FL21')).toBe('96317/535/8137/B24/6L2LB/4FL21')
  expect(formatFormation(mirrored)).toBe('71369/535/7318/42B/BL2L6/12LF4')
})

test('R-DEPLOY-1: the mirror image of an allowed formation is allowed, and its mirror image is the formation', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const formation = randomFormation(PRESETS.siguo, randomFrom(seed))
      expect(checkFormation(PRESETS.siguo, mirrorFormation(formation))).toBeNull()
      expect(mirrorFormation(mirrorFormation(formation))).toBe(formation)
    }),
  )
})
