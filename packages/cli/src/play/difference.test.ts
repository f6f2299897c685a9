import { expect, test } from 'vitest'
import { differenceOf } from './difference.ts'

test.each([
  [1, 1],
  [{ a: [1, { b: null }] }, { a: [1, { b: null }] }],
  [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ],
])('%j and %j do not differ', (expected, actual) => {
  expect(differenceOf(expected, actual)).toBeNull()
})

test.each([
  [1, 2, 'expected 1, got 2'],
  [{ a: 1 }, { a: '1' }, 'a: expected 1, got "1"'],
  [{ a: [1, 2] }, { a: [1, 3] }, 'a.1: expected 2, got 3'],
  [{ a: [1, 2] }, { a: [1] }, 'a.1: expected 2, got nothing'],
  [{ a: [1] }, { a: [1, { b: 2 }] }, 'a.1: expected nothing, got {"b":2}'],
  [{ a: 1 }, { a: 1, b: null }, 'b: expected nothing, got null'],
  [{ a: null }, { a: {} }, 'a: expected null, got {}'],
  [{ a: [] }, { a: {} }, 'a: expected [], got {}'],
])('%j and %j differ: %s', (expected, actual, sentence) => {
  expect(differenceOf(expected, actual)).toBe(sentence)
})

test('of a long value it shows the beginning', () => {
  const difference = differenceOf(null, { a: 'x'.repeat(1000) })
  expect(difference).toMatch(/^expected null, got \{"a":"x{190,}…$/)
})
