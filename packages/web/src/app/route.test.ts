import { expect, test } from 'vitest'
import { formatRoute, parseRoute, parseTableCode, type Route } from './route.ts'

const ROUTES: readonly (readonly [string, Route])[] = [
  ['#/', { screen: 'home' }],
  ['#/t/k7w2m9qx', { screen: 'table', room: 'k7w2m9qx', invitation: null }],
  ['#/t/k7w2m9qx/secret', { screen: 'table', room: 'k7w2m9qx', invitation: 'secret' }],
  ['#/pair/K7W2-M9QX', { screen: 'pair', code: 'K7W2-M9QX' }],
  ['#/replay', { screen: 'file' }],
  ['#/replay/k7w2m9qx', { screen: 'replay', room: 'k7w2m9qx', share: null }],
  ['#/replay/k7w2m9qx/share', { screen: 'replay', room: 'k7w2m9qx', share: 'share' }],
  ['#/player/0123456789ab', { screen: 'player', id: '0123456789ab' }],
  ['#/help', { screen: 'help' }],
  ['#/leaderboard', { screen: 'leaderboard', preset: null }],
  ['#/leaderboard/duel', { screen: 'leaderboard', preset: 'duel' }],
]

test.each(ROUTES)('%s is one place, there and back', (hash, route) => {
  expect(parseRoute(hash)).toEqual(route)
  expect(formatRoute(route)).toBe(hash)
})

test.each(['', '#', '#/t', '#/player', '#/nowhere'])('%j is the lobby', (hash) => {
  expect(parseRoute(hash)).toEqual({ screen: 'home' })
})

test.each([
  ['K7W2-M9QX', 'k7w2m9qx', null],
  ['k7w2 moqi', 'k7w2m0q1', null],
  ['http://127.0.0.1:8080/#/t/k7w2m9qx/secret', 'k7w2m9qx', 'secret'],
])('%s names a table', (text, room, invitation) => {
  expect(parseTableCode(text)).toEqual({ screen: 'table', room, invitation })
})

test.each(['', 'k7w2', 'http://127.0.0.1:8080/#/replay/k7w2m9qx'])('%j names none', (text) => {
  expect(parseTableCode(text)).toBeNull()
})
