import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect } from 'vitest'
import {
  formatFormation,
  formatRecord,
  type GameRecord,
  parseFormation,
  parseRecord,
  readJgs,
  readJql,
  replayRecord,
  traceRecord,
  writeJgs,
  writeJql,
} from '../src/index.ts'

const data = new URL('./data/', import.meta.url)
const bytesOf = (path: string): Uint8Array => new Uint8Array(readFileSync(new URL(path, data)))
const namesIn = (folder: string): readonly string[] =>
  readdirSync(new URL(folder, data)).map((name) => folder + name)

/** What once was read wrongly, or took too long, or looks as if it could be. */
export const CORPUS: readonly string[] = namesIn('corpus/')
const SAMPLES = namesIn('samples/').map(bytesOf)
const RECORDS = SAMPLES.flatMap((bytes) => {
  const read = readJgs(bytes)
  return read.ok ? [formatRecord(read.value)] : []
})

export const corpusFile = (path: string): Uint8Array => bytesOf(path)

type Change = readonly [at: number, cut: number, inserted: readonly number[]]
const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.tuple(
    fc.nat(),
    fc.oneof({ weight: 5, arbitrary: fc.constantFrom(0, 1) }, fc.nat({ max: 500 })),
    fc.array(fc.nat(255), { maxLength: 4 }),
  ),
  { minLength: 1, maxLength: 4 },
)

/** A real file in which a few bytes are others, are gone, or stand there besides. */
const files = fc
  .tuple(
    fc.constantFrom(...SAMPLES, ...RECORDS.map((text) => new TextEncoder().encode(text))),
    changes,
  )
  .map(([bytes, list]) =>
    list.reduce<Uint8Array>((made, [at, cut, inserted]) => {
      const place = at % (made.length + 1)
      return new Uint8Array([...made.slice(0, place), ...inserted, ...made.slice(place + cut)])
    }, bytes),
  )

/** A real record in whose JSON one value is another, or some actions are. */
const records = fc
  .tuple(
    fc.constantFrom(...RECORDS),
    fc.nat(),
    fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(
        'g6-g7',
        'timeout east',
        'draw agreed',
        'flip a1',
        1e308,
        '__proto__',
        'x'.repeat(5000),
      ),
    ),
  )
  .map(([text, at, value]) => {
    let seen = 0
    const count = text.match(/[:[,]/g)?.length ?? 1
    const other = JSON.parse(text, (_, old: unknown) => (seen++ === at % count ? value : old))
    return new TextEncoder().encode(JSON.stringify(other))
  })

const texts = fc
  .string({ unit: 'binary', maxLength: 60 })
  .map((text) => new TextEncoder().encode(text))

/** Real files that were changed, and anything else, are read by everything that reads. */
export function fuzzParsers(run: { readonly numRuns: number; readonly seed: number }): void {
  const input = fc.oneof({ weight: 4, arbitrary: files }, { weight: 4, arbitrary: records }, texts)
  fc.assert(fc.property(input, readByAll), run)
}

/** Each reader gives a value or says why not, and never throws; what was read comes out again as it was. */
export function readByAll(bytes: Uint8Array): void {
  const jgs = readJgs(bytes)
  if (jgs.ok) checkGame(jgs.value)
  else expect(jgs.error.message.length).toBeLessThan(400)
  const jql = readJql(bytes)
  if (jql.ok) expect(readJql(writeJql(jql.value))).toEqual(jql)
  const text = new TextDecoder().decode(bytes)
  const formation = parseFormation(text)
  if (formation.ok) expect(parseFormation(formatFormation(formation.value))).toEqual(formation)
  const json = jsonIn(text)
  const record = parseRecord(json)
  if (record.ok) checkGame(record.value)
  else expect(record.error.length).toBeLessThan(1000)
}

function checkGame(record: GameRecord): void {
  expect(parseRecord(JSON.parse(formatRecord(record)))).toEqual({ ok: true, value: record })
  const rows = [...traceRecord(record, { views: false })]
  const replayed = replayRecord(record)
  expect(rows.some((row) => 'illegal' in row)).toBe(!replayed.ok)
  const written = replayed.ok ? writeJgs(record) : null
  if (written?.ok !== true) return
  const again = readJgs(written.value)
  expect(again.ok && again.value.actions).toEqual(record.actions)
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
