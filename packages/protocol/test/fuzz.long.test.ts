import { test } from 'vitest'
import { fuzzDecoding, fuzzRoundTrips } from './fuzz.ts'

test('F-U4: a million broken frames of every kind are refused with a code', () => {
  fuzzDecoding(1_000_000)
})

test('every message comes over as it was sent, whatever is in it', () => {
  fuzzRoundTrips(50_000)
})
