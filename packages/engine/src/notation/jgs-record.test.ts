import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { replayRecord } from '../replay.ts'
import { readJgs } from './jgs-record.ts'
import { parseRecord } from './parse-record.ts'

const sample = (game: number): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../test/data/samples/game-${game}.jgs`, import.meta.url)))

/** game, actions, winners, reason, actions that are no moves */
const SAMPLES = [
  [1, 346, [], 'quietMoves', []],
  [2, 259, ['east', 'west'], 'left', ['leave south']],
  [3, 174, ['south', 'north'], 'flagCaptured', ['resign south']],
  [
    4,
    240,
    ['east', 'west'],
    'resigned',
    ['timeout east', 'timeout south', 'timeout north', 'resign south'],
  ],
  [5, 158, ['east', 'west'], 'resigned', ['resign south', 'resign north']],
  [6, 407, ['east', 'west'], 'resigned', ['timeout east', 'resign north']],
  [7, 301, [], 'quietMoves', []],
  [8, 292, [], 'agreed', ['timeout north', 'draw agreed']],
  [9, 188, ['south', 'north'], 'flagCaptured', ['resign east']],
] as const

describe.each(SAMPLES)('QQ files: game-%i.jgs', (game, count, winners, reason, others) => {
  const read = readJgs(sample(game))
  const record = read.ok ? read.value : null

  test('is read as the game that was played', () => {
    expect(record).toMatchObject({
      rules: {
        preset: 'siguo',
        options: { quietMoveLimit: 71, resignFromMove: 0, leaving: 'forfeit' },
      },
      first: 'east',
      result: { winners, reason },
    })
    expect(record?.actions).toHaveLength(count)
    expect(record?.actions.filter((action) => action.includes(' '))).toEqual(others)
  })

  test('replays to its recorded end', () => {
    const parsed = parseRecord(JSON.parse(JSON.stringify(record)))
    expect(parsed).toEqual({ ok: true, value: record })
    const replayed = parsed.ok ? replayRecord(parsed.value) : parsed
    expect(replayed).toMatchObject({ ok: true, value: { state: { result: { winners, reason } } } })
  })
})

/** The offset of an entry. */
const entry = (index: number): number => 0x19c + 10 * index

/** game, what the file now says, the bytes changed, the offset of the refusal and its sentence */
const CONTRADICTIONS = [
  [1, 'a header of another file', [[9, 0x54]], 9, 'expected the header of a .jgs file, found 0x54'],
  [1, 'an empty seat', [[0x20, 0xff]], 0x20, 'expected a seat, 0x00 to 0x03, found 0xff'],
  [1, 'a seat twice', [[0x78, 0]], 0x78, 'expected another seat, found 0x00'],
  [1, 'no piece on a post', [[0x3c, 0]], 0x3c, 'expected a piece, 0x02 to 0x0d, found 0x00'],
  [
    1,
    'a bomb in the front row',
    [
      [0x3c, 4],
      [0x47, 7],
    ],
    0x3c,
    'expected an allowed formation: bombs are not in the front row, not in row 1, column 1',
  ],
  [3, 'no entries', [[0x1a, 0]], 0x1a, 'expected the number of entries, 1 or more, found 0x00'],
  [
    3,
    'more entries than there are',
    [[0x1b, 1]],
    2190,
    'expected 433 entries, up to 0x1286, found the end of the file',
  ],
  [
    1,
    'an unknown entry',
    [[entry(7), 0x60]],
    entry(7),
    'expected an entry, 0x5f or 0xf5, found 0x60',
  ],
  [
    1,
    'an unknown event',
    [[entry(346) + 1, 6]],
    entry(346) + 1,
    'expected what happened, 0x02 to 0x05, found 0x06',
  ],
  [
    1,
    'a move off the board',
    [[entry(0) + 2, 8]],
    entry(0) + 2,
    'expected x and y of a space of the siguo board, found 0x08',
  ],
  [
    1,
    'a move off the grid',
    [[entry(0) + 5, 0x80]],
    entry(0) + 4,
    'expected x and y of a space of the siguo board, found 0x0c',
  ],
  [
    1,
    'an illegal move',
    [[entry(0) + 4, 13]],
    entry(0),
    'expected what the rules allow, found illegal_move',
  ],
  [
    1,
    'an outcome of a plain move',
    [[entry(0) + 1, 0x19]],
    entry(0) + 1,
    'expected the outcome none by the replay, found attackerWins',
  ],
  [
    1,
    'another next seat',
    [[entry(0) + 1, 0x08]],
    entry(0) + 1,
    'expected the next seat north by the replay, found south',
  ],
  [
    1,
    'no flag of a fallen attacker',
    [
      [entry(99) + 6, 0],
      [entry(99) + 7, 0],
    ],
    entry(99) + 6,
    "expected the attacker's flag h1 by the replay, found none",
  ],
  [
    1,
    'another space of a flag',
    [
      [entry(99) + 8, 6],
      [entry(99) + 9, 16],
    ],
    entry(99) + 8,
    "expected the defender's flag q8 by the replay, found g1",
  ],
  [
    1,
    'a decided game that is a draw',
    [[entry(346) + 3, 4]],
    entry(346) + 3,
    'expected the end a draw by the replay, found decided',
  ],
  [
    2,
    'another seat out',
    [[entry(163) + 2, 1]],
    entry(163) + 2,
    'expected no south, for the replay does not put it out here',
  ],
  [
    2,
    'another reason',
    [[entry(163) + 3, 2]],
    entry(163) + 3,
    'expected the reason flagCaptured by the replay, found noMoves',
  ],
  [
    2,
    'an unknown reason',
    [[entry(163) + 3, 5]],
    entry(163) + 3,
    'expected why it is out: 0x01, 0x02, 0x04 or 0x06, found 0x05',
  ],
  [
    2,
    'another next seat after an elimination',
    [[entry(163) + 4, 0]],
    entry(163) + 4,
    'expected the next seat south by the replay, found east',
  ],
  [
    2,
    'a next seat after the end',
    [[entry(259) + 4, 0]],
    entry(259) + 4,
    'expected the next seat none by the replay, found east',
  ],
  [
    2,
    'a draw that is decided',
    [[entry(260) + 3, 2]],
    entry(260) + 3,
    'expected the end decided by the replay, found a draw',
  ],
  [
    2,
    'an unknown end',
    [[entry(260) + 3, 3]],
    entry(260) + 3,
    'expected how it ended, 0x02 or 0x04, found 0x03',
  ],
  [
    3,
    'an end before the end',
    [
      [entry(100), 0xf5],
      [entry(100) + 1, 5],
      [entry(100) + 3, 4],
    ],
    entry(100) + 3,
    'expected the end none by the replay, found decided',
  ],
  [
    3,
    'an act before an elimination is told',
    [
      [entry(175), 0xf5],
      [entry(175) + 1, 2],
      [entry(175) + 2, 3],
    ],
    entry(175),
    'expected that west is out (flagCaptured)',
  ],
  [
    4,
    'a timeout out of turn',
    [[entry(40) + 2, 1]],
    entry(40),
    'expected what the rules allow, found not_your_turn',
  ],
  [
    4,
    'another next seat after a timeout',
    [[entry(40) + 4, 1]],
    entry(40) + 4,
    'expected the next seat north by the replay, found south',
  ],
  [
    4,
    'a seat leaving as out that is in',
    [[entry(220) + 2, 1]],
    entry(220) + 2,
    'expected a seat that is out, found south',
  ],
  [
    4,
    'another next seat after a seat left',
    [[entry(220) + 4, 1]],
    entry(220) + 4,
    'expected the next seat east by the replay, found south',
  ],
] as const

test.each(CONTRADICTIONS)(
  'QQ files: game-%i.jgs with %s is refused',
  (game, _, changes, offset, sentence) => {
    const bytes = sample(game)
    for (const [at, byte] of changes) bytes[at] = byte
    const message = `at 0x${offset.toString(16)}: ${sentence}`
    expect(readJgs(bytes)).toEqual({ ok: false, error: { offset, message } })
  },
)

test('QQ files: an elimination that the file ends without is refused', () => {
  const bytes = sample(3)
  bytes[0x1a] = 175
  expect(readJgs(bytes)).toMatchObject({ ok: false, error: { offset: entry(174) } })
})

test('QQ files: a record without an end has no result', () => {
  const bytes = sample(3)
  bytes[0x1a] = 100
  expect(readJgs(bytes)).toMatchObject({ ok: true, value: { result: null } })
})

test('QQ files: a .jgs cut short anywhere is refused at its new end or before', () => {
  const length = 0x19c + 10 * 160
  fc.assert(
    fc.property(fc.nat({ max: length - 1 }), (size) => {
      const read = readJgs(sample(5).subarray(0, size))
      expect(read.ok).toBe(false)
      if (!read.ok) expect(read.error.offset).toBeLessThanOrEqual(size)
    }),
  )
})

test('QQ files: no bytes at all make readJgs throw', () => {
  const samples = SAMPLES.map(([game]) => sample(game))
  const changes = fc.array(fc.tuple(fc.nat({ max: 4600 }), fc.nat({ max: 255 })), { maxLength: 3 })
  const mutated = fc.tuple(fc.constantFrom(...samples), changes).map(([bytes, list]) => {
    const copy = bytes.slice()
    for (const [at, byte] of list) copy[at % copy.length] = byte
    return copy
  })
  fc.assert(
    fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 600 })), (bytes) => {
      const read = readJgs(bytes)
      if (read.ok) expect(replayRecord(read.value)).toMatchObject({ ok: true })
      else expect(read.error.message).toContain(`at 0x${read.error.offset.toString(16)}: `)
    }),
    { numRuns: 500 },
  )
})
