import { CLOSE_CODES, formatRetryHint } from '@junqi/protocol'
import { describe, expect, test } from 'vitest'
import { backoffDelay, reconnectDelay } from './backoff.ts'

const low = () => 0
const high = () => 0.999999

describe('F-R9: when a client comes back', () => {
  test.each([
    [0, 100, 200],
    [1, 200, 400],
    [2, 400, 800],
    [6, 6_400, 12_800],
    [7, 10_000, 20_000],
    [1_000_000, 10_000, 20_000],
  ])('attempt %i waits from %i to %i ms', (attempt, least, most) => {
    expect(backoffDelay(attempt, low)).toBe(least)
    expect(backoffDelay(attempt, high)).toBeCloseTo(most, 0)
  })

  test.each([
    [0, 200],
    [2, 800],
    [3, 1_000],
    [1_000_000, 1_000],
  ])('with a seat in a game, attempt %i waits at most %i ms', (attempt, most) => {
    expect(backoffDelay(attempt, high, 'urgent')).toBeCloseTo(most, 0)
    expect(reconnectDelay({ code: 1006, reason: '' }, attempt, high, 'urgent')).toBeCloseTo(most, 0)
  })

  const hint = formatRetryHint(350)
  test.each([
    ['no: never', 1000, '', 0, null],
    ['no: never, whatever the reason says', 4401, hint, 0, null],
    ['hint: when the server says', 1012, hint, 0, 350],
    ['hint: later, when it was tried before', 1012, hint, 3, 800],
    ['hint: never sooner than the server says', 1012, formatRetryHint(5_000), 3, 5_000],
    ['hint: as any other, when the server says nothing', 1012, '', 0, 100],
    ['backoff', 1013, '', 1, 200],
    ['a network that broke', 1006, '', 0, 100],
    ['a code that nobody knows', 4999, '', 0, 100],
  ])('%s', (_, code, reason, attempt, delay) => {
    expect(reconnectDelay({ code, reason }, attempt, low)).toBe(delay)
  })

  test('every code of the table that says no is final, every other is not', () => {
    for (const [code, { retry }] of Object.entries(CLOSE_CODES)) {
      const delay = reconnectDelay({ code: Number(code), reason: '' }, 0, low)
      expect(delay === null, code).toBe(retry === 'no')
    }
  })
})
