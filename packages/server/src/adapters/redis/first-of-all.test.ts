import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstOfAll, highestFirst, lowestFirst } from './first-of-all.ts'
import { PARTITIONS } from './keys.ts'

const partitions = fc.array(
  fc.array(fc.record({ member: fc.string({ minLength: 1, maxLength: 2 }), score: fc.nat(50) }), {
    maxLength: 40,
  }),
  { minLength: PARTITIONS, maxLength: PARTITIONS },
)

test.each([
  ['lowest', lowestFirst],
  ['highest', highestFirst],
])('the first of all partitions are the %s of everything', async (_name, order) => {
  await fc.assert(
    fc.asyncProperty(partitions, fc.nat(300), async (all, limit) => {
      const sorted = all.map((ranked) => ranked.toSorted(order))
      const ask = async (asked: readonly number[], count: number) =>
        asked.map((partition) => sorted[partition]?.slice(0, count) ?? [])
      const expected = all.flat().sort(order).slice(0, limit)
      expect(await firstOfAll(limit, order, ask)).toEqual(expected)
    }),
    { numRuns: 50 },
  )
})

test('rooms that are spread evenly are found by asking each partition once', async () => {
  const asked: number[] = []
  const ask = async (partitions: readonly number[], count: number) => {
    asked.push(...partitions)
    return partitions.map((partition) =>
      Array.from({ length: count }, (_, n) => ({ member: `${partition}`, score: n })),
    )
  }
  expect(await firstOfAll(257, lowestFirst, ask)).toHaveLength(257)
  expect(asked).toHaveLength(PARTITIONS)
})
