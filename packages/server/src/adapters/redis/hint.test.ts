import { expect, test } from 'vitest'
import { playerOf } from '../../../test/contract/requests.ts'
import {
  formatHandedOn,
  formatLobbyHint,
  isLobbyHint,
  parsePresence,
  parseRoomHint,
} from './hint.ts'

const NODE = '0123456789ab'
const OTHER = 'ba9876543210'
const player = playerOf(7)

test.each([
  [
    `v 12 1732000000000001 ${OTHER}\n{"a":1}\n{"b":2}`,
    {
      type: 'changed',
      mark: 1732000000000001,
      told: { version: 12, previous: '{"a":1}', data: '{"b":2}' },
    },
  ],
  [
    `v 1 2 ${OTHER}\n\n{"b":2}`,
    { type: 'changed', mark: 2, told: { version: 1, previous: '', data: '{"b":2}' } },
  ],
  [`g ${OTHER}`, { type: 'gone' }],
  [formatHandedOn(OTHER), { type: 'handedOn' }],
  [`d ${player} ${OTHER}`, { type: 'draft', player }],
])('%j is a hint', (text, hint) => {
  expect(parseRoomHint(text, NODE)).toEqual(hint)
})

test('the players who came or went are many or one', () => {
  expect(parsePresence(`${OTHER} ${player} ${playerOf(8)}`, NODE)).toEqual([player, playerOf(8)])
  expect(parsePresence(`${OTHER} ${player}`, NODE)).toEqual([player])
})

test.each([
  ['the node’s own', `v 12 1 ${NODE}\n{}\n{}`, `${NODE} ${player}`],
  ['of a later version', `x 12 ${OTHER}`, `${OTHER}`],
  ['broken', `v 12 1 ${OTHER}\n{}`, `${OTHER} ${player} `],
  ['anything', '', 'hello'],
])('what is %s is no news', (_kind, hint, presence) => {
  expect(parseRoomHint(hint, NODE)).toBe(null)
  expect(parsePresence(presence, NODE)).toEqual([])
})

test('a word about the list of rooms is told from one’s own, and from all others', () => {
  expect(isLobbyHint(formatLobbyHint(OTHER), NODE)).toBe(true)
  for (const text of [formatLobbyHint(NODE), `${OTHER} ${player}`, `${OTHER} l ${player}`, '']) {
    expect(isLobbyHint(text, NODE)).toBe(false)
  }
})
