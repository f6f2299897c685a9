import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** The texts of all files below a folder whose path matches. */
function textsUnder(folder: string, wanted: RegExp): readonly string[] {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => wanted.test(path) && !/node_modules|\/dist\//.test(path))
    .map((path) => readFileSync(path, 'utf8'))
}

/** The ids that rules.md gives its rules: those in bold. */
const rules = [
  ...readFileSync(join(ROOT, 'docs/rules.md'), 'utf8').matchAll(/\*\*(R-[A-Z]+-\d+)/g),
].map(([, id]) => id ?? '')

const sources = textsUnder('packages', /\/src\/.*(?<!\.test)\.ts$/)
const tests = [...textsUnder('packages', /\.test\.ts$/), ...textsUnder('test', /\.test\.ts$/)]

/** Test names and the first columns of their tables: strings that begin with a rule id. */
const named = tests.flatMap((text) => [...text.matchAll(/['"`]((?:R-[A-Z]+-\d+(?:, )?)+)/g)])
const idsNamed = new Set(named.flatMap(([, ids]) => ids?.match(/R-[A-Z]+-\d+/g) ?? []))

test('docs/rules.md has rules', () => {
  expect(rules.length).toBeGreaterThan(45)
})

test.each(rules)('%s is cited where it is played', (id) => {
  expect(sources.some((text) => new RegExp(`${id}\\b`).test(text))).toBe(true)
})

test.each(rules)('%s has a test that bears its id', (id) => {
  expect(idsNamed.has(id)).toBe(true)
})
