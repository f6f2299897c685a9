import { expect, test } from 'vitest'
import { formatChange, formatRating, formatRatingChange } from './numbers.ts'

test.each([
  [2, '+2'],
  [-1, '−1'],
  [0, '±0'],
])('a change by %d is %s', (delta, text) => {
  expect(formatChange(delta)).toBe(text)
})

test.each([
  [2.65432, '2.7'],
  [-0.27, '−0.3'],
])('a rating of %d is %s', (ordinal, text) => {
  expect(formatRating(ordinal)).toBe(text)
})

test.each([
  [1.26, '+1.3'],
  [-0.02, '±0'],
])('a rating that changed by %d did by %s', (delta, text) => {
  expect(formatRatingChange(delta)).toBe(text)
})
