import {
  type GameRecord,
  invariant,
  type PresetName,
  recordOf,
  SEALABLES,
  type Seal,
  type Sealable,
} from '@junqi/engine'
import { sealOf } from '@junqi/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { playRandomly } from '../../engine/test/random-game.ts'
import { type Flaw, verifyGame } from './verify-game.ts'

/** 64 digits that no other number has. */
const hex = (number: number): string => number.toString(16).padStart(8, '0').repeat(8)

/** A game that was played at random to its end or for so many commands, sealed with salts of its own. */
function sealedGame(preset: PresetName, seed: number, length = 60): Sealed {
  const { rules, started, start, steps } = playRandomly({ preset, options: {}, seed, length })
  const record = recordOf(rules, [started, ...steps.flatMap(({ events }) => events)])
  const salts = Object.fromEntries(
    SEALABLES.map((name, n) => [name, hex(seed * SEALABLES.length + n)]),
  )
  const seal = sealOf(start.ruleSet, started, salts)
  return { ...record, seal }
}
type Sealed = GameRecord & { readonly seal: Seal }

/** What does not hold, by what was checked. */
const flawsOf = (record: GameRecord, told: Seal['commitments'] | null): object =>
  Object.fromEntries(
    verifyGame(record, told).findings.flatMap(({ checked, flaw }) =>
      flaw === null ? [] : [[checked, flaw]],
    ),
  )

const PRESETS = ['siguo', 'sanguo', 'duel', 'siguo-open', 'flip'] as const
const anyGame = fc
  .record({ preset: fc.constantFrom(...PRESETS), seed: fc.nat(10_000) })
  .map(({ preset, seed }) => sealedGame(preset, seed))

describe('R-SEAL-3: any game that was sealed', () => {
  test('R-SEAL-3: holds, with what was told and without', () => {
    fc.assert(
      fc.property(anyGame, (record) => {
        expect(flawsOf(record, record.seal.commitments)).toEqual({})
        expect(flawsOf(record, null)).toEqual({})
      }),
      { numRuns: 30 },
    )
  })

  test('R-SEAL-3: does not with any two pieces exchanged', () => {
    fc.assert(
      fc.property(anyGame, fc.nat(), fc.nat(), fc.nat(), (record, which, one, other) => {
        const changed = withExchange(record, which, [one, other])
        if (changed === null) return
        const { name, game } = changed
        const flaw: Flaw = { code: 'otherThanSealed' }
        expect(flawsOf(game, record.seal.commitments)).toMatchObject({ [name]: flaw })
        expect(flawsOf(game, null)).toMatchObject({ [name]: flaw })
      }),
      { numRuns: 60 },
    )
  })

  test('R-SEAL-3: does not with any one digit of a salt changed', () => {
    fc.assert(
      fc.property(anyGame, fc.nat(), fc.nat(63), (record, which, digit) => {
        const { salts, commitments } = record.seal
        const [name, salt] = entryOf(salts, which)
        const changed =
          salt.slice(0, digit) + (salt[digit] === '7' ? '8' : '7') + salt.slice(digit + 1)
        const game = { ...record, seal: { commitments, salts: { ...salts, [name]: changed } } }
        expect(flawsOf(game, null)).toEqual({ [name]: { code: 'otherThanSealed' } })
      }),
      { numRuns: 30 },
    )
  })

  test('R-SEAL-3: with a seal of its own it passes for another game, but not for who was told', () => {
    fc.assert(
      fc.property(anyGame, (record) => {
        const other = sealedGame(record.rules.preset, 10_001)
        const told = record.seal.commitments
        expect(flawsOf(other, null)).toEqual({})
        expect(Object.keys(flawsOf(other, told))).toEqual(Object.keys(told))
      }),
      { numRuns: 10 },
    )
  })
})

function entryOf(values: Seal['salts'], which: number): readonly [Sealable, string] {
  const names = SEALABLES.filter((name) => values[name] !== undefined)
  const name = names[which % names.length]
  const value = name && values[name]
  invariant(name !== undefined && value !== undefined, 'something is sealed')
  return [name, value]
}

/** The record with two places of a formation or of the layout exchanged; null: they hold the same. */
function withExchange(record: Sealed, which: number, places: readonly [number, number]) {
  const exchange = <T>(items: readonly T[]): readonly T[] => {
    const [one, other] = places.map((place) => place % items.length)
    return items.map(
      (item, n) => (n === one ? items[other ?? 0] : n === other ? items[one ?? 0] : item) as T,
    )
  }
  if (record.layout !== undefined) {
    const layout = exchange(record.layout)
    const isSame = layout.join() === record.layout.join()
    return isSame ? null : { name: 'layout', game: { ...record, layout } }
  }
  const seats = Object.keys(record.formations) as (keyof typeof record.formations)[]
  const name = seats[which % seats.length] ?? 'south'
  const formation = exchange([...(record.formations[name] ?? '')]).join('')
  if (formation === record.formations[name]) return null
  return { name, game: { ...record, formations: { ...record.formations, [name]: formation } } }
}

const DUEL = sealedGame('duel', 5, 400)
const { seal, ...UNSEALED } = DUEL
const { south = '', north = '', first = '' } = seal.commitments

describe('R-SEAL-3: what is wrong with a game', () => {
  test.each<[string, GameRecord, Seal['commitments'] | null, object]>([
    ['nothing', DUEL, seal.commitments, {}],
    ['no seal', UNSEALED, null, { seal: { code: 'notSealed' } }],
    ['no seal, where one was told', UNSEALED, seal.commitments, { seal: { code: 'notSealed' } }],
    [
      'an illegal action',
      { ...DUEL, actions: [...DUEL.actions, 'a1-a1'] },
      null,
      { actions: { code: 'illegalAction', n: DUEL.actions.length + 1, action: 'a1-a1' } },
    ],
    [
      'another result',
      { ...DUEL, result: { winners: ['south'], reason: 'flagCaptured' } },
      null,
      { result: { code: 'otherResult', result: DUEL.result } },
    ],
    [
      'another first seat',
      { ...DUEL, actions: [], result: null, first: DUEL.first === 'south' ? 'north' : 'south' },
      null,
      { first: { code: 'otherThanSealed' } },
    ],
    [
      'another commitment than was told',
      DUEL,
      { south: north, north, first },
      { south: { code: 'otherThanTold' } },
    ],
    [
      'a commitment that was not told',
      DUEL,
      { south, first },
      { north: { code: 'otherThanTold' } },
    ],
    [
      'a seat that is not in the record',
      DUEL,
      { ...seal.commitments, east: south },
      { east: { code: 'otherThanTold' } },
    ],
  ])('R-SEAL-3: %s', (_, record, told, flaws) => {
    expect(flawsOf(record, told)).toEqual(flaws)
    expect(verifyGame(record, told).holds).toBe(Object.keys(flaws).length === 0)
  })
})
