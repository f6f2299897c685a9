import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PRESETS } from './presets.ts'
import { resolveRules } from './resolve-rules.ts'
import { PRESET_NAMES } from './rule-set.ts'

const resolve = (preset: string, options: Record<string, unknown> = {}) =>
  resolveRules({ preset, options })

test.each(PRESET_NAMES)('the preset %s stands as it is named', (preset) => {
  expect(resolve(preset)).toEqual({ ok: true, value: PRESETS[preset] })
})

describe('what presets change', () => {
  test.each([
    ['siguo', {}],
    ['siguo-ally-open', { visibility: 'allyOpen' }],
    ['siguo-open', { visibility: 'allOpen' }],
    [
      'siguo-free',
      {
        alliances: [['south'], ['east'], ['north'], ['west']],
        eliminatedView: 'own',
        leaving: 'forfeit',
      },
    ],
    [
      'siguo-table',
      {
        turnSeconds: 60,
        timeoutForfeit: 4,
        landmine: 'mutual',
        leaving: 'forfeit',
        scoreFloor: null,
      },
    ],
    [
      'sanguo',
      {
        seats: ['south', 'east', 'west'],
        alliances: [['south'], ['east'], ['west']],
        emptyTerritory: 'closed',
        eliminatedView: 'own',
        leaving: 'forfeit',
      },
    ],
  ] as const)('%s differs from siguo as named', (preset, changes) => {
    expect(PRESETS[preset]).toEqual({ ...PRESETS.siguo, ...changes })
  })
})

test('R-FLIP: the flip game differs from duel as named', () => {
  expect(PRESETS.flip).toEqual({
    ...PRESETS.duel,
    resignFromMove: 0,
    landmine: 'mutual',
    railTurn: 'straight',
    leaveHeadquarters: true,
    fieldMarshalDeathRevealsFlag: false,
    scoreFloor: null,
    flipColour: 'engineer',
    flipMines: 'engineersAndBombs',
    flipFlag: 'smallest',
  })
})

test('R-FLIP: what a host may override in a flip game', () => {
  const options = {
    turnOrder: 'clockwise',
    firstSeat: 'north',
    turnSeconds: 30,
    bankSeconds: 10,
    timeoutForfeit: null,
    quietMoveLimit: 20,
    maxMoves: 300,
    resignFromMove: 10,
    railTurn: 'straight',
    leaveHeadquarters: false,
    leaving: 'forfeit',
    flipColour: 'twoInARow',
    flipMines: 'engineers',
    flipFlag: 'any',
    scoring: 'none',
    scoreFloor: 5,
  }
  expect(resolve('flip', options)).toEqual({ ok: true, value: { ...PRESETS.flip, ...options } })
})

test('overridden fields replace those of the preset', () => {
  const resolved = resolve('duel', { landmine: 'repels', maxMoves: 999, firstSeat: 'north' })
  expect(resolved).toEqual({
    ok: true,
    value: { ...PRESETS.duel, landmine: 'repels', maxMoves: 999, firstSeat: 'north' },
  })
})

describe('refused, with the field and what would be right', () => {
  test.each<[string, Record<string, unknown>, string, string]>([
    ['gungi', {}, 'preset', 'preset must be one of siguo, siguo-table, duel,'],
    ['toString', {}, 'preset', 'preset must be one of'],
    ['siguo', { turnSeconds: 4 }, 'turnSeconds', 'must be an integer from 5 to 600'],
    ['siguo', { turnSeconds: 30.5 }, 'turnSeconds', 'must be an integer from 5 to 600'],
    ['siguo', { turnSeconds: '30' }, 'turnSeconds', 'must be an integer'],
    ['siguo', { turnSeconds: null }, 'turnSeconds', 'must be an integer from 5 to 600'],
    ['siguo', { bankSeconds: 3601 }, 'bankSeconds', 'from 0 to 3600'],
    ['siguo', { deploymentSeconds: 9 }, 'deploymentSeconds', 'from 10 to 1800'],
    ['siguo', { timeoutForfeit: 0 }, 'timeoutForfeit', 'from 1 to 99 or null'],
    ['siguo', { quietMoveLimit: 1000 }, 'quietMoveLimit', 'from 1 to 999 or null'],
    ['siguo', { maxMoves: 0 }, 'maxMoves', 'from 1 to 999 or null'],
    ['siguo', { resignFromMove: 201 }, 'resignFromMove', 'from 0 to 200'],
    ['siguo', { scoreFloor: 0.5 }, 'scoreFloor', 'must be an integer or null'],
    ['siguo', { landmine: 'floats' }, 'landmine', 'one of stands, mutual, explodes, repels'],
    ['siguo', { bombFrontRow: 1 }, 'bombFrontRow', 'must be one of true, false'],
    ['siguo', { firstSeat: 'up' }, 'firstSeat', 'must be one of south, east, north, west, random'],
    ['duel', { firstSeat: 'west' }, 'firstSeat', 'must be one of south, north, random'],
    ['siguo', { board: 'duel' }, 'board', 'fixed by the preset'],
    ['siguo', { seats: [] }, 'seats', 'fixed by the preset'],
    ['siguo', { alliances: [] }, 'alliances', 'fixed by the preset'],
    ['siguo', { flipMines: 'engineers' }, 'flipMines', 'belongs to the flip game'],
    ['duel', { flipColour: 'first' }, 'flipColour', 'belongs to the flip game'],
    ['duel', { flipFlag: 'any' }, 'flipFlag', 'belongs to the flip game'],
    ['flip', { flipColour: 'last' }, 'flipColour', 'one of engineer, twoInARow, first'],
    ['flip', { flipMines: 'bombs' }, 'flipMines', 'one of engineersAndBombs, engineers'],
    ['flip', { flipFlag: null }, 'flipFlag', 'one of smallest, engineer, any'],
    ['flip', { visibility: 'allDark' }, 'visibility', 'is not for the flip game'],
    ['flip', { landmine: 'mutual' }, 'landmine', 'is not for the flip game'],
    ['flip', { fieldMarshalRepelled: false }, 'fieldMarshalRepelled', 'is not for the flip'],
    ['flip', { bombFrontRow: false }, 'bombFrontRow', 'is not for the flip game'],
    ['flip', { flyingBomb: false }, 'flyingBomb', 'is not for the flip game'],
    ['flip', { flagCapture: 'any' }, 'flagCapture', 'is not for the flip game'],
    ['flip', { engineerScout: false }, 'engineerScout', 'is not for the flip game'],
    ['flip', { fieldMarshalDeathRevealsFlag: false }, 'fieldMarshalDeathRevealsFlag', 'is not'],
    ['flip', { eliminatedView: 'own' }, 'eliminatedView', 'is not for the flip game'],
    ['flip', { deploymentSeconds: 60 }, 'deploymentSeconds', 'is not for the flip game'],
    ['flip', { railTurn: 'curve' }, 'railTurn', 'must be straight in the flip game'],
    ['flip', { railTurn: 'rightAngle' }, 'railTurn', 'must be straight in the flip game'],
    ['flip', { emptyTerritory: 'open' }, 'emptyTerritory', 'every territory has a seat'],
    ['flip', { board: 'siguo' }, 'board', 'fixed by the preset'],
    ['siguo', { speed: 3 }, 'speed', 'is not a field of the rules'],
    ['siguo', { constructor: 3 }, 'constructor', 'is not a field of the rules'],
    ['siguo', { emptyTerritory: 'closed' }, 'emptyTerritory', 'every territory has a seat'],
    ['duel', { emptyTerritory: 'open' }, 'emptyTerritory', 'every territory has a seat'],
    ['siguo', { resignFromMove: 61, maxMoves: 60 }, 'resignFromMove', 'not be above maxMoves, 60'],
    ['siguo', { maxMoves: 19 }, 'resignFromMove', 'must not be above maxMoves, 19'],
    ['siguo-free', { eliminatedView: 'ally' }, 'eliminatedView', 'where nobody has an ally'],
    ['duel', { eliminatedView: 'ally' }, 'eliminatedView', 'must be own or public'],
  ])('%s %j: %s %s', (preset, options, field, message) => {
    const resolved = resolve(preset, options)
    expect(resolved).toMatchObject({ ok: false, error: { field } })
    expect(resolved.ok ? '' : resolved.error.message).toContain(message)
  })

  test('whatever the options are, the answer is a rule set or a refusal', () => {
    const values = fc.oneof(fc.jsonValue(), fc.constantFrom('closed', 'ally', 'random', 5, true))
    const options = fc.dictionary(
      fc.oneof(fc.constantFrom(...Object.keys(PRESETS.siguo)), fc.string()),
      values,
    )
    fc.assert(
      fc.property(fc.constantFrom(...PRESET_NAMES), options, (preset, chosen) => {
        const resolved = resolve(preset, chosen)
        if (resolved.ok) expect(resolved.value).toEqual({ ...PRESETS[preset], ...chosen })
        else expect(resolved.error.message).toContain(resolved.error.field)
      }),
    )
  })
})
