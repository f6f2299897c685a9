import { expect, test } from 'vitest'
import { FORMATION } from '../../test/game-at.ts'
import { formatFormation, parseFormation } from './formation.ts'

test.each([
  ['without slashes', FORMATION],
  ['with all of them', '96317/535/8137/B24/6L2LB/4FL21'],
  ['with some of them', '96317535/8137B246L2LB/4FL21'],
])('R-DEPLOY-5: a formation is read %s', (_, text) => {
  expect(parseFormation(text)).toEqual({ ok: true, value: FORMATION })
})

test.each([
  ['a slash inside a row', '9631/7535/8137/B24/6L2LB/4FL21'],
  ['two slashes', '96317//535/8137/B24/6L2LB/4FL21'],
  ['a slash at the end', `${FORMATION}/`],
  ['lower case', FORMATION.toLowerCase()],
  ['nothing', ''],
])('R-DEPLOY-5: %s is refused', (_, text) => {
  expect(parseFormation(text)).toEqual({
    ok: false,
    error: 'a formation is 25 of the symbols 987654321BLF, front row first',
  })
})

test('R-DEPLOY-1: an army of the wrong pieces is refused', () => {
  expect(parseFormation(FORMATION.replace('L', 'B'))).toEqual({
    ok: false,
    error: 'a formation has 2 of the symbol B (炸弹, bomb); this one has 3',
  })
})

test('R-DEPLOY-5: a formation is written row by row', () => {
  expect(formatFormation(FORMATION)).toBe('96317/535/8137/B24/6L2LB/4FL21')
})
