import { describe, expect, test } from 'vitest'
import { flipAt } from '../../test/flip-at.ts'
import { pieceAt, play } from '../../test/game-at.ts'
import type { RuleOptions } from './rule-set.ts'

/** Turns a7, b7, c7 ... up, what lies there as told; and says what becomes known when. */
function coloursAfter(
  under: string,
  { options = {}, actions }: { options?: RuleOptions; actions?: readonly string[] } = {},
): string {
  const symbols = under.split(' ')
  const cells = [...symbols.map(() => '@?'), '[]', '[]', '[]', '[]', '[]'].slice(0, 5)
  // More lies face down elsewhere, so that the row's last is not the last of all.
  const drawing = `11 @? [] [] [] []\n7 ${cells.join(' ')}`
  const state = flipAt(drawing, { options, under: `${under} b7`, colours: 'open' })
  const flips = actions ?? symbols.map((_, i) => `flip ${'abcde'.charAt(i)}7`)
  const told: string[] = []
  let after = state
  for (const [i, action] of flips.entries()) {
    const played = play(after, action)
    after = played.state
    for (const event of played.events) {
      if (event.type !== 'coloursKnown') continue
      told.push(`${i + 1}: south ${event.colours.south}, north ${event.colours.north}`)
    }
  }
  return told.join('; ')
}

const TWO: RuleOptions = { flipColour: 'twoInARow' }
const FIRST: RuleOptions = { flipColour: 'first' }

describe('R-FLIP-3: whose colour is which', () => {
  test.each([
    ['R-FLIP-3: engineer: who first flips one owns its colour', 'b8 r5 b1', '3: south b, north r'],
    ['R-FLIP-3: engineer: the other seat as well', 'b8 r1', '2: south b, north r'],
    ['R-FLIP-3: engineer: nothing else decides', 'b8 b7 b6 b5 b4', ''],
    ['R-FLIP-3: engineer: a second one changes nothing', 'r1 r1 b1', '1: south r, north b'],
  ])('%s', (_, under, expected) => {
    expect(coloursAfter(under)).toBe(expected)
  })

  test.each([
    ['R-FLIP-3: twoInARow: two latest flips of a seat alike', 'r8 b5 r4', '3: south r, north b'],
    ['R-FLIP-3: twoInARow: the other seat first', 'r8 b5 b4 b3', '4: south r, north b'],
    ['R-FLIP-3: twoInARow: not those of both seats', 'r8 r5 b4 b3', ''],
    ['R-FLIP-3: twoInARow: not the first and the third', 'r8 b5 b4 r3 r2', ''],
    ['R-FLIP-3: twoInARow: an engineer decides nothing', 'r1 b1', ''],
  ])('%s', (_, under, expected) => {
    expect(coloursAfter(under, { options: TWO })).toBe(expected)
  })

  test('R-FLIP-3: twoInARow: skipped turns between do not matter', () => {
    const actions = ['flip a7', 'timeout north', 'timeout south', 'flip b7', 'flip c7']
    expect(coloursAfter('r8 b5 r4', { options: TWO, actions })).toBe('5: south r, north b')
  })

  test.each([
    ['R-FLIP-3: first: the first flip decides', 'b8 r5', '1: south b, north r'],
    ['R-FLIP-3: first: whatever it is', 'rF r5', '1: south r, north b'],
  ])('%s', (_, under, expected) => {
    expect(coloursAfter(under, { options: FIRST })).toBe(expected)
  })

  test.each<[string, RuleOptions, string, string]>([
    ['R-FLIP-3: engineer: nothing lies face down: as by first', {}, 'b8 r5', 'b'],
    ['R-FLIP-3: twoInARow: nothing lies face down: as by first', TWO, 'r8 b5', 'r'],
    ['R-FLIP-3: the last flip may decide by itself', {}, 'b8 b1', 'r'],
  ])('%s', (_, options, under, south) => {
    const state = flipAt('7 @? @? [] [] []', { options, under, colours: 'open' })
    const { events } = play(state, 'flip a7', 'flip b7')
    const north = south === 'r' ? 'b' : 'r'
    expect(events.at(2)).toEqual({ type: 'coloursKnown', colours: { south, north } })
  })

  test('R-FLIP-1, R-FLIP-3: what lies open is nobody’s until then, and somebody’s from then on', () => {
    const state = flipAt('7 @? @? @? [] []', { under: 'b8 r5 r1', colours: 'open' })
    const open = play(state, 'flip a7', 'flip b7').state
    expect([pieceAt(open, 'a7')?.seat, pieceAt(open, 'b7')?.seat]).toEqual([null, null])
    const known = play(open, 'flip c7').state
    expect(known.flip?.colours).toEqual({ south: 'r', north: 'b' })
    const seats = ['a7', 'b7', 'c7'].map((space) => pieceAt(known, space)?.seat)
    expect(seats).toEqual(['north', 'south', 'south'])
  })
})
