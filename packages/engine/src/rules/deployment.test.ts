import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FORMATION, pieceAt, rulesOf, startedGame } from '../../test/game-at.ts'
import { checkFormation, isDeployable, randomFormation } from './deployment.ts'
import { boardOf } from './ground.ts'
import { PRESET_NAMES } from './rule-set.ts'

const DUEL = rulesOf('duel')
const FRONT_ROW_BOMBS = rulesOf('duel', { bombFrontRow: true })

test.each([
  ['R-DEPLOY-1', 'a whole army', FORMATION, null],
  [
    'R-DEPLOY-1',
    'two field marshals',
    '993175358137B246L2LB4FL21',
    'a formation has 1 of the symbol 9 (司令, field marshal); this one has 2',
  ],
  [
    'R-DEPLOY-5',
    '24 symbols',
    '963175358137B246L2LB4FL2',
    'a formation is 25 of the symbols 987654321BLF, front row first',
  ],
  [
    'R-DEPLOY-5',
    'a letter that is no symbol',
    '963175358137B246L2LB4FL2X',
    'a formation is 25 of the symbols 987654321BLF, front row first',
  ],
  [
    'R-DEPLOY-2',
    'the flag on a post',
    '963175358137B246L2LB4LF21',
    'the flag is in a headquarters, not in row 6, column 3',
  ],
  ['R-DEPLOY-2', 'the flag in the right headquarters', '963175358137B246L2LB42LF1', null],
  [
    'R-DEPLOY-3',
    'a landmine in row 4',
    '963175358137B2L642LB4FL21',
    'landmines are in rows 5 and 6, not in row 4, column 5',
  ],
  ['R-DEPLOY-3', 'a landmine in a headquarters', '963175358137B246L2LB4F2L1', null],
  [
    'R-DEPLOY-4',
    'a bomb in the front row',
    'B631753581379246L2LB4FL21',
    'bombs are not in the front row, not in row 1, column 1',
  ],
])('%s: %s', (_rule, _name, formation, problem) => {
  expect(checkFormation(DUEL, formation)).toBe(problem)
})

test('R-DEPLOY-4: bombs may stand in the front row under bombFrontRow', () => {
  expect(checkFormation(FRONT_ROW_BOMBS, 'B631753581379246L2LB4FL21')).toBe(null)
})

test.each([
  ['R-DEPLOY-2: the flag may be in a headquarters', 'flag', { row: 6, column: 4 }, true],
  ['R-DEPLOY-2: the flag may not be beside it', 'flag', { row: 6, column: 3 }, false],
  ['R-DEPLOY-3: a landmine may be in row 5', 'landmine', { row: 5, column: 1 }, true],
  ['R-DEPLOY-3: a landmine may not be in row 4', 'landmine', { row: 4, column: 1 }, false],
  ['R-DEPLOY-4: a bomb may not be in row 1', 'bomb', { row: 1, column: 1 }, false],
] as const)('%s', (_, kind, place, may) => {
  expect(isDeployable(DUEL, kind, place)).toBe(may)
})

test('R-DEPLOY-1: play starts with 25 pieces on posts and headquarters, camps empty', () => {
  for (const preset of PRESET_NAMES.filter((name) => name !== 'flip')) {
    const state = startedGame(rulesOf(preset))
    const { kinds } = boardOf(state.ruleSet)
    const camps = state.pieces.filter((_, index) => kinds[index] === 'camp')
    expect(camps.every((piece) => piece === null)).toBe(true)
    for (const seat of state.ruleSet.seats) {
      expect(state.pieces.filter((piece) => piece?.seat === seat)).toHaveLength(25)
    }
  }
})

test('R-DEPLOY-5: a formation is laid out front row first, from its owner’s left', () => {
  const state = startedGame(rulesOf('siguo'))
  const first = ['g6', 'l7', 'k12', 'f11'].map((space) => pieceAt(state, space)?.kind)
  expect(first).toEqual(Array(4).fill('fieldMarshal'))
  expect(['h1', 'q8', 'j17', 'a10'].map((space) => pieceAt(state, space)?.kind)).toEqual(
    Array(4).fill('flag'),
  )
})

test('R-DEPLOY-7: a random formation is valid, whatever the numbers are', () => {
  const numbers = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
  fc.assert(
    fc.property(numbers, fc.boolean(), (stream, bombFrontRow) => {
      const ruleSet = bombFrontRow ? FRONT_ROW_BOMBS : DUEL
      const formation = randomFormation(ruleSet, () => stream.next().value ?? 0)
      expect(checkFormation(ruleSet, formation)).toBe(null)
    }),
  )
})

test('R-DEPLOY-7: the numbers decide where everything stands', () => {
  expect(randomFormation(DUEL, () => 0)).not.toBe(randomFormation(DUEL, () => 0.999))
  expect(randomFormation(DUEL, () => 0)).toBe(randomFormation(DUEL, () => 0))
})
