import { describe, expect, test } from 'vitest'
import { createRoom, quickPlay, setSpectators } from './client-message.ts'
import { guestRequest } from './http.ts'
import { readAs } from './read-as.ts'
import { leaderboardQuery } from './standing.ts'

const room = 'k7w2m9qx'
const spectating = (spectators: unknown) => ({ type: 'setSpectators', id: '1', room, spectators })
const waiting = (bots: unknown) => ({ type: 'quickPlay', id: '1', preset: 'duel', bots })
const named = (options: unknown) => ({
  type: 'createRoom',
  id: '1',
  preset: 'duel',
  options,
  private: false,
})

test('a value in its form is read', () => {
  expect(readAs(guestRequest, 'body', { name: ' Ann ' })).toEqual({
    ok: true,
    value: { name: 'Ann' },
  })
})

describe('one sentence names the field and what would be right', () => {
  test.each([
    ['a field too much', { name: 'x', id: 1 }, 'body has no field id; its fields are name, bot.'],
    ['a misspelt one', { nam: 'x' }, 'body has no field nam; its fields are name, bot.'],
    ['a missing one', {}, 'body.name is missing: expected text.'],
    ['no object', null, 'body: expected object, received null.'],
    ['a list', [], 'body: expected object, received list.'],
    ['nothing', undefined, 'body is missing: expected object.'],
    ['another type', { name: 1 }, 'body.name: expected text, received number.'],
    [
      'a value of no list',
      { name: 'x', bot: 'best' },
      'body.bot: expected one of "easy"|"normal"|"hard".',
    ],
    ['a text too long', { name: 'x'.repeat(201) }, 'body.name: expected at most 200 characters.'],
  ])('%s', (_, value, sentence) => {
    expect(readAs(guestRequest, 'body', value)).toEqual({ ok: false, error: sentence })
  })

  test.each([
    [{ mode: 'delayed', moves: 0 }, '.moves: a delay is 1 to 100 moves.'],
    [{ mode: 'delayed', moves: 101 }, '.moves: a delay is 1 to 100 moves.'],
    [{ mode: 'delayed', moves: 1.5 }, '.moves: a delay is 1 to 100 moves.'],
    [{ mode: 'delayed' }, '.moves: a delay is 1 to 100 moves.'],
    [{ mode: 'friends' }, '.mode: expected one of "public"|"none"|"delayed".'],
    [{ mode: 'none', moves: 3 }, ' has no field moves; its fields are mode.'],
  ])('spectators %j', (spectators, sentence) => {
    expect(readAs(setSpectators, 'setSpectators', spectating(spectators))).toEqual({
      ok: false,
      error: `setSpectators.spectators${sentence}`,
    })
  })

  test.each([
    ['soon', ': expected "never", or afterSeconds and level.'],
    [{ afterSeconds: 601, level: 'easy' }, '.afterSeconds: a wait is 0 to 600 seconds.'],
  ])('bots %j', (bots, sentence) => {
    expect(readAs(quickPlay, 'quickPlay', waiting(bots))).toEqual({
      ok: false,
      error: `quickPlay.bots${sentence}`,
    })
  })

  test('an option whose name is none', () => {
    expect(readAs(createRoom, 'createRoom', named({ ['x'.repeat(41)]: 1 }))).toEqual({
      ok: false,
      error: `createRoom.options.${'x'.repeat(32)}…: an option's name has at most 40 characters.`,
    })
  })

  test('a query that one kind of list has, and another has not', () => {
    expect(readAs(leaderboardQuery, 'query', { by: 'score', preset: 'duel' })).toEqual({
      ok: false,
      error: 'query has no field preset; its fields are by, limit, cursor.',
    })
  })
})
