import { boardOf, PRESETS, SEATS, type Seat } from '@junqi/engine'
import { describe, expect, test } from 'vitest'
import { DUEL_CELL, layoutBoard, sideOf, spaceTowards, strokeAlong, TALL, WIDE } from './layout.ts'

const SIGUO = boardOf(PRESETS.siguo)
const DUEL = boardOf(PRESETS.duel)

describe('the own side is at the bottom, and right-hand neighbours are at the right', () => {
  test.each(SEATS.map((seat) => [seat]))('for %s', (bottom) => {
    const layout = layoutBoard(SIGUO, { bottom, cell: WIDE })
    const middleOf = (seat: Seat) => {
      const points = (SIGUO.homes[seat] ?? []).flatMap(
        (index) => layout.points.get(SIGUO.spaces[index] ?? '') ?? [],
      )
      const sum = (of: 'x' | 'y') => points.reduce((total, point) => total + point[of], 0)
      return { x: sum('x') / points.length, y: sum('y') / points.length }
    }
    for (const seat of SEATS) {
      const { x, y } = middleOf(seat)
      const [dx, dy] = [x / layout.width - 0.5, y / layout.height - 0.5]
      const side =
        Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? 'right' : 'left') : dy > 0 ? 'bottom' : 'top'
      expect(side).toBe(sideOf(seat, bottom))
    }
    const next = SEATS[(SEATS.indexOf(bottom) + 1) % SEATS.length] ?? 'south'
    expect(sideOf(next, bottom)).toBe('right')
  })
})

test('every space has a point of its own inside the drawing', () => {
  for (const cell of [WIDE, TALL]) {
    for (const bottom of SEATS) {
      const { points, width, height } = layoutBoard(SIGUO, { bottom, cell })
      expect(points.size).toBe(129)
      expect(new Set([...points.values()].map(({ x, y }) => `${x},${y}`)).size).toBe(129)
      for (const { x, y } of points.values()) {
        expect(x > 0 && x < width && y > 0 && y < height).toBe(true)
      }
    }
  }
})

test('R-BOARD-3: the fronts of the duel board stand apart, with the mountains between them', () => {
  const { points } = layoutBoard(DUEL, { bottom: 'south', cell: DUEL_CELL })
  const y = (space: string) => points.get(space)?.y ?? 0
  expect(y('a6') - y('a7')).toBeGreaterThan(y('a5') - y('a6'))
  const turned = layoutBoard(DUEL, { bottom: 'north', cell: DUEL_CELL }).points
  expect(turned.get('a12')?.y).toBe(points.get('e1')?.y)
})

test.each([
  ['g6', 'up', 'g7'],
  ['g7', 'left', 'f7'],
  ['h6', 'up', 'g7'],
  ['i9', 'right', 'k9'],
  ['k9', 'right', 'l9'],
  ['a7', 'left', null],
] as const)('from %s an arrow %s leads to %s', (from, direction, to) => {
  const layout = layoutBoard(SIGUO, { bottom: 'south', cell: WIDE })
  expect(spaceTowards(layout, from, direction)).toBe(to)
})

test('arrow keys lead to every space of both boards', () => {
  for (const [board, cell] of [
    [SIGUO, WIDE],
    [DUEL, DUEL_CELL],
  ] as const) {
    const layout = layoutBoard(board, { bottom: 'south', cell })
    const found = new Set([board.spaces[0] ?? ''])
    for (const space of found) {
      for (const direction of ['up', 'down', 'left', 'right'] as const) {
        const next = spaceTowards(layout, space, direction)
        if (next !== null) found.add(next)
      }
    }
    expect(found.size).toBe(board.spaces.length)
  }
})

test('R-BOARD-5: a curved railroad is drawn as an arc that leaves both its ends straight on', () => {
  const layout = layoutBoard(SIGUO, { bottom: 'south', cell: { width: 10, height: 10 } })
  expect(strokeAlong(layout, ['g5', 'g6', 'f7'])).toBe('M65 125L65 115Q65 105 55 105')
})
