import { test } from 'vitest'
import { fuzzParsers } from './fuzz.ts'

test('F-U4: 100,000 changed files of records and formations are read or refused', () => {
  fuzzParsers({ numRuns: 100_000, seed: Number(process.env.FUZZ_SEED ?? 7) })
})
