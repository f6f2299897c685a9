import { expect, test } from 'vitest'
import { systemRng } from './system-rng.ts'

test('the system gives as many bytes as asked for, and others each time', () => {
  expect(systemRng.bytes(32)).toHaveLength(32)
  expect(systemRng.bytes(32)).not.toEqual(systemRng.bytes(32))
})

test('the random number is at least 0, below 1 and spread over all of it', () => {
  const numbers = Array.from({ length: 10_000 }, () => systemRng.random())
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...numbers)).toBeLessThan(1)
  for (let tenth = 0; tenth < 10; tenth++) {
    const count = numbers.filter((number) => Math.floor(number * 10) === tenth).length
    expect(count).toBeGreaterThan(700)
  }
})
