import { expect, test } from 'vitest'
import { playerOf, roomOf } from '../../../test/contract/requests.ts'
import { Keys, PARTITIONS, partitionOf } from './keys.ts'

test.each([
  [0, 39],
  [1, 20],
  [2, 13],
  [12_345, 0],
])('room %i stays in its partition', (number, partition) => {
  expect(partitionOf(roomOf(number))).toBe(partition)
})

test('rooms spread over all partitions', () => {
  const counts = new Array(PARTITIONS).fill(0)
  for (let number = 0; number < 6_400; number++) counts[partitionOf(roomOf(number))] += 1
  expect(Math.min(...counts)).toBeGreaterThan(50)
  expect(Math.max(...counts)).toBeLessThan(200)
})

test('all keys of a room have the tag of its partition', () => {
  const keys = new Keys('pre.fix')
  const room = roomOf(0)
  const { due, lobby, touched, outbox, ends, beat } = keys.of(room)
  const ofRoom = [keys.log, keys.room, keys.drafts, keys.hint].map((key) => key(room))
  const all = [...ofRoom, keys.commands(room, playerOf(1)), due, lobby, touched, outbox, ends, beat]
  expect(new Set(all).size).toBe(all.length)
  for (const key of all) expect(key.startsWith(`{pre.fix:${partitionOf(room)}}:`)).toBe(true)
})

test('a key that a client may choose, such as an address, is one tag whole', () => {
  expect(new Keys('p').quota('guests', '::1')).toBe('{p:quota:guests:::1}')
})
