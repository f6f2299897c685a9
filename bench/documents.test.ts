import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DOCUMENTS, fillTables } from './tables.ts'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test.each(DOCUMENTS)('%s tells what docs/figures.json has: npm run bench:docs', (path) => {
  const document = read(path)
  expect(fillTables(document, JSON.parse(read('docs/figures.json')))).toBe(document)
})

test('an unknown table is refused', () => {
  const document = '<!-- figures: speed -->\n<!-- /figures -->'
  expect(() => fillTables(document, JSON.parse(read('docs/figures.json')))).toThrow('speed')
})
