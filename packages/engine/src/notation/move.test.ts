import { expect, test } from 'vitest'
import { formatMove, parseMove, parseSpace } from './move.ts'

test.each(['a1', 'q17', 'g6', 'e12'])('the space %s is read', (text) => {
  expect(parseSpace(text)).toEqual({ ok: true, value: text })
})

test.each(['', 'g', 'g0', 'g18', 'r1', 'G6', 'g06', ' g6', 'g6 ', '6g'])(
  '%j is no space',
  (text) => {
    expect(parseSpace(text).ok).toBe(false)
  },
)

test('a move is read and written', () => {
  expect(parseMove('g6-l11')).toEqual({ ok: true, value: { from: 'g6', to: 'l11' } })
  expect(formatMove({ from: 'g6', to: 'l11' })).toBe('g6-l11')
})

test.each(['g6', 'g6-', '-g6', 'g6-g7-g8', 'g6 g7', 'g6--g7', 'g6-z9'])('%j is no move', (text) => {
  expect(parseMove(text).ok).toBe(false)
})
