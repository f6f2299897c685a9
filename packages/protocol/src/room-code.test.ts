import { expect, test } from 'vitest'
import { formatRoomCode, parseRoomCode, roomId } from './ids.ts'

const room = roomId.parse('k7w01m9q')

test.each([['k7w01m9q'], ['K7W01M9Q'], ['k7w0-1m9q'], [' K7W0 1M9Q '], ['k7wolm9q'], ['K7WOIM9Q']])(
  '%j is typed for k7w01m9q',
  (text) => {
    expect(parseRoomCode(text)).toBe(room)
  },
)

test.each([[''], ['k7w01m9'], ['k7w01m9qq'], ['k7w01m9u'], ['k7w01m9/'], ['房间一二三四五六']])(
  '%j is no code',
  (text) => {
    expect(parseRoomCode(text)).toBeNull()
  },
)

test('what is shown is read back', () => {
  expect(formatRoomCode(room)).toBe('K7W0-1M9Q')
  expect(parseRoomCode(formatRoomCode(room))).toBe(room)
})
