import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bears, problemOfPlanting } from './mutation.ts'
import { MUTATIONS } from './mutations.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const rows = [...read('docs/faults.md').matchAll(/^\| (F-[A-Z]\d+) \|/gm)].map(([, id]) => id ?? '')

const rules = [...read('docs/rules.md').matchAll(/\*\*(R-[A-Z]+-\d+)\b/g)].map(([, id]) => id ?? '')

/** The ids that the names of tests, or the rows of their tables, begin with. */
const idsIn = (text: string): readonly string[] =>
  [...text.matchAll(/['"`]((?:[FR]-[A-Z]+-?\d+[ ,:]+)+)/g)].map(([, ids]) => ids ?? '')

/** Those of a file, and of the suites that it takes from beside it, such as a contract, and the parts of that. */
function idsOf(file: string, depth = 2): readonly string[] {
  const text = read(file)
  const suites = depth === 0 ? [] : [...text.matchAll(/from '\.\/(.+\.ts)'/g)]
  const others = suites.flatMap(([, suite]) => idsOf(join(dirname(file), suite ?? ''), depth - 1))
  return [...idsIn(text), ...others]
}

const testFiles = ['packages', 'test']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(folder, path),
    ),
  )
  .filter((path) => path.endsWith('.test.ts') && !/node_modules|dist/.test(path))
const idsInTests = testFiles.flatMap((file) => idsOf(file))

test('docs/faults.md has the rows that this version answers for', () => {
  expect(rows).toHaveLength(54)
})

test.each(rows)('%s has a test that bears its id, and is planted', (id) => {
  expect(idsInTests.some((ids) => bears(ids, id))).toBe(true)
  expect(MUTATIONS.some(({ fault }) => fault === id)).toBe(true)
})

test.each(MUTATIONS.map((mutation) => [mutation.fault, mutation.plants, mutation] as const))(
  '%s, planted: %s',
  (fault, _, mutation) => {
    expect([...rows, ...rules]).toContain(fault)
    expect(problemOfPlanting(mutation, read(mutation.file))).toBeNull()
    expect(mutation.replace).not.toBe(mutation.find)
    expect(idsOf(mutation.test).some((ids) => bears(ids, fault))).toBe(true)
  },
)
