import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { playRandomly, type RandomGame, randomGames } from '../../test/random-game.ts'
import { replayRecord } from '../replay.ts'
import type { RuleOptions } from '../rules/rule-set.ts'
import { readJgs } from './jgs-record.ts'
import { type GameRecord, recordOf } from './record.ts'
import { writeJgs } from './write-jgs.ts'

const sample = (game: number): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../test/data/samples/game-${game}.jgs`, import.meta.url)))

function recordIn(bytes: Uint8Array): GameRecord {
  const read = readJgs(bytes)
  if (!read.ok) throw new Error(read.error.message)
  return read.value
}

function bytesOf(record: GameRecord): Uint8Array {
  const written = writeJgs(record)
  if (!written.ok) throw new Error(written.error)
  return written.value
}

const QQ_OPTIONS = { quietMoveLimit: 71, resignFromMove: 0, leaving: 'forfeit' } as const
const ENTRIES = 0x19c

/** The entries of a file, a line each; those of a seat that left after it was out are no action. */
function entriesOf(bytes: Uint8Array): readonly string[] {
  const count = (bytes[0x1a] ?? 0) + 256 * (bytes[0x1b] ?? 0)
  const all = Array.from({ length: count }, (_, n) =>
    Buffer.from(bytes.subarray(ENTRIES + 10 * n, ENTRIES + 10 * n + 10)).toString('hex'),
  )
  return all.filter((entry) => !entry.startsWith('f504'))
}

describe.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('QQ files: game-%i.jgs', (game) => {
  test('read, written and read again is the same game', () => {
    const record = recordIn(sample(game))
    expect(recordIn(bytesOf(record))).toEqual(record)
  })

  test('is written with the very entries that QQ wrote', () => {
    const written = bytesOf(recordIn(sample(game)))
    expect(entriesOf(written)).toEqual(entriesOf(sample(game)))
    expect(written.length).toBe(ENTRIES + 10 * entriesOf(written).length)
  })
})

const recordOfGame = ({ rules, started, steps }: RandomGame): GameRecord =>
  recordOf(rules, [started, ...steps.flatMap(({ events }) => events)])

/** What a file tells of a game: all but the rules, which are QQ's. */
const told = ({ formations, first, actions, result }: GameRecord) => ({
  formations,
  first,
  actions,
  result,
})

const siguo = (options: RuleOptions, length = 700) =>
  fc
    .record({ seed: fc.integer(), length: fc.integer({ min: 1, max: length }) })
    .map((drawn) => recordOfGame(playRandomly({ preset: 'siguo', options, ...drawn })))

test('QQ files: a random game by the rules of the import is written and read as the same game, unless it cannot be told', () => {
  let written = 0
  fc.assert(
    fc.property(siguo(QQ_OPTIONS), (record) => {
      const bytes = writeJgs(record)
      if (bytes.ok) {
        written += 1
        expect(recordIn(bytes.value)).toEqual(record)
      } else expect(bytes.error).toMatch(/\(timeouts\)|one action or more|moves first/)
    }),
    { numRuns: 150 },
  )
  expect(written).toBeGreaterThan(75)
})

test("QQ files: a game by the preset siguo's own rules is written if it reads as the same game, else refused", () => {
  fc.assert(
    fc.property(siguo({}), (record) => {
      const bytes = writeJgs(record)
      if (bytes.ok) expect(told(recordIn(bytes.value))).toEqual(told(record))
      else expect(bytes.error).toMatch(/which a \.jgs file cannot tell|one action|moves first/)
    }),
    { numRuns: 100 },
  )
})

test('QQ files: no game of any rules is written as another one', () => {
  fc.assert(
    fc.property(randomGames(120).map(recordOfGame), (record) => {
      const bytes = writeJgs(record)
      if (bytes.ok) expect(told(recordIn(bytes.value))).toEqual(told(record))
      else expect(bytes.error).not.toContain('illegal')
    }),
    { numRuns: 150 },
  )
})

/** The moves of a sample, under other rules. */
function underRules(
  game: number,
  options: RuleOptions,
  change: (actions: readonly string[]) => readonly string[] = (actions) => actions,
): GameRecord {
  const record = recordIn(sample(game))
  const actions = change(record.actions)
  const changed = { ...record, rules: { preset: 'siguo', options }, actions, result: null } as const
  const replayed = replayRecord(changed)
  if (!replayed.ok) throw new Error(`action ${replayed.error.n} is illegal`)
  return { ...changed, result: replayed.value.state.result }
}

const firstMoves = (count: number) => (actions: readonly string[]) => actions.slice(0, count)

test.each([
  ['clocks, scores and who may begin', { turnSeconds: 5, scoring: 'none', firstSeat: 'east' }],
  ['limits that did not matter', { quietMoveLimit: 400, maxMoves: 900, timeoutForfeit: null }],
  ['the preset as it is', { resignFromMove: 0 }],
] as const)('QQ files: a game that differs in %s is written', (_, options) => {
  const record = underRules(9, options)
  expect(told(recordIn(bytesOf(record)))).toEqual(told(record))
  expect(recordIn(bytesOf(record)).rules).toEqual({ preset: 'siguo', options: QQ_OPTIONS })
})

const WAITS = ['timeout east', 'timeout north', 'timeout west', 'timeout south']

/** North waits five times; nobody does anything but for one move in between. */
const waiting = ([move = '']: readonly string[]): readonly string[] => [
  ...WAITS,
  ...WAITS,
  move,
  ...WAITS.slice(1),
  ...WAITS,
  ...WAITS.slice(0, 2),
]

const DUEL: GameRecord = {
  format: 'junqi-record/1',
  rules: { preset: 'duel', options: {} },
  formations: {
    south: '963175358137B246L2LB4FL21',
    north: '963175358137B246L2LB4FL21',
  },
  first: 'south',
  actions: ['a6-a7'],
  result: null,
}

/** what, the record, the refusal */
const REFUSED: readonly (readonly [string, () => GameRecord, string | RegExp])[] = [
  ['of two seats', () => DUEL, 'a .jgs file has four seats, and this game has 2: south, north'],
  [
    'in which attacks can be repelled',
    () => underRules(9, { flagCapture: 'engineerOnly' }, firstMoves(3)),
    'a .jgs file knows QQ\'s rules only: flagCapture "any", not "engineerOnly"',
  ],
  [
    'by the rules of the table',
    () => underRules(9, { landmine: 'mutual' }, firstMoves(3)),
    'a .jgs file knows QQ\'s rules only: landmine "stands", not "mutual"',
  ],
  [
    'in which allies see each other',
    () => underRules(9, { visibility: 'allyOpen' }, firstMoves(3)),
    'a .jgs file knows QQ\'s rules only: visibility "allDark", not "allyOpen"',
  ],
  [
    'that goes the other way round',
    () => underRules(9, { turnOrder: 'clockwise' }, () => []),
    'a .jgs file knows QQ\'s rules only: turnOrder "counterclockwise", not "clockwise"',
  ],
  [
    'in which a seat is out by timeouts',
    () => underRules(9, { timeoutForfeit: 1 }, () => ['timeout east']),
    'after action 1 (timeout east) east goes out (timeouts), which a .jgs file cannot tell',
  ],
  [
    'in which a seat would be out by timeouts',
    () => underRules(9, { timeoutForfeit: null }, waiting),
    "after action 18 (timeout north) north goes out (timeouts) by QQ's rules, and not in this game",
  ],
  [
    'that leaving has ended',
    () => underRules(9, {}, () => ['leave east']),
    'after action 1 (leave east) the game ends (left), which a .jgs file cannot tell',
  ],
  [
    'drawn after 70 quiet moves',
    () => underRules(1, { quietMoveLimit: 70, resignFromMove: 0 }, firstMoves(345)),
    /^after action 345 \(\S+\) the game ends \(quietMoves\), which a \.jgs file cannot tell$/,
  ],
  [
    'that QQ would have drawn',
    () => underRules(1, { quietMoveLimit: null }),
    /^after action 346 \(\S+\) the game ends \(quietMoves\) by QQ's rules, and not in this game$/,
  ],
  [
    'that was drawn by its length',
    () => underRules(9, { maxMoves: 30 }, firstMoves(30)),
    /^after action 30 \(\S+\) the game ends \(maxMoves\), which a \.jgs file cannot tell$/,
  ],
  [
    'without an action',
    () => underRules(9, {}, () => []),
    'a .jgs file has one action or more, and this game has none',
  ],
  [
    'that another seat begins by leaving',
    () => underRules(9, { leaving: 'forfeit' }, () => ['leave west']),
    'a .jgs file cannot tell that east moves first when the first action is "leave west"',
  ],
  [
    'that is agreed upon at once',
    () => underRules(9, {}, () => ['draw agreed']),
    'a .jgs file cannot tell that east moves first when the first action is "draw agreed"',
  ],
  [
    'with an illegal action',
    () => ({ ...recordIn(sample(9)), actions: ['g6-g7', 'a1-a1'], result: null }),
    'action 1 is illegal: g6-g7',
  ],
  [
    'with another result than its own',
    () => ({ ...recordIn(sample(9)), result: null }),
    'the result of the record is not what its actions lead to',
  ],
]

test.each(REFUSED)('QQ files: a game %s is refused with what it is', (_, record, sentence) => {
  const written = writeJgs(record())
  expect(written).toEqual({
    ok: false,
    error: typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
  })
})

test('QQ files: a game that nobody goes on with is written with its draw', () => {
  const record = underRules(9, {}, () => [...WAITS, ...WAITS, ...WAITS])
  expect(record.result).toEqual({ winners: [], reason: 'abandoned' })
  expect(told(recordIn(bytesOf(record)))).toEqual(told(record))
})

test('QQ files: names stand in the seats, cut to what a file holds', () => {
  const record = recordIn(sample(3))
  const names = { east: Uint8Array.of(0x50, 0x30), north: new Uint8Array(30).fill(0x41) }
  const written = writeJgs(record, { names })
  const bytes = written.ok ? written.value : new Uint8Array()
  const nameAt = (number: number) =>
    Buffer.from(bytes.subarray(0x20 + 88 * number + 8, 0x20 + 88 * number + 28)).toString('latin1')
  expect([0, 1, 2, 3].map(nameAt)).toEqual([
    `P0${'\0'.repeat(18)}`,
    '\0'.repeat(20),
    '\0'.repeat(20),
    `${'A'.repeat(19)}\0`,
  ])
  expect(recordIn(bytes)).toEqual(record)
})
