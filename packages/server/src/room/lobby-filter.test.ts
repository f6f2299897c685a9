import { type ListedRoom, type LobbyFilters, listedRoom } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { filterKey, passes } from './lobby-filter.ts'

const player = { id: '2w9h4t7kz0pm', name: 'Ming' }

function listed(change: Partial<Record<keyof ListedRoom, unknown>> = {}): ListedRoom {
  return listedRoom.parse({
    room: 'k7w2m9qx',
    phase: 'lobby',
    preset: 'duel',
    custom: false,
    scored: true,
    spectators: 'public',
    host: player.id,
    seats: [
      { seat: 'south', player },
      { seat: 'north', player: null },
    ],
    ...change,
  })
}

const FULL = {
  seats: [
    { seat: 'south', player },
    { seat: 'north', player },
  ],
}

test.each<[string, LobbyFilters, boolean]>([
  ['nothing asked for', {}, true],
  ['one of these presets', { presets: ['siguo', 'duel'] }, true],
  ['another preset', { presets: ['siguo'] }, false],
  ['one of these phases', { phases: ['lobby', 'playing'] }, true],
  ['another phase', { phases: ['playing'] }, false],
  ['a free seat', { freeSeats: true }, true],
  ['no free seat', { freeSeats: false }, false],
  ['rules of its own', { custom: true }, false],
  ['the preset’s rules', { custom: false }, true],
  ['all of it', { presets: ['duel'], phases: ['lobby'], freeSeats: true, custom: false }, true],
  ['all but one', { presets: ['duel'], phases: ['lobby'], freeSeats: true, custom: true }, false],
])('a room in its lobby passes the filter for %s: %j is %s', (_, filters, isPassed) => {
  expect(passes(listed(), filters)).toBe(isPassed)
})

test('a seat that cannot be taken any more is not free', () => {
  expect(passes(listed(FULL), { freeSeats: true })).toBe(false)
  expect(passes(listed({ phase: 'deployment' }), { freeSeats: true })).toBe(false)
  expect(passes(listed(FULL), { freeSeats: false })).toBe(true)
})

test('filters that ask for the same are one, in whatever order they say it', () => {
  const one: LobbyFilters = { presets: ['siguo', 'duel'], freeSeats: true }
  const other: LobbyFilters = { freeSeats: true, presets: ['duel', 'siguo', 'duel'] }
  expect(filterKey(one)).toBe(filterKey(other))
  expect(filterKey({})).not.toBe(filterKey({ custom: false }))
  expect(filterKey({ freeSeats: true })).not.toBe(filterKey({ custom: true }))
})
