import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomFormation } from '../rules/deployment.ts'
import { PRESETS } from '../rules/presets.ts'
import { JQL_HEADER, readFormationBlock, readJql, writeFormationBlock, writeJql } from './jql.ts'

const SAMPLE = new Uint8Array(
  readFileSync(new URL('../../test/data/samples/formation.jql', import.meta.url)),
)
const FORMATION = '963175358137B246L2LB4FL21'

/** Any formation of `siguo`, from a list of numbers from 0 up to 1. */
const formations = fc
  .infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
  .map((numbers) => randomFormation(PRESETS.siguo, () => numbers.next().value))

test('QQ files: the sample .jql is the formation of the perft vectors', () => {
  expect(readJql(SAMPLE)).toEqual({ ok: true, value: FORMATION })
  expect(writeJql(FORMATION)).toEqual(SAMPLE)
})

test('QQ files: what is written as .jql is read back', () => {
  fc.assert(
    fc.property(formations, (formation) => {
      expect(readJql(writeJql(formation))).toEqual({ ok: true, value: formation })
    }),
  )
})

test('QQ files: a formation block is read anywhere in a file', () => {
  const bytes = Uint8Array.of(7, 7, 7, ...writeFormationBlock(FORMATION), 7)
  expect(readFormationBlock(bytes, 3)).toEqual({ ok: true, value: FORMATION })
})

test.each([
  ['no bytes', [], 0, 'at 0x0: expected the header of a .jql file, found the end of the file'],
  [
    'another header',
    [[0x0a, 0x53]],
    0x0a,
    'at 0xa: expected the header of a .jql file, found 0x53',
  ],
  ['no piece on a post', [[0x14, 0]], 0x14, 'at 0x14: expected a piece, 0x02 to 0x0d, found 0x00'],
  ['an unknown piece', [[0x14, 14]], 0x14, 'at 0x14: expected a piece, 0x02 to 0x0d, found 0x0e'],
  [
    'a piece in a camp',
    [[0x1a, 9]],
    0x1a,
    'at 0x1a: expected 0x00, for a camp is empty, found 0x09',
  ],
  [
    'two field marshals',
    [[0x15, 5]],
    0x15,
    'at 0x15: expected another piece, for an army has 1 of 9',
  ],
  ['a byte too many', [[0x32, 0]], 0x32, 'at 0x32: expected the end of the file, found 0x00'],
] as const)('QQ files: a .jql with %s is refused', (name, changes, offset, message) => {
  const bytes = name === 'no bytes' ? [] : [...SAMPLE]
  for (const [at, byte] of changes) bytes[at] = byte
  expect(readJql(Uint8Array.from(bytes))).toEqual({ ok: false, error: { offset, message } })
})

test('QQ files: a .jql cut short is refused where it ends', () => {
  for (let length = 0; length < SAMPLE.length; length++) {
    const read = readJql(SAMPLE.subarray(0, length))
    expect(read).toMatchObject({ ok: false, error: { offset: length } })
  }
})

test('QQ files: no bytes at all make readJql throw', () => {
  const header = Array.from(JQL_HEADER, (character) => character.charCodeAt(0))
  const withHeader = fc
    .uint8Array({ maxLength: 40 })
    .map((tail) => Uint8Array.of(...header, ...tail))
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 60 }), withHeader), (bytes) => {
      const read = readJql(bytes)
      if (read.ok) expect(writeJql(read.value)).toEqual(bytes)
      else expect(read.error.offset).toBeLessThanOrEqual(bytes.length)
    }),
  )
})
