import { describe, expect, test } from 'vitest'
import { growthOf, type Measures, moveOver } from './growth.ts'

const measures: Measures = {
  moveAtOne: 100,
  moveAtTwo: 150,
  redisMove: 20,
  accept: 500,
  connection: 10,
  room: 50,
  game: 60,
  moveBytes: 150,
}

describe('growth', () => {
  test.each([
    [1, 100],
    [2, 150],
    [4, 250],
    [100, 250],
  ])(
    'a move over %d nodes costs %d us: a room has four seats, and no more followers',
    (nodes, us) => {
      expect(moveOver(nodes, measures)).toBe(us)
    },
  )

  test.each([
    [1000, 2, 'two, for safety'],
    [100_000, 7, 'connections'],
    [1_000_000, 67, 'connections'],
  ])('%d players take %d nodes, bound by %s', (players, nodes, boundBy) => {
    expect(growthOf(players, measures)).toMatchObject({ nodes, boundBy })
  })

  test('where moves are dear, they bind: half of each core is for them', () => {
    const dear = { ...measures, moveAtOne: 1000, moveAtTwo: 2000 }
    expect(growthOf(100_000, dear)).toMatchObject({ nodes: 41, boundBy: 'moves' })
  })

  test('a million players make 50,000 moves a second, which masters share', () => {
    expect(growthOf(1_000_000, measures)).toMatchObject({ movesPerSecond: 50_000, masters: 2 })
  })
})
