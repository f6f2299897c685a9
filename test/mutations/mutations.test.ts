import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { bears, problemOfPlanting } from './mutation.ts'
import { MUTATIONS } from './mutations.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** Rows that ask for several nodes, Redis or a soak; some have tests all the same, none is planted yet. */
const NOT_YET = /^F-(C[23467]|D[12])$/

const rows = [...read('docs/faults.md').matchAll(/^\| (F-[A-Z]\d+) \|/gm)]
  .map(([, id]) => id ?? '')
  .filter((id) => !NOT_YET.test(id))

/** The names of the tests in a file, and the first columns of their tables: texts that begin with ids. */
const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/['"`]((?:[FR]-[A-Z]+-?\d+[ ,:]+)+)/g)].map(([, ids]) => ids ?? '')

/** The same with the suites that it takes from beside it, such as a contract. */
const namesOf = (file: string): readonly string[] => {
  const text = read(file)
  const suites = [...text.matchAll(/from '\.\/(.+\.ts)'/g)]
  return [text, ...suites.map(([, suite]) => read(join(dirname(file), suite ?? '')))].flatMap(
    namesIn,
  )
}

const tests = ['packages', 'test']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(folder, path),
    ),
  )
  .filter((path) => path.endsWith('.test.ts') && !/node_modules|dist/.test(path))

test('docs/faults.md has the rows that this version answers for', () => {
  expect(rows).toHaveLength(47)
})

test.each(rows)('%s has a test that bears its id', (id) => {
  const bearing = tests.filter((file) => namesOf(file).some((name) => bears(name, id)))
  expect(bearing).not.toEqual([])
})

test.each(rows)('%s is planted', (id) => {
  expect(MUTATIONS.filter(({ fault }) => fault === id)).not.toEqual([])
})

describe('each planted fault', () => {
  test.each(MUTATIONS)('$fault, $plants: fits where it is planted', (mutation) => {
    expect(rows).toContain(mutation.fault)
    expect(problemOfPlanting(mutation, read(mutation.file))).toBeNull()
    expect(mutation.replace).not.toBe(mutation.find)
  })

  test.each(MUTATIONS)('$fault, $plants: is looked for by a test that bears its id', (mutation) => {
    expect(namesOf(mutation.test).some((name) => bears(name, mutation.fault))).toBe(true)
  })
})
