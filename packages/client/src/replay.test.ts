import type { GameRecord } from '@junqi/engine'
import { expect, test } from 'vitest'
import { replayOf } from './replay.ts'

const RECORD: GameRecord = {
  format: 'junqi-record/1',
  rules: { preset: 'duel', options: {} },
  formations: { south: '963175358137B246L2LB4FL21', north: '963175358137B246L2LB4FL21' },
  first: 'south',
  actions: ['a6-a7', 'timeout north', 'leave south'],
  result: { winners: ['north'], reason: 'left' },
}

test('a replay steps forward and back, and does not leave the game', () => {
  const replay = replayOf(RECORD)
  if (!replay.ok) throw new Error(replay.error.action)
  const start = replay.value
  expect(start).toMatchObject({ n: 0, last: 3, action: null, events: [{ type: 'gameStarted' }] })
  expect(start.back().n).toBe(0)
  const first = start.next()
  expect(first).toMatchObject({ n: 1, action: 'a6-a7', events: [{ type: 'pieceAttacked' }] })
  expect(first.next().next()).toMatchObject({ n: 3, action: 'leave south' })
  expect(first.to(99)).toMatchObject({ n: 3, last: 3 })
  expect(first.to(99).next().n).toBe(3)
  expect(first.to(2).back().back().n).toBe(0)
  expect(first.to(2.7).n).toBe(2)
})

test('it shows what each saw, or what was so', () => {
  const replay = replayOf(RECORD)
  if (!replay.ok) throw new Error(replay.error.action)
  const { view } = replay.value
  const hidden = (as: Parameters<typeof view>[0]) =>
    view(as).pieces.filter(({ kind }) => kind === 'hidden').length
  expect([hidden('south'), hidden('north'), hidden('spectator'), hidden('truth')]).toEqual([
    25, 25, 50, 0,
  ])
  expect(replay.value.to(3).view('spectator')).toMatchObject({ result: RECORD.result })
})

test('of a record that cannot be played it says where', () => {
  expect(replayOf({ ...RECORD, actions: ['a6-a7', 'a6-a7'] })).toEqual({
    ok: false,
    error: { n: 2, action: 'a6-a7' },
  })
})
