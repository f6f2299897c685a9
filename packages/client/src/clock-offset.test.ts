import { expect, test } from 'vitest'
import { withAnswer } from './clock-offset.ts'

test('half the round trip is the way back', () => {
  expect(withAnswer(null, { sentAt: 100, receivedAt: 140, serverTime: 5020 })).toEqual({
    roundTrip: 40,
    offset: 4900,
  })
})

test('of several answers the quickest counts', () => {
  const quick = withAnswer(null, { sentAt: 100, receivedAt: 110, serverTime: 5000 })
  const slow = { sentAt: 200, receivedAt: 300, serverTime: 9999 }
  expect(withAnswer(quick, slow)).toBe(quick)
  expect(
    withAnswer(withAnswer(null, slow), { sentAt: 400, receivedAt: 402, serverTime: 1 }),
  ).toEqual({ roundTrip: 2, offset: -400 })
})
