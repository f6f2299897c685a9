import { describe, expect, test } from 'vitest'
import { FLIP_CASES, isShortFlip } from './flip-cases.ts'
import { expectPlayed } from './play-cases.ts'
import { runCli } from './run-cli.ts'

const run = (command: string, record: object, ...more: readonly string[]) =>
  runCli([command, '-', ...more], { stdin: JSON.stringify(record) })

const [CASE] = FLIP_CASES
if (CASE === undefined) throw new Error('there are no flip games')

describe('R-FLIP-10: junqi and flip games', () => {
  test.each(FLIP_CASES.map(({ record, trace }, n) => [n, record, trace] as const))(
    'R-FLIP-10: junqi trace prints the rows of vector %i',
    async (_, record, trace) => {
      const { code, stdout, stderr } = await run('trace', record)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const rows = stdout.trimEnd().split('\n')
      expect(rows).toEqual(trace.map((row) => JSON.stringify(row)))
    },
  )

  test('R-FLIP-10: a trace with views draws colours, and what lies face down', async () => {
    const record = { ...CASE.record, actions: CASE.record.actions.slice(0, 2), result: null }
    const { stdout } = await run('trace', record, '--views')
    const rows = stdout.trimEnd().split('\n')
    const { views } = JSON.parse(rows[1] ?? '')
    expect(Object.keys(views)).toEqual(['south', 'north', 'spectator'])
    for (const view of [views.south, views.north, views.spectator]) {
      expect(view).toMatchObject({ a12: 'b8', e11: 'r1', a1: '@?' })
      expect(Object.values(view).filter((piece) => piece === '@?')).toHaveLength(48)
    }
  })

  test('R-FLIP-10: an illegal flip ends the trace', async () => {
    const record = { ...CASE.record, actions: ['flip a1', 'flip a1'], result: null }
    const { code, stdout, stderr } = await run('trace', record)
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('{"n":2,"action":"flip a1","illegal":true}')
    expect([code, stderr]).toEqual([1, 'junqi: -: action 2 is illegal: flip a1\n'])
  })

  test('R-FLIP-2: perft counts flips and moves', async () => {
    const start = { ...CASE.record, actions: [], result: null }
    for (const [depth, count] of [
      ['1', '50'],
      ['2', '2450'],
    ] as const) {
      expect((await run('perft', start, depth)).stdout).toBe(`${count}\n`)
    }
    // From depth 3 on the command counts by first moves; a short game keeps that small.
    const actions = CASE.record.actions.slice(0, -2)
    const late = { ...CASE.record, actions, result: null }
    const counts = await Promise.all(['1', '2', '3'].map((depth) => run('perft', late, depth)))
    const [one, two, three] = counts.map(({ stdout }) => Number(stdout))
    expect(one).toBe(JSON.parse(JSON.stringify(CASE.trace[actions.length])).legal)
    expect(two).toBeGreaterThan(one ?? 0)
    expect(three).toBeGreaterThan(two ?? 0)
  })

  test('R-FLIP-10: convert refuses to write a flip game as .jgs', async () => {
    const { code, stderr } = await run('convert', CASE.record)
    expect([code, stderr]).toEqual([
      1,
      'junqi: -: a .jgs file knows no flip game, and this is one\n',
    ])
  })
})

describe('R-FLIP-1: junqi play and flip games', () => {
  test.concurrent.each(
    FLIP_CASES.map((each, n) => [n, each] as const).filter(([, each]) => isShortFlip(each)),
  )('R-FLIP-10: plays vector %i to its result, on a server of its own', async (_, { record }) => {
    expectPlayed(await run('play', record), record)
  })

  test('R-FLIP-1: asks no other server, which shuffles by itself', async () => {
    const played = await run('play', CASE.record, '--server', 'http://127.0.0.1:1')
    expect(played.code).toBe(2)
    expect(played.stderr).toContain('a server shuffles a flip game by itself')
    expect(played.stdout).toBe('')
  })
})
