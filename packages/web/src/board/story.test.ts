import { PRESETS, type PublicEvent } from '@junqi/engine'
import { describe, expect, test } from 'vitest'
import { tellStory } from './story.ts'
import { wayOf } from './way.ts'

const SIGUO = PRESETS.siguo
const nothing = () => false

describe('R-FIGHT-7: the way of a move follows from what everyone sees', () => {
  test.each([
    ['a road', 'h5', 'h4', [], ['h5', 'h4']],
    ['a straight railroad', 'g6', 'g9', [], ['g6', 'g7', 'g9']],
    ['a curve', 'g5', 'e7', [], ['g5', 'g6', 'f7', 'e7']],
    ['a way that only engineers go', 'g6', 'i9', [], ['g6', 'g7', 'g9', 'i9']],
    ['past what stands in the way', 'g6', 'i9', ['g9'], ['g6', 'g7', 'i7', 'i9']],
  ] as const)('%s', (_, from, to, taken, way) => {
    const isTaken = (space: string) => taken.some((each) => each === space)
    expect(wayOf(SIGUO, isTaken, { from, to })).toEqual(way)
  })

  test('from spaces that are not there', () => {
    expect(wayOf(SIGUO, nothing, { from: 'a1', to: 'a2' })).toEqual(['a1', 'a2'])
  })
})

const moved = (from: string, to: string): PublicEvent => ({ type: 'pieceMoved', from, to })
const attacked = (
  from: string,
  to: string,
  outcome: 'attackerWins' | 'defenderWins' | 'bothRemoved' | 'repelled',
): PublicEvent => ({ type: 'pieceAttacked', from, to, outcome })

test('a story tells whose move it was, what was lost, and what has moved', () => {
  const {
    lines,
    lost,
    moved: hasMoved,
    lastMove,
  } = tellStory(SIGUO, 'south', [
    moved('g6', 'g7'),
    attacked('g7', 'f7', 'attackerWins'),
    attacked('f7', 'e7', 'defenderWins'),
  ])
  expect(lines.map((line) => ('seat' in line ? line.seat : null))).toEqual([
    'south',
    'south',
    'south',
  ])
  expect(lost).toEqual({ south: 1, east: 0, north: 0, west: 1 })
  expect([...hasMoved]).toEqual(['south:g6'])
  expect(lastMove).toEqual({ seat: 'south', to: 'e7', way: ['f7', 'e7'], outcome: 'defenderWins' })
})

test('it names the pieces that fell', () => {
  const { lines } = tellStory(SIGUO, 'south', [
    attacked('g6', 'f7', 'attackerWins'),
    attacked('f7', 'e7', 'defenderWins'),
    attacked('d7', 'g5', 'bothRemoved'),
    attacked('h6', 'h7', 'repelled'),
  ])
  expect(lines.map((line) => 'fallen' in line && line.fallen)).toEqual([
    ['west:f7'],
    ['south:g6'],
    ['west:d7', 'south:g5'],
    [],
  ])
})

test.each([
  ['nothing yet', [], []],
  ['a move', [moved('g6', 'g7'), moved('g7', 'g6')], ['move']],
  [
    'an attack in which a field marshal falls and an army goes out',
    [
      moved('g6', 'g7'),
      attacked('g7', 'f7', 'bothRemoved'),
      { type: 'flagRevealed', seat: 'west', space: 'a8' },
      { type: 'seatEliminated', seat: 'west', reason: 'noMoves' },
    ],
    ['move', 'flag', 'out'],
  ],
  [
    'resigning, which does not follow from the move before',
    [moved('g6', 'g7'), { type: 'seatEliminated', seat: 'west', reason: 'resigned' }],
    ['out'],
  ],
] as readonly [string, readonly PublicEvent[], readonly string[]][])(
  'the news are the last thing done, with what came of it: %s',
  (_, history, types) => {
    expect(tellStory(SIGUO, 'south', history).news.map(({ type }) => type)).toEqual(types)
  },
)

test('a repelled attack moves nothing, and an army that is out leaves the board', () => {
  const {
    lost,
    moved: hasMoved,
    lines,
  } = tellStory(SIGUO, 'south', [
    attacked('g6', 'f7', 'repelled'),
    { type: 'seatEliminated', seat: 'west', reason: 'resigned' },
    moved('g6', 'f7'),
  ])
  expect(lost.west).toBe(0)
  expect([...hasMoved]).toEqual(['south:g6'])
  expect(lines.at(-1)).toMatchObject({ seat: 'south', outcome: null, attacked: null })
})

test('R-OUT-2: a move is drawn along where an army stood that is out', () => {
  const { lastMove } = tellStory(SIGUO, 'south', [
    moved('g6', 'g7'),
    { type: 'seatEliminated', seat: 'west', reason: 'resigned' },
    moved('g5', 'e7'),
  ])
  expect(lastMove?.way).toEqual(['g5', 'g6', 'f7', 'e7'])
})

test('R-FLIP-1: in a flip game the turn tells whose move it was', () => {
  const { lines, lastMove, lost } = tellStory(PRESETS.flip, 'north', [
    { type: 'pieceFlipped', space: 'a1', colour: 'r', kind: 'engineer' },
    { type: 'coloursKnown', colours: { north: 'r', south: 'b' } },
    { type: 'turnSkipped', seat: 'south' },
    attacked('a1', 'a2', 'bothRemoved'),
    { type: 'pieceFlipped', space: 'c6', colour: 'b', kind: 'bomb' },
  ])
  expect(lines.map((line) => ('seat' in line ? line.seat : line.type))).toEqual([
    'north',
    'colours',
    'south',
    'north',
    'south',
  ])
  expect(lost).toMatchObject({ north: 1, south: 1 })
  expect(lastMove).toEqual({ seat: 'south', to: 'c6', way: ['c6'], outcome: null })
})
