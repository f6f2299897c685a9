import { describe, expect, test } from 'vitest'
import { wilson } from '../src/arena/interval.ts'
import { runCli } from './run-cli.ts'

const arena = (...args: readonly string[]) => runCli(['arena', ...args])

/** The rate that a report tells, in percent, and its interval. */
function rateOf(report: string): readonly number[] {
  const found = report.match(/(\S+) %, 95 % interval (\S+) % to (\S+) %/)
  return found === null ? [] : found.slice(1).map(Number)
}

describe('junqi arena', () => {
  test.each([
    ['normal', 'easy', 'duel', 90],
    ['normal', 'easy', 'siguo', 90],
    ['hard', 'normal', 'duel', 55],
  ])('%s against %s, %s: 20 games from a seed', async (a, b, preset, least) => {
    // A quarter of what hard has in play: with an eighth it is no stronger than normal.
    const games = ['--preset', preset, '--games', '20', '--seed', '1', '--nodes', '8000']
    const { code, stdout } = await arena('--a', a, '--b', b, ...games)
    expect(code).toBe(0)
    expect(stdout).toContain(`${a} against ${b}, ${preset}, 20 games from seed 1\n`)
    const [rate = 0, low = 0, high = 0] = rateOf(stdout)
    expect(rate).toBeGreaterThanOrEqual(least)
    expect(low).toBeLessThan(rate)
    expect(high).toBeGreaterThanOrEqual(rate)
  })

  test('prints the same again from the same seed, and other games from another', async () => {
    const args = ['--a', 'easy', '--b', 'easy', '--games', '6', '--seed']
    const runs = await Promise.all(['4', '4', '5'].map((seed) => arena(...args, seed)))
    expect(runs[0]?.stdout).toBe(runs[1]?.stdout)
    expect(runs[0]?.stdout.split('\n').at(-2)).not.toBe(runs[2]?.stdout.split('\n').at(-2))
  })

  test('tells how far it is on a terminal, on the standard error', async () => {
    const args = ['arena', '--a', 'easy', '--b', 'easy', '--games', '2']
    const { stdout, stderr } = await runCli(args, { isTTY: true })
    expect(stderr).toContain('1 of 2 games: ')
    expect(stderr).toMatch(/ms a move\n$/)
    expect(stdout.split('\n')).toHaveLength(5)
  })

  test.each([
    [['--a', 'easy'], '--b must be one of easy, normal, hard'],
    [['--a', 'best', '--b', 'easy'], '--a must be one of easy, normal, hard'],
    [
      ['--a', 'easy', '--b', 'easy', '--preset', 'chess'],
      'there is no preset chess; there are siguo,',
    ],
    [['--a', 'easy', '--b', 'easy', '--games', '0'], '--games must be a whole number from 1 to'],
    [['--a', 'easy', '--b', 'easy', '--seed', 'x'], '--seed must be a whole number from 1 to'],
  ])('%j is refused with what would be right', async (args, message) => {
    const { code, stderr } = await arena(...args)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})

describe('the interval of a rate', () => {
  // By the formula of Wilson (1927), worked out apart.
  test.each([
    [0, 10, 0, 0.2775],
    [5, 10, 0.2366, 0.7634],
    [190, 200, 0.9104, 0.9726],
    [20, 20, 0.8389, 1],
    [0, 0, 0, 1],
  ])('%d points of %d games', (points, games, low, high) => {
    const [from, to] = wilson(points, games)
    expect(from).toBeCloseTo(low, 3)
    expect(to).toBeCloseTo(high, 3)
  })
})
