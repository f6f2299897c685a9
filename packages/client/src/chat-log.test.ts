import { playerId, roomId } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { ChatLog, type Said } from './chat-log.ts'

const said = (number: number, part = 3, channel: Said['channel'] = 'table'): Said => ({
  type: 'said',
  room: roomId.parse('k7w2m9qx'),
  channel,
  part,
  number,
  by: { id: playerId.parse('2w9h4t7kz0pm'), name: 'Ming' },
  at: 1,
  text: `${number}`,
  phrase: null,
})

test('R-CHAT-3: what was heard is not heard again, and asked for no more', () => {
  const log = new ChatLog()
  expect(log.heard()).toEqual([])
  expect([1, 2, 2, 1, 4].map((number) => log.add(said(number)))).toEqual([
    true,
    true,
    false,
    false,
    true,
  ])
  expect(log.add(said(1, 0, 'room'))).toBe(true)
  expect(log.said('table').map(({ number }) => number)).toEqual([1, 2, 4])
  expect(log.heard()).toEqual([
    { channel: 'table', part: 3, number: 4 },
    { channel: 'room', part: 0, number: 1 },
  ])
})

test('R-CHAT-2: the talk of another game begins anew', () => {
  const log = new ChatLog()
  for (const number of [1, 2, 3]) log.add(said(number))
  expect(log.add(said(1, 9))).toBe(true)
  expect(log.add(said(4, 3))).toBe(false)
  expect(log.said('table').map(({ part, number }) => [part, number])).toEqual([[9, 1]])
})

test('the newest 200 of a channel are kept', () => {
  const log = new ChatLog()
  for (let number = 1; number <= 230; number++) log.add(said(number))
  expect(log.said('table')).toHaveLength(200)
  expect(log.said('table')[0]?.number).toBe(31)
})
