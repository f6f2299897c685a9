import { test } from 'vitest'
import { fuzzDecoding, fuzzRoundTrips } from './fuzz.ts'

test('F-U4: 20,000 broken frames of every kind are refused with a code', () => {
  fuzzDecoding(20_000)
})

test('every message comes over as it was sent', () => {
  fuzzRoundTrips(1_000)
})
