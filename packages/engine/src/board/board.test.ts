import { describe, expect, test } from 'vitest'
import { rulesOf } from '../../test/game-at.ts'
import { boardOf } from '../rules/ground.ts'
import { SEATS } from '../seat.ts'
import type { Board } from './board.ts'
import { BOARDS } from './describe-board.ts'

const DUEL = boardOf(rulesOf('duel'))
const SIGUO = boardOf(rulesOf('siguo'))
const BOTH = [
  ['duel', DUEL],
  ['siguo', SIGUO],
] as const

const nameOf = (board: Board, index: number) => board.spaces[index] ?? ''

/** `g6=g7` a railroad, `g6-g7` a road, null no link. */
function linkBetween(board: Board, one: string, other: string): string | null {
  const [a, b] = [one, other].map((name) => board.indexOf.get(name))
  const link = board.links.find(
    (each) => (each.a === a && each.b === b) || (each.a === b && each.b === a),
  )
  if (link === undefined) return null
  return link.railroad ? 'railroad' : 'road'
}

test.each(BOTH)(
  'R-BOARD-1: every territory of %s has 25 places for pieces and 5 camps',
  (_, board) => {
    for (const seat of SEATS) {
      const home = board.homes[seat]
      if (home === undefined) continue
      expect(new Set(home).size).toBe(25)
      expect(home.filter((index) => board.kinds[index] === 'headquarters')).toHaveLength(2)
      expect(home.filter((index) => board.kinds[index] === 'post')).toHaveLength(23)
    }
    const camps = board.kinds.filter((kind) => kind === 'camp')
    expect(camps).toHaveLength(5 * Object.keys(board.homes).length)
  },
)

test.each([
  ['south', 'g6', 'k6', 'k1', 'h1'],
  ['east', 'l7', 'l11', 'q11', 'q8'],
  ['north', 'k12', 'g12', 'g17', 'j17'],
  ['west', 'f11', 'f7', 'a7', 'a10'],
] as const)(
  'R-BOARD-1: %s sees its front row from its left to its right',
  (seat, leftFront, rightFront, rightBack, leftHeadquarters) => {
    const home = (SIGUO.homes[seat] ?? []).map((index) => nameOf(SIGUO, index))
    expect([home[0], home[4], home[24], home[21]]).toEqual([
      leftFront,
      rightFront,
      rightBack,
      leftHeadquarters,
    ])
  },
)

test.each([
  ['a1', 'a2', 'road'],
  ['a2', 'b2', 'railroad'],
  ['a2', 'a3', 'railroad'],
  ['b3', 'b4', 'road'],
  ['b3', 'a2', 'road'],
  ['b3', 'c4', 'road'],
  ['c3', 'd4', null],
  ['a1', 'b2', null],
  ['c3', 'c4', 'road'],
] as const)('R-BOARD-2: between %s and %s there is: %s', (one, other, link) => {
  expect(linkBetween(DUEL, one, other)).toBe(link)
})

test('R-BOARD-3: the duel board has 60 spaces, 98 roads and 35 railroads; mountains bar b and d', () => {
  expect(DUEL.spaces).toHaveLength(60)
  expect(DUEL.links.filter(({ railroad }) => !railroad)).toHaveLength(98)
  expect(DUEL.links.filter(({ railroad }) => railroad)).toHaveLength(35)
  const fronts = ['a', 'b', 'c', 'd', 'e'].map((c) => linkBetween(DUEL, `${c}6`, `${c}7`))
  expect(fronts).toEqual(['railroad', null, 'railroad', null, 'railroad'])
})

test('R-BOARD-4: the siguo board has 129 spaces, 196 roads and 92 railroads', () => {
  expect(SIGUO.spaces).toHaveLength(129)
  expect(SIGUO.links.filter(({ railroad }) => !railroad)).toHaveLength(196)
  expect(SIGUO.links.filter(({ railroad }) => railroad)).toHaveLength(92)
  expect(linkBetween(SIGUO, 'g7', 'g9')).toBe('railroad')
  expect(linkBetween(SIGUO, 'h6', 'g7')).toBe(null)
})

test('R-BOARD-5: four curved railroads join neighbours past the corners of the center', () => {
  const curves = SIGUO.links.filter(({ curved }) => curved)
  expect(curves.map(({ a, b }) => `${nameOf(SIGUO, a)} ${nameOf(SIGUO, b)}`)).toEqual([
    'f11 g12',
    'f7 g6',
    'k12 l11',
    'k6 l7',
  ])
  expect(DUEL.links.some(({ curved }) => curved)).toBe(false)
})

describe('R-BOARD-6: the lines to follow without turning', () => {
  test.each([
    ['duel', [2, 5, 5, 5, 5, 10, 10]],
    ['siguo', [...Array(10).fill(5), 10, 10, 10, 10, 13, 13, 13, 13]],
  ] as const)('R-BOARD-6: %s has lines of these lengths', (name, lengths) => {
    const sorted = BOARDS[name].lines.map((line) => line.length).sort((a, b) => a - b)
    expect(sorted).toEqual(lengths)
  })

  test('R-BOARD-6: a curve line leads from column to column past the corner', () => {
    expect(BOARDS.siguo.lines).toContainEqual([
      'g2',
      'g3',
      'g4',
      'g5',
      'g6',
      'f7',
      'e7',
      'd7',
      'c7',
      'b7',
    ])
  })

  test.each(BOTH)('R-BOARD-6: the railroads of %s are the neighbours on its lines', (_, board) => {
    const onLines = board.lines.flatMap(({ spaces }) =>
      spaces.slice(1).map((space, i) => [space, spaces[i] ?? -1].sort((a, b) => a - b).join()),
    )
    const railroads = board.links.filter((l) => l.railroad).map(({ a, b }) => `${a},${b}`)
    expect([...new Set(onLines)].sort()).toEqual(railroads.sort())
  })
})

test('R-BOARD-7: a closed territory is not there, nor what leads through it', () => {
  const closed = boardOf(rulesOf('siguo-duel', { emptyTerritory: 'closed' }))
  expect(closed.spaces).toHaveLength(129 - 60)
  expect(Object.keys(closed.homes)).toEqual(['south', 'north'])
  expect(closed.links.some(({ curved }) => curved)).toBe(false)
  const lines = closed.lines.map(({ spaces }) => spaces.map((index) => nameOf(closed, index)))
  expect(lines).toContainEqual(['g7', 'i7', 'k7'])
  expect(boardOf(rulesOf('siguo-duel')).spaces).toHaveLength(129)
})
