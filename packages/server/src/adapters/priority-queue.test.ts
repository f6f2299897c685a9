import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PriorityQueue } from './priority-queue.ts'

test('a priority queue holds what a sorted list of the same keys holds', () => {
  const operation = fc.record({
    key: fc.nat(20),
    priority: fc.option(fc.nat(10), { nil: null }),
    bound: fc.nat(10),
    limit: fc.nat(8),
  })
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 100 }), (operations) => {
      const queue = new PriorityQueue<number>()
      const model = new Map<number, number>()
      for (const { key, priority, bound, limit } of operations) {
        if (priority === null) {
          queue.delete(key)
          model.delete(key)
        } else {
          queue.set(key, priority)
          model.set(key, priority)
        }
        const sorted = [...model]
          .map(([key, priority]) => ({ key, priority }))
          .sort((a, b) => a.priority - b.priority || a.key - b.key)
        expect(queue.size).toBe(sorted.length)
        expect(queue.first()).toEqual(sorted[0])
        expect(queue.upTo(bound, limit)).toEqual(
          sorted.filter((item) => item.priority <= bound).slice(0, limit),
        )
      }
    }),
  )
})
