import { expect, test } from 'vitest'
import { Pace } from './pace.ts'

test.each([
  { use: 0.1, after: 0, wait: 0 },
  { use: 0.6, after: 0, wait: 0 },
  { use: 0.9, after: 0, wait: 5 },
  { use: 0.9, after: 1, wait: 4 },
  { use: 0.9, after: 7, wait: -2 },
])('a loop in use for $use of its time waits $wait ms, $after ms after a commit', (row) => {
  let now = 1_000
  const pace = new Pace({ now: () => now, use: () => row.use, mark: () => {} })
  expect(pace.wait()).toBeLessThanOrEqual(0)
  pace.begin()
  now += row.after
  expect(pace.wait()).toBe(row.wait)
})
