import { expect, test } from 'vitest'
import { parseSeals, sealIn, type ToldSeals, withSeal } from './told-seals.ts'

const ROOM = 'k7w2m9qx'
const SEAL = { south: 'a'.repeat(64), first: 'b'.repeat(64) }
const ENTRY = JSON.stringify([ROOM, SEAL])

test.each([
  [null, 0],
  ['', 0],
  ['[[', 0],
  ['{}', 0],
  [`[${ENTRY}]`, 1],
  [`[${ENTRY},["k7w2m9qx"],["a room",{}],7,["00000000",{"south":"short"}]]`, 1],
])('of %j so many seals are read: %i', (text, count) => {
  const seals = parseSeals(text)
  expect(seals).toHaveLength(count)
  expect(sealIn(seals, ROOM)).toEqual(count === 0 ? null : SEAL)
})

test('R-SEAL-3: what was told of a game first is not forgotten for what is told later', () => {
  const seals = withSeal([], ROOM, SEAL)
  expect(withSeal(seals, ROOM, { ...SEAL, south: 'c'.repeat(64) })).toBe(seals)
})

test('the oldest are forgotten, even when rooms are named like numbers', () => {
  const rooms = Array.from({ length: 120 }, (_, n) => String(99_999_999 - n))
  const seals = rooms.reduce<ToldSeals>((soFar, room) => withSeal(soFar, room, SEAL), [])
  expect(seals).toHaveLength(100)
  expect(sealIn(seals, rooms[19] ?? '')).toBeNull()
  expect(sealIn(seals, rooms[20] ?? '')).toEqual(SEAL)
})
