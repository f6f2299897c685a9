import { expect, test } from 'vitest'
import { play, rulesOf, startedGame } from '../../test/game-at.ts'
import { chooseFirst } from './turn-order.ts'

/** Who is to move after each of some skipped turns. */
function order(rules: ReturnType<typeof rulesOf>, skips: number): string {
  let state = startedGame(rules)
  const seats: (string | null)[] = []
  for (let i = 0; i < skips; i++) {
    seats.push(state.toMove)
    state = play(state, `timeout ${state.toMove}`).state
  }
  return seats.join(' ')
}

test('R-TURN-1: counterclockwise, to the right-hand neighbour', () => {
  expect(order(rulesOf('siguo'), 5)).toBe('south east north west south')
  expect(order(rulesOf('sanguo'), 4)).toBe('south east west south')
  expect(order(rulesOf('duel'), 3)).toBe('south north south')
})

test('R-TURN-1: turnOrder clockwise', () => {
  expect(order(rulesOf('siguo', { turnOrder: 'clockwise' }), 5)).toBe('south west north east south')
})

test('R-TURN-1: seats that are out are passed over, the one to move too', () => {
  const { state } = play(startedGame(rulesOf('siguo-table')), 'leave east', 'timeout south')
  expect(state.toMove).toBe('north')
  const { state: after } = play(startedGame(rulesOf('siguo-table')), 'leave south')
  expect([after.toMove, after.turn]).toEqual(['east', 0])
})

test('R-TURN-2: the first seat is the named one, or any of the game', () => {
  const rules = rulesOf('siguo-duel')
  expect(chooseFirst(rulesOf('siguo', { firstSeat: 'west' }), () => 0.9)).toBe('west')
  expect([0, 0.4, 0.5, 0.999].map((number) => chooseFirst(rules, () => number))).toEqual([
    'south',
    'south',
    'north',
    'north',
  ])
})
