import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstOfAll, highestFirst, lowestFirst } from './first-of-all.ts'
import { PARTITIONS } from './keys.ts'
import type { Ranked } from './reply.ts'

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
      const ask = async (partition: number, count: number): Promise<readonly Ranked[]> =>
        sorted[partition]?.slice(0, count) ?? []
      const found = await firstOfAll(limit, order, ask)
      const expected = all.flat().sort(order).slice(0, limit)
      expect(found.map(({ member, score }) => ({ member, score }))).toEqual(expected)
      for (const { partition, member } of found) {
        expect(all[partition]?.some((ranked) => ranked.member === member)).toBe(true)
      }
    }),
    { numRuns: 50 },
  )
})

test('rooms that are spread evenly are found by asking each partition once', async () => {
  let asked = 0
  const ask = async (partition: number, count: number): Promise<readonly Ranked[]> => {
    asked += 1
    const all = Array.from({ length: 100 }, (_, n) => ({ member: `${partition}`, score: n }))
    return all.slice(0, count)
  }
  expect(await firstOfAll(257, lowestFirst, ask)).toHaveLength(257)
  expect(asked).toBe(PARTITIONS)
})
