import { expect, test } from 'vitest'
import { roomOf } from '../../test/contract/requests.ts'
import { ANN, BO } from '../../test/support/players.ts'
import { PureRoom, type RoomSetup } from '../../test/support/pure-room.ts'
import { listingOf, parseListing } from './listing.ts'

function listed(setup: Omit<RoomSetup, 'host'>, players = [ANN, BO]) {
  const room = new PureRoom({ host: ANN, ...setup })
  room.sit(players)
  const line = listingOf(room.state)
  return line === null ? null : parseListing(roomOf(1), line)
}

test.each<[string, Omit<RoomSetup, 'host'>, object]>([
  ['R-SCORE-5: a preset as it is', { preset: 'duel' }, { custom: false, scored: true }],
  [
    'R-SCORE-5: with other clocks',
    { preset: 'duel', options: { turnSeconds: 90 } },
    { custom: true, scored: true },
  ],
  [
    'R-SCORE-5: friendly, which changes nothing of how it is played',
    { preset: 'duel', options: { scoring: 'none' } },
    { custom: false, scored: false },
  ],
  [
    'R-SCORE-5: with other rules',
    { preset: 'duel', options: { landmine: 'mutual' } },
    { custom: true, scored: false },
  ],
])('%s: the list says whether the game will be scored', (_, setup, expected) => {
  expect(listed(setup)).toMatchObject(expected)
})

test('R-SCORE-7: with a bot it will not be', () => {
  expect(listed({ preset: 'duel' }, [ANN, { ...BO, bot: 'easy' }])).toMatchObject({ scored: false })
})

test('R-SCORE-5: a line that an earlier version wrote promises nothing', () => {
  const room = new PureRoom({ host: ANN, preset: 'duel' })
  const line = listingOf(room.state)?.replace('"scored":true,', '') ?? ''
  expect(parseListing(roomOf(1), line).scored).toBe(false)
})
