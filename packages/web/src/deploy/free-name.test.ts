import { expect, test } from 'vitest'
import { freeName } from './free-name.ts'

test.each([
  [[], 'Formation 1'],
  [['Formation 1', 'Formation 3'], 'Formation 2'],
  [['attack', 'Formation 1', 'Formation 2'], 'Formation 3'],
])('beside %j the next is %s', (taken, name) => {
  expect(freeName(taken, (n) => `Formation ${n}`)).toBe(name)
})
