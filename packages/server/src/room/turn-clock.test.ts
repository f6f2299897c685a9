import { expect, test } from 'vitest'
import { bankAfterMove, deploymentDeadline, fullBank, turnDeadline } from './turn-clock.ts'

const rules = { turnSeconds: 30, bankSeconds: 120, deploymentSeconds: 180 }
const START = 1_000_000

test('R-OUT-4: a turn ends after turnSeconds and what is left of the bank', () => {
  expect(turnDeadline(rules, START, 0)).toBe(START + 30_000)
  expect(turnDeadline(rules, START, 4_500)).toBe(START + 34_500)
})

test.each([
  ['at once', 0, 120_000],
  ['received before the turn began', -5, 120_000],
  ['with the last of turnSeconds', 30_000, 120_000],
  ['a millisecond later', 30_001, 119_999],
  ['after half the bank', 90_000, 60_000],
  ['with the last of the bank', 150_000, 0],
])('R-OUT-4: a move %s takes from the bank what goes beyond turnSeconds', (_, elapsed, left) => {
  const turn = { startedAt: START, receivedAt: START + elapsed }
  expect(bankAfterMove(rules, turn, fullBank(rules))).toBe(left)
})

test('R-DEPLOY-7: deployment ends after deploymentSeconds', () => {
  expect(deploymentDeadline(rules, START)).toBe(START + 180_000)
})
