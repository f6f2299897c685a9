import { expect, test } from 'vitest'
import { parseBotRoster } from './bot-roster.ts'

test.each([
  ['easy:4,normal:4,hard:2', { easy: 4, normal: 4, hard: 2 }],
  [' hard:1 , easy:200', { hard: 1, easy: 200 }],
  ['none', {}],
])('%j is a roster', (text, roster) => {
  expect(parseBotRoster(text)).toEqual(roster)
})

test.each([
  '',
  'easy',
  'easy:',
  'easy:-1',
  'easy:1,easy:2',
  'expert:1',
  'easy:0',
  'easy:201',
  'easy:1,',
  'none,easy:1',
])('%j is none', (text) => {
  expect(parseBotRoster(text)).toBeNull()
})
