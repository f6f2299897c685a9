import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { BOARDS, type GameRecord, parseRecord, perft, traceRecord } from '../src/index.ts'

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`./data/${name}.json`, import.meta.url), 'utf8'))

function recordOf(json: unknown): GameRecord {
  const parsed = parseRecord(json)
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.value
}

interface TraceVector {
  readonly record: GameRecord
  readonly trace: readonly { readonly views?: unknown }[]
}

interface PerftVector {
  readonly record: GameRecord
  readonly counts: readonly number[]
}

const traces: readonly TraceVector[] = read('traces')
const flipTraces: readonly TraceVector[] = read('flip-traces')
const perfts: readonly PerftVector[] = read('perft')
const named = ({ record }: { readonly record: GameRecord }, i: number) =>
  `${i}: ${record.rules.preset} ${JSON.stringify(record.rules.options)}`

test('R-BOARD-3, R-BOARD-4: both boards are those of the vectors', () => {
  expect(BOARDS).toEqual(read('boards'))
})

describe('the trace of a record equals the vector, views included', () => {
  test.each(traces.map((vector, i) => [named(vector, i), vector] as const))('%s', (_, vector) => {
    const rows = [...traceRecord(recordOf(vector.record), { views: true })]
    const wanted = rows.map((row, i) => {
      if (vector.trace[i]?.views !== undefined || !('views' in row)) return row
      const { views: _views, ...rest } = row
      return rest
    })
    expect(JSON.stringify(wanted)).toBe(JSON.stringify(vector.trace))
  })
})

describe('R-FLIP-10: the trace of a flip game equals the vector', () => {
  test.each(flipTraces.map((vector, i) => [named(vector, i), vector] as const))(
    '%s',
    (_, vector) => {
      const rows = [...traceRecord(recordOf(vector.record), { views: false })]
      expect(JSON.stringify(rows)).toBe(JSON.stringify(vector.trace))
    },
  )
})

describe('perft equals the vector', () => {
  test.each(perfts.map((vector, i) => [named(vector, i), vector] as const))('%s', (_, vector) => {
    const record = recordOf(vector.record)
    expect(vector.counts.map((_, i) => perft(record, i + 1))).toEqual(vector.counts)
  })
})
