import { expect, test } from 'vitest'
import { MEASURES, type Measure, type Sample, trendOf } from './trend.ts'

const FLAT = {
  rooms: 40,
  heapBytes: 3e7,
  ownBytes: 8e7,
  descriptors: 30,
  loopDelayMs: 12,
  keys: 900,
}

/** A sample a minute, in which one measure is what `value` says. */
const samples = (count: number, measure: Measure, value: (minute: number) => number): Sample[] =>
  Array.from({ length: count }, (_, minute) => {
    return { minute, recentVisits: 1_000, ...FLAT, [measure]: value(minute) }
  })

test.each<[string, Measure, (minute: number) => number, boolean]>([
  ['a heap that stays', 'heapBytes', () => 3e7, false],
  ['a heap that goes up and down', 'heapBytes', (n) => 3e7 + (n % 2) * 4e7, false],
  ['a heap that grows at first', 'heapBytes', (n) => Math.min(n, 20) * 1e6, false],
  ['a heap that grows by a mebibyte a minute', 'heapBytes', (n) => 3e7 + n * 2 ** 20, true],
  ['memory that grows outside the heap', 'ownBytes', (n) => 8e7 + n * 5e6, true],
  ['a descriptor lost each minute', 'descriptors', (n) => 30 + n, true],
  ['a room kept each minute', 'rooms', (n) => 40 + 2 * n, true],
  ['keys while the first rooms are kept', 'keys', (n) => Math.min(n, 11) * 1000, false],
  ['keys that nobody takes away', 'keys', (n) => n * 400, true],
  ['a loop that is late once', 'loopDelayMs', (n) => (n === 50 ? 5000 : 12), false],
  ['a loop that is later and later', 'loopDelayMs', (n) => n * n, true],
])('F-C6: %s', (_, measure, value, isRising) => {
  const { judged, rising } = trendOf(samples(60, measure, value))
  expect(judged).toEqual(MEASURES)
  expect(rising).toEqual(isRising ? [expect.stringContaining(measure)] : [])
})

test('F-C6: keys that are more because more visits are made', () => {
  const hurried = samples(60, 'keys', (n) => 100 * n).map((sample) => {
    return { ...sample, recentVisits: 20 * sample.minute }
  })
  expect(trendOf(hurried).rising).toEqual([])
})

test('F-C6: of a few samples nothing is said', () => {
  expect(trendOf(samples(8, 'heapBytes', (n) => n * 1e9))).toEqual({ judged: [], rising: [] })
})
