import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FORMATION, play, rulesOf, startedGame } from '../../test/game-at.ts'
import { shuffledLayout } from '../layout.ts'
import { newGame } from '../new-game.ts'
import { replayRecord, startOf } from '../replay.ts'
import { commandOf } from './action.ts'
import { parseRecord } from './parse-record.ts'
import { formatRecord, recordOf } from './record.ts'
import { writeJgs } from './write-jgs.ts'

const RECORD = {
  format: 'junqi-record/1',
  rules: { preset: 'duel', options: { landmine: 'mutual' } },
  formations: { south: FORMATION, north: '96317/535/8137/B24/6L2LB/4FL21' },
  first: 'north',
  actions: ['a7-b8', 'timeout south', 'draw agreed'],
  result: { winners: [], reason: 'agreed' },
}

test('a record is read, slashes in formations taken out', () => {
  const formations = { south: FORMATION, north: FORMATION }
  expect(parseRecord(RECORD)).toEqual({ ok: true, value: { ...RECORD, formations } })
})

test('a record is written as one line that reads back', () => {
  const parsed = parseRecord(RECORD)
  if (!parsed.ok) throw new Error(parsed.error)
  expect(parseRecord(JSON.parse(formatRecord(parsed.value)))).toEqual(parsed)
  expect(formatRecord(parsed.value)).not.toContain('\n')
})

test('R-TURN-2: the first of a record counts, whatever firstSeat says', () => {
  const rules = { preset: 'duel', options: { firstSeat: 'south' } }
  const parsed = parseRecord({ ...RECORD, rules })
  if (!parsed.ok) throw new Error(parsed.error)
  const replayed = replayRecord(parsed.value)
  expect(replayed.ok && replayed.value.state.first).toBe('north')
})

describe('a record that is none is refused with what would be right', () => {
  test.each<[string, unknown, string]>([
    ['no object', 'x', 'a record must be a JSON object'],
    ['an array', [], 'a record must be a JSON object'],
    ['null', null, 'a record must be a JSON object'],
    ['another format', { ...RECORD, format: 'junqi-record/2' }, 'format must be junqi-record/1'],
    ['a missing key', { ...RECORD, result: undefined }, 'result must be null or an object'],
    [
      'a key too many',
      { ...RECORD, moves: [] },
      'a record must have no key but format, rules, formations, first, actions, result',
    ],
    ['no rules', { ...RECORD, rules: null }, 'rules must be an object'],
    ['rules without options', { ...RECORD, rules: { preset: 'duel' } }, 'rules must have the key'],
    [
      'an unknown preset',
      { ...RECORD, rules: { preset: 'chess', options: {} } },
      'rules: preset must be one of siguo,',
    ],
    [
      'a bad option',
      { ...RECORD, rules: { preset: 'duel', options: { maxMoves: -1 } } },
      'rules: maxMoves must be an integer from 1 to 999 or null',
    ],
    [
      'a missing formation',
      { ...RECORD, formations: { south: FORMATION } },
      'formations must have the key north',
    ],
    [
      'a formation too many',
      { ...RECORD, formations: { ...RECORD.formations, east: FORMATION } },
      'formations must have no key but south, north',
    ],
    [
      'a formation against the rules',
      { ...RECORD, formations: { south: FORMATION, north: 'B631753581379246L2LB4FL21' } },
      'formation of north: bombs are not in the front row, not in row 1, column 1',
    ],
    [
      'a formation that is no text',
      { ...RECORD, formations: { south: FORMATION, north: 7 } },
      'formation of north: a formation must be a string',
    ],
    ['a first seat outside the game', { ...RECORD, first: 'east' }, 'first must be one of south'],
    ['actions that are no texts', { ...RECORD, actions: [1] }, 'actions must be an array of'],
    ['a result without a reason', { ...RECORD, result: { winners: [] } }, 'result must have the'],
    [
      'an unknown reason',
      { ...RECORD, result: { winners: [], reason: 'bored' } },
      'the reason of a result must be one of flagCaptured,',
    ],
    [
      'winners outside the game',
      { ...RECORD, result: { winners: ['west'], reason: 'left' } },
      'the winners of a result must be an array of south, north',
    ],
    [
      'a winner twice',
      { ...RECORD, result: { winners: ['south', 'south'], reason: 'left' } },
      'the winners of a result must be an array of south, north',
    ],
  ])('%s', (_, json, message) => {
    const parsed = parseRecord(json)
    expect(parsed.ok ? 'accepted' : parsed.error).toContain(message)
  })

  test('no JSON makes the parser throw', () => {
    const keys = fc.constantFrom('format', 'rules', 'formations', 'first', 'actions', 'result')
    fc.assert(
      fc.property(fc.jsonValue(), keys, (value, key) => {
        expect(typeof parseRecord(value).ok).toBe('boolean')
        expect(typeof parseRecord({ ...RECORD, [key]: value }).ok).toBe('boolean')
      }),
    )
  })

  test('keys of every object’s prototype are keys too many', () => {
    const json = JSON.parse(`{"__proto__":1,${JSON.stringify(RECORD).slice(1)}`)
    expect(parseRecord(json).ok).toBe(false)
  })
})

describe('actions', () => {
  const state = startedGame(rulesOf('duel'))

  test.each([
    ['a6-b5', { type: 'movePiece', seat: 'south', from: 'a6', to: 'b5' }],
    ['timeout south', { type: 'timeout', seat: 'south' }],
    ['resign north', { type: 'resign', seat: 'north' }],
    ['leave north', { type: 'leave', seat: 'north' }],
    ['draw agreed', { type: 'agreeDraw' }],
  ])('%s is a command', (action, command) => {
    expect(commandOf(state, action)).toEqual(command)
  })

  test.each(['', 'leave', 'leave up', 'leave  north', 'timeout south ', 'draw', 'pass', 'a6b5'])(
    '%j is none',
    (action) => {
      expect(commandOf(state, action)).toBe(null)
    },
  )

  test('after the end there is no move', () => {
    expect(commandOf(play(state, 'draw agreed').state, 'a6-b5')).toBe(null)
  })
})

describe('a record of a game', () => {
  test('R-OUT-1: holds what was done, not what followed from it', () => {
    const rules = { preset: 'siguo-table', options: { resignFromMove: 0 } } as const
    const start = startedGame(rulesOf(rules.preset, rules.options))
    const formations = {
      south: FORMATION,
      east: FORMATION,
      north: FORMATION,
      west: FORMATION,
    }
    const actions = ['g6-g7', 'timeout east', 'leave west', 'resign north', 'g7-g9', 'resign east']
    const { events } = play(start, ...actions)
    const record = recordOf(rules, [{ type: 'gameStarted', formations, first: 'south' }, ...events])
    expect(record.actions).toEqual(actions)
    expect(record.result).toEqual({ winners: ['south', 'north'], reason: 'resigned' })
    const replayed = replayRecord(record)
    expect(replayed.ok && replayed.value.events.slice(1)).toEqual(events)
  })

  test('an illegal action is named by its number', () => {
    const parsed = parseRecord({ ...RECORD, actions: ['a7-b8', 'a7-b8'] })
    if (!parsed.ok) throw new Error(parsed.error)
    expect(replayRecord(parsed.value)).toEqual({ ok: false, error: { n: 2, action: 'a7-b8' } })
  })
})

describe('R-FLIP-10: a record of a flip game', () => {
  const layout = shuffledLayout(() => 0)
  const flips = {
    format: 'junqi-record/1',
    rules: { preset: 'flip', options: { flipColour: 'first' } },
    layout,
    first: 'north',
    actions: ['flip a1', 'timeout south', 'flip e12', 'resign south'],
    result: { winners: ['north'], reason: 'resigned' },
  }

  test('R-FLIP-10: has its layout instead of formations, and flips beside moves', () => {
    const parsed = parseRecord(flips)
    expect(parsed).toEqual({ ok: true, value: flips })
    if (!parsed.ok) return
    expect(parseRecord(JSON.parse(formatRecord(parsed.value)))).toEqual(parsed)
    const replayed = replayRecord(parsed.value)
    if (!replayed.ok) throw new Error(replayed.error.action)
    expect(replayed.value.state.result).toEqual(flips.result)
    const written = recordOf(parsed.value.rules, replayed.value.events)
    expect(JSON.stringify(written)).toBe(JSON.stringify(flips))
  })

  test.each<[string, unknown, string]>([
    [
      'R-FLIP-10: formations in a flip game',
      { ...RECORD, rules: flips.rules },
      'a record of a flip game has layout instead of formations',
    ],
    [
      'R-FLIP-10: a layout in another game',
      { ...flips, rules: RECORD.rules },
      'a record has formations, and layout in a flip game only',
    ],
    [
      'R-FLIP-10: both',
      { ...flips, formations: {} },
      'a record must have no key but format, rules, layout, first, actions, result',
    ],
    ['R-FLIP-10: no array', { ...flips, layout: 'r9' }, 'layout must be an array'],
    ['R-FLIP-10: a piece too few', { ...flips, layout: layout.slice(1) }, 'a layout is 50 of'],
    ['R-FLIP-10: neither', { ...flips, layout: undefined }, 'has layout instead of formations'],
  ])('%s is refused', (_, record, problem) => {
    const parsed = parseRecord(record)
    expect(parsed.ok ? '' : parsed.error).toContain(problem)
  })

  test.each([
    ['flip a1', { type: 'flipPiece', seat: 'north', space: 'a1' }],
    ['flip', null],
    ['flip z1', null],
    ['flip a1 a2', null],
    ['flip  a1', null],
    ['FLIP a1', null],
  ])('R-FLIP-10: the action %j', (action, command) => {
    const parsed = parseRecord(flips)
    if (!parsed.ok) throw new Error(parsed.error)
    const { ruleSet, started } = startOf(parsed.value)
    expect(commandOf(newGame(ruleSet, started), action)).toEqual(command)
  })

  test('R-FLIP-10: is no .jgs', () => {
    const parsed = parseRecord(flips)
    if (!parsed.ok) throw new Error(parsed.error)
    const error = 'a .jgs file knows no flip game, and this is one'
    expect(writeJgs(parsed.value)).toEqual({ ok: false, error })
  })
})
