import { expect, test } from 'vitest'
import { CORPUS, corpusFile, fuzzParsers, readByAll } from './fuzz.ts'

test.each(CORPUS)('F-U4: %s is read or refused', (path) => {
  expect(() => readByAll(corpusFile(path))).not.toThrow()
})

test('F-U4: changed files of records and formations are read or refused', () => {
  fuzzParsers({ numRuns: 500, seed: 20_261_130 })
})
