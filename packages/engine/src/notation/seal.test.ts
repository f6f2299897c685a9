import { describe, expect, test } from 'vitest'
import { FORMATION, rulesOf } from '../../test/game-at.ts'
import { shuffledLayout } from '../layout.ts'
import { parseRecord } from './parse-record.ts'
import { formatRecord } from './record.ts'
import { sealedIn, sealedText } from './seal.ts'

const HEX = '0123456789abcdef'.repeat(4)
const of = (...names: string[]) => Object.fromEntries(names.map((name) => [name, HEX]))
const ALL = of('south', 'north', 'first')
const RECORD = {
  format: 'junqi-record/1',
  rules: { preset: 'duel', options: {} },
  formations: { south: FORMATION, north: FORMATION },
  first: 'north',
  actions: [],
  result: null,
}
const sealedWith = (seal: unknown) => parseRecord({ ...RECORD, seal })

test.each([
  ['siguo', ['south', 'east', 'north', 'west', 'first']],
  ['sanguo', ['south', 'east', 'west', 'first']],
  ['duel', ['south', 'north', 'first']],
  ['flip', ['layout', 'first']],
] as const)('R-SEAL-1: under the seal of %s are %j', (preset, names) => {
  expect([...sealedIn(rulesOf(preset))].sort()).toEqual([...names].sort())
})

test('R-SEAL-1: the texts that are committed to', () => {
  const start = { formations: { south: FORMATION }, layout: shuffledLayout(() => 0) } as const
  const text = (name: 'south' | 'layout' | 'first') => sealedText(name, { ...start, first: 'west' })
  expect(text('south')).toBe(`junqi-seal/1 south ${FORMATION}`)
  expect(text('first')).toBe('junqi-seal/1 first west')
  expect(text('layout')).toMatch(/^junqi-seal\/1 layout ([rb][1-9BLF]){50}$/)
})

describe('R-SEAL-3: the seal of a record', () => {
  test('R-SEAL-3: is read, and written as it was read', () => {
    const parsed = sealedWith({ commitments: ALL, salts: ALL })
    if (!parsed.ok) throw new Error(parsed.error)
    expect(parsed.value.seal).toEqual({ commitments: ALL, salts: ALL })
    expect(parseRecord(JSON.parse(formatRecord(parsed.value)))).toEqual(parsed)
  })

  test('R-SEAL-3: may be missing', () => {
    const parsed = parseRecord(RECORD)
    expect(parsed.ok && Object.hasOwn(parsed.value, 'seal')).toBe(false)
    expect(parsed.ok).toBe(true)
  })

  test.each<[string, unknown, string]>([
    ['null', null, 'the seal must be an object'],
    ['no salts', { commitments: ALL }, 'the seal must have the key salts'],
    [
      'more than a seal',
      { commitments: ALL, salts: ALL, key: 1 },
      'the seal must have no key but commitments, salts',
    ],
    [
      'commitments that are no object',
      { commitments: [], salts: ALL },
      'the commitments of the seal must be an object',
    ],
    [
      'a seat that was not sealed',
      { commitments: of('south', 'first'), salts: ALL },
      'the commitments of the seal must have the key north',
    ],
    [
      'a seat outside the game',
      { commitments: ALL, salts: { ...ALL, east: HEX } },
      'the salts of the seal must have no key but south, north, first',
    ],
    [
      'a commitment that is too short',
      { commitments: { ...ALL, north: HEX.slice(1) }, salts: ALL },
      'the commitments of the seal: north must be 64 digits of lower-case hex',
    ],
    [
      'a salt in capitals',
      { commitments: ALL, salts: { ...ALL, first: HEX.toUpperCase() } },
      'the salts of the seal: first must be 64 digits of lower-case hex',
    ],
    [
      'a salt that is no text',
      { commitments: ALL, salts: { ...ALL, south: 1 } },
      'the salts of the seal: south must be 64 digits of lower-case hex',
    ],
  ])('R-SEAL-3: %s is refused', (_, seal, message) => {
    const parsed = sealedWith(seal)
    expect(parsed.ok ? 'accepted' : parsed.error).toBe(message)
  })
})
