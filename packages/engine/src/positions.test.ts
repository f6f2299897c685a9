import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomGames } from '../test/random-game.ts'
import { shuffledLayout } from './layout.ts'
import { readJgs } from './notation/jgs-record.ts'
import { type GameRecord, recordOf } from './notation/record.ts'
import { type Positions, positionsOf } from './positions.ts'
import { SEATS } from './seat.ts'
import { traceRecord } from './trace.ts'

function sample(game: number): GameRecord {
  const path = new URL(`../test/data/samples/game-${game}.jgs`, import.meta.url)
  const read = readJgs(new Uint8Array(readFileSync(path)))
  if (!read.ok) throw new Error(read.error.message)
  return read.value
}

function positionsIn(record: GameRecord): Positions {
  const positions = positionsOf(record)
  if (!positions.ok) throw new Error(`action ${positions.error.n} is illegal`)
  return positions.value
}

describe('the positions of a record', () => {
  test('go from the start to its result, an action each', () => {
    const record = sample(4)
    const { last, actionAt, viewAt } = positionsIn(record)
    expect(last).toBe(record.actions.length)
    expect(actionAt(0)).toBeNull()
    expect(record.actions.map((_, n) => actionAt(n + 1))).toEqual(record.actions)
    expect(viewAt(0, 'truth')).toMatchObject({ turn: 0, toMove: 'east', result: null })
    expect(viewAt(last, 'truth')).toMatchObject({ toMove: null, result: record.result })
    expect(() => viewAt(last + 1, 'truth')).toThrow(`0 to ${last}`)
    expect(() => viewAt(-1, 'truth')).toThrow()
  })

  test('R-FLIP-1: of a flip game a seat is shown what lay open then, the truth all of it', () => {
    const layout = shuffledLayout(() => 0)
    const actions = ['flip c7', 'flip a1', 'flip e12']
    const { viewAt } = positionsIn({
      format: 'junqi-record/1',
      rules: { preset: 'flip', options: {} },
      layout,
      first: 'south',
      actions,
      result: null,
    })
    for (const n of [0, 1, 2, 3]) {
      for (const viewer of ['south', 'north', 'spectator'] as const) {
        const open = viewAt(n, viewer).pieces.filter(({ kind }) => kind !== 'hidden')
        expect(open.map(({ space }) => space).sort()).toEqual(
          actions
            .slice(0, n)
            .map((action) => action.slice(5))
            .sort(),
        )
        expect(viewAt(n, viewer).flip?.layout).toBeNull()
      }
      expect(viewAt(n, 'truth').pieces.filter(({ kind }) => kind === 'hidden')).toEqual([])
      expect(viewAt(n, 'truth').flip?.layout).toEqual(layout)
    }
  })

  test('R-SEE-1: a seat is shown what it saw then, and no more', () => {
    const { viewAt } = positionsIn(sample(3))
    for (const seat of SEATS) {
      const { pieces, formations } = viewAt(100, seat)
      for (const { id, kind } of pieces) {
        if (id.startsWith(seat)) expect(kind).not.toBe('hidden')
      }
      expect(pieces.some(({ kind }) => kind === 'hidden')).toBe(true)
      expect(
        Object.keys(formations).filter((other) => formations[other as typeof seat] !== null),
      ).toEqual([seat])
    }
    expect(viewAt(20, 'spectator').pieces.every(({ kind }) => kind === 'hidden')).toBe(true)
  })

  test('R-END-6: the truth shows everything at every position', () => {
    const record = sample(3)
    const { viewAt, last } = positionsIn(record)
    for (const n of [0, 57, 58, last]) {
      expect(viewAt(n, 'truth').pieces.every(({ kind }) => kind !== 'hidden')).toBe(true)
      expect(viewAt(n, 'truth').formations).toEqual(record.formations)
    }
    expect(viewAt(57, 'truth').pieces.map(({ id, space }) => [id, space])).toEqual(
      viewAt(57, 'east').pieces.map(({ id, space }) => [id, space]),
    )
  })

  test('say which action is illegal', () => {
    const record = { ...sample(3), actions: ['a1-a2'] }
    expect(positionsOf(record)).toEqual({ ok: false, error: { n: 1, action: 'a1-a2' } })
  })

  test('are those of the trace, in games of any rules', () => {
    fc.assert(
      fc.property(randomGames(60), ({ rules, started, steps }) => {
        const record = recordOf(rules, [started, ...steps.flatMap(({ events }) => events)])
        const { viewAt, eventsAt, last } = positionsIn(record)
        const rows = [...traceRecord(record, { views: true })]
        expect(last).toBe(rows.length)
        for (const row of rows) {
          if ('illegal' in row) throw new Error(row.action)
          const { toMove, quiet, pieces } = viewAt(row.n, 'south')
          expect([toMove, quiet, pieces.length]).toEqual([
            row.next,
            row.quiet,
            Object.keys(row.views?.south ?? {}).length,
          ])
          expect(eventsAt(row.n).filter(({ type }) => type === 'seatEliminated')).toHaveLength(
            row.eliminated.length,
          )
        }
      }),
      { numRuns: 40 },
    )
  })
})
