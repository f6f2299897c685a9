import { describe, expect, test } from 'vitest'
import { BUDGETS, ROW_NAMES } from './budgets.ts'
import { GROUPS } from './groups.ts'
import { readOptions } from './options.ts'

const read = (...args: string[]) => readOptions(args, GROUPS, 'results.json')

const rowsOf = (...args: string[]): string[] => {
  const options = read(...args)
  return typeof options === 'string' ? [options] : [...options.rows]
}

const PEERS = ['peer-socket-io', 'peer-colyseus', 'peer-boardgame-io']

test('every row is measured by one group', () => {
  const rows = Object.values(GROUPS).flatMap((group) => group.rows)
  expect([...rows].sort()).toEqual([...ROW_NAMES].sort())
})

describe('the command line of the bench', () => {
  test('without a word it asks for all rows but the peers', () => {
    expect(rowsOf()).toEqual(ROW_NAMES.filter((row) => !PEERS.includes(row)))
  })

  test.each([
    ['a row', ['--row', 'resume'], ['resume']],
    ['several', ['--row', 'resume', '--row', 'views'], ['resume', 'views']],
    ['a group', ['--row', 'latency'], ['latency-p50', 'latency-p99']],
    ['peers besides', ['--row', 'views', '--peers'], ['views', ...PEERS]],
  ])('%s', (_, args, rows) => {
    expect(rowsOf(...args).sort()).toEqual([...rows].sort())
  })

  test.each([
    ['an unknown row is refused, and the rows are named', ['--row', 'speed'], 'cpu-lmdb'],
    ['an unknown option is refused, and the options are told', ['--fast'], '--quick'],
    ['the rows are listed', ['--list'], Object.keys(BUDGETS).at(0)],
  ])('%s', (_, args, told) => {
    expect(read(...args)).toContain(told)
  })
})
