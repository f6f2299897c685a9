import { readFileSync } from 'node:fs'
import { isSeat, type Layout, type LayoutSymbol, PRESETS, type Sealable } from '@junqi/engine'
import { describe, expect, test } from 'vitest'
import { commitmentTo, sealOf } from './seal.ts'

interface Vector {
  readonly name: Sealable
  readonly value: string
  readonly salt: string
  readonly commitment: string
}

const vectors: readonly Vector[] = JSON.parse(
  readFileSync(new URL('../../../docs/protocol/seal-vectors.json', import.meta.url), 'utf8'),
)

/** A start of play in which this is so. */
function startWith({ name, value }: Vector): Parameters<typeof commitmentTo>[1] {
  if (name === 'layout') return { formations: {}, layout: layoutOf(value), first: 'south' }
  if (name === 'first') return { formations: {}, first: isSeat(value) ? value : 'south' }
  return { formations: { [name]: value }, first: 'south' }
}

const layoutOf = (text: string): Layout => (text.match(/../g) ?? []) as LayoutSymbol[]

describe('R-SEAL-1: commitments', () => {
  test.each(vectors)('R-SEAL-1: the vector of $name with the salt $salt', (vector) => {
    expect(commitmentTo(vector.name, startWith(vector), vector.salt)).toBe(vector.commitment)
  })

  test('R-SEAL-1: the vectors show every name', () => {
    expect(vectors.map(({ name }) => name).sort()).toEqual(
      ['south', 'east', 'north', 'west', 'layout', 'first'].sort(),
    )
  })

  test('R-SEAL-2: equal formations have other commitments by their seats and their salts', () => {
    const [formation = ''] = vectors.map(({ value }) => value)
    const start = { formations: { south: formation, north: formation }, first: 'south' } as const
    const salts = { south: '00'.repeat(32), north: '00'.repeat(32), first: '00'.repeat(32) }
    const seal = sealOf(PRESETS.duel, start, salts)
    expect(new Set(Object.values(seal.commitments)).size).toBe(3)
    const resealed = sealOf(PRESETS.duel, start, { ...salts, south: `01${'00'.repeat(31)}` })
    expect(resealed.commitments.south).not.toBe(seal.commitments.south)
    expect(resealed.commitments.north).toBe(seal.commitments.north)
  })
})
