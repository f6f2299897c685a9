import { describe, expect, test } from 'vitest'
import type { RowName } from './budgets.ts'
import { formatNumber, formatRow, judge, measured } from './report.ts'
import { median, percentile } from './statistics.ts'

describe('statistics', () => {
  test.each([
    ['of an odd count the middle value', [3, 1, 2], 2],
    ['of an even count the mean of the two in the middle', [4, 1, 3, 2], 2.5],
    ['one value', [7], 7],
  ])('the median is %s', (_, values, expected) => {
    expect(median(values)).toBe(expected)
  })

  test('a percentile is a value that was measured', () => {
    const hundred = Array.from({ length: 100 }, (_, i) => i + 1)
    expect([0, 0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([1, 51, 100, 100])
  })
})

describe('a row is judged by its median', () => {
  const cases: readonly [string, RowName, number[], number[], string][] = [
    ['a ratio at its limit is met', 'cpu-lmdb', [90, 91, 92], [1.4, 1.5, 1.9], 'met'],
    ['a ratio above it is not', 'cpu-lmdb', [90, 91, 92], [1.4, 1.51, 1.6], 'not met'],
    ['what has to be reached is met from the limit on', 'saturation', [9], [0.65], 'met'],
    ['and not met below it', 'saturation', [9], [0.64], 'not met'],
    ['without a yardstick the figure counts', 'move-bytes', [151], [], 'not met'],
    ['what is only reported never fails', 'cross-node', [500], [], 'report'],
  ]
  test.each(cases)('%s', (_, row, figures, ratios, verdict) => {
    expect(judge(measured(row, figures, ratios)).verdict).toBe(verdict)
  })

  test('what could not be measured says why, and is not met', () => {
    const row = judge({ row: 'cpu-redis', why: 'there is no redis-server here' })
    expect(row).toMatchObject({ verdict: 'not measured', note: 'there is no redis-server here' })
    expect(formatRow(row)).toContain('[there is no redis-server here]')
  })
})

test.each([
  [1234.5, '1,235'],
  [99.94, '99.9'],
  [1.234, '1.23'],
  [Number.NaN, '-'],
])('%d is printed as %s', (value, text) => {
  expect(formatNumber(value)).toBe(text)
})
