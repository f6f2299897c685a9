import { describe, expect, test } from 'vitest'
import { rulesOf } from '../test/game-at.ts'
import { randomFrom } from '../test/random-game.ts'
import { problemOfLayout, shuffledLayout, symbolOf } from './layout.ts'
import { newGame } from './new-game.ts'
import { boardOf } from './rules/ground.ts'
import { SEATS } from './seat.ts'
import { viewGame } from './view/view-game.ts'

const FLIP = rulesOf('flip')
const LAYOUT = shuffledLayout(randomFrom(1))
const START = newGame(FLIP, { type: 'gameStarted', formations: {}, layout: LAYOUT, first: 'north' })

test('R-FLIP-1: both armies, each layout as likely as any other', () => {
  const random = randomFrom(2)
  const rounds = 20_000
  const found = new Map<string, number>()
  for (let n = 0; n < rounds; n++) {
    for (const [place, symbol] of shuffledLayout(random).entries()) {
      const key = `${symbol} ${place}`
      found.set(key, (found.get(key) ?? 0) + 1)
    }
  }
  expect(problemOfLayout(LAYOUT)).toBe(null)
  for (const symbol of new Set(LAYOUT)) {
    const share = LAYOUT.filter((other) => other === symbol).length / LAYOUT.length
    const expected = rounds * share
    const sigma = Math.sqrt(rounds * share * (1 - share))
    for (const place of LAYOUT.keys()) {
      const count = found.get(`${symbol} ${place}`) ?? 0
      expect(Math.abs(count - expected) / sigma, `${symbol} on place ${place}`).toBeLessThan(6)
    }
  }
})

test('R-FLIP-1: all lie face down on posts and headquarters, nobody’s, named by their spaces', () => {
  const { spaces, kinds } = boardOf(FLIP)
  for (const [index, piece] of START.pieces.entries()) {
    if (kinds[index] === 'camp') expect(piece).toBe(null)
    else expect(piece).toMatchObject({ id: `@${spaces[index]}`, seat: null, shown: false })
  }
  expect(START.pieces.filter((piece) => piece !== null)).toHaveLength(50)
})

test('R-FLIP-10: a layout goes by rows 1 to 12 and columns a to e, camps left out', () => {
  const symbolOn = (space: string) => {
    const piece = START.pieces[boardOf(FLIP).indexOf.get(space) ?? -1]
    return piece?.colour && symbolOf({ colour: piece.colour, kind: piece.kind })
  }
  const told = new Map([
    ['a1', 0],
    ['e1', 4],
    ['a2', 5],
    ['a3', 10],
    ['c3', 11],
    ['e3', 12],
    ['a4', 13],
    ['d4', 15],
    ['a6', 20],
    ['a7', 25],
    ['a10', 37],
    ['e12', 49],
  ])
  for (const [space, place] of told) expect(symbolOn(space), space).toBe(LAYOUT[place])
})

test('R-FLIP-1, R-SEE-6: a face-down piece shows its space and nothing else, to anyone', () => {
  for (const viewer of [...SEATS, 'spectator'] as const) {
    const view = viewGame(START, viewer)
    expect(view.pieces).toHaveLength(50)
    for (const piece of view.pieces) {
      expect(piece).toEqual({
        id: `@${piece.space}`,
        space: piece.space,
        kind: 'hidden',
        colour: null,
      })
    }
    expect(view.flip?.layout).toBe(null)
    expect(Object.values(view.formations)).toEqual([null, null, null, null])
  }
})

describe('R-FLIP-10: a layout that is none', () => {
  test.each<[string, readonly unknown[], string]>([
    ['too short', LAYOUT.slice(1), 'a layout is 50 of r or b and one of 987654321BLF, such as r9'],
    ['no symbol', ['r0', ...LAYOUT.slice(1)], 'a layout is 50 of r or b'],
    ['no colour', ['S9', ...LAYOUT.slice(1)], 'a layout is 50 of r or b'],
    ['no text', [9, ...LAYOUT.slice(1)], 'a layout is 50 of r or b'],
    [
      'one too many',
      LAYOUT.map((symbol) => (symbol === 'b9' ? 'r9' : symbol)),
      'a layout has 1 of r9 (司令, field marshal); this one has 2',
    ],
  ])('%s', (_, layout, problem) => {
    expect(problemOfLayout(layout)).toContain(problem)
  })
})
