import { expect, test } from 'vitest'
import { ANN, BO, CAI, DEE } from '../../test/support/players.ts'
import { CHANCE, PureRoom, START } from '../../test/support/pure-room.ts'
import { LOBBY_IDLE_MS } from './room-limits.ts'

const FOUR = [ANN, BO, CAI, DEE]

test('the host starts when every seat is taken and ready, its own too', () => {
  const room = new PureRoom({ host: ANN })
  room.sit([ANN, BO, CAI])
  for (const player of [ANN, BO, CAI]) room.act(player, { type: 'ready' })
  expect(room.refusal(ANN, START)).toBe('not_all_ready')
  room.act(DEE, { type: 'sit', seat: 'west', invitation: null })
  expect(room.refusal(ANN, START)).toBe('not_all_ready')
  room.act(DEE, { type: 'ready' })
  expect(room.refusal(BO, START)).toBe('not_host')
  room.act(ANN, { type: 'notReady' })
  expect(room.refusal(ANN, START)).toBe('not_all_ready')
  room.act(ANN, { type: 'ready' })
  expect(room.refusal(ANN, { type: 'ready' })).toBe('already_ready')
  expect(room.act(ANN, START)).toEqual([{ type: 'deploymentStarted' }])
  expect(FOUR.map((player) => room.state.seats[room.seatOf(player) ?? 'south']?.ready)).toEqual([
    false,
    false,
    false,
    false,
  ])
})

test('the start lets open requests to swap lapse', () => {
  const room = new PureRoom({ host: ANN, preset: 'duel' })
  room.sit([ANN, BO])
  room.act(BO, { type: 'requestSwap', seat: 'south' })
  for (const player of [ANN, BO]) room.act(player, { type: 'ready' })
  expect(room.act(ANN, START)).toEqual([
    { type: 'swapAnswered', swap: 1, accept: false },
    { type: 'deploymentStarted' },
  ])
})

test('other rules clear what was ready', () => {
  const room = new PureRoom({ host: ANN })
  room.sit([ANN, BO])
  room.act(BO, { type: 'ready' })
  const rules = { type: 'setRules', preset: 'siguo', options: { bankSeconds: 60 } } as const
  expect(room.refusal(BO, rules)).toBe('not_host')
  room.act(ANN, rules)
  expect(room.state.seats.east).toMatchObject({ player: BO, ready: false })
  expect(room.state.rules).toMatchObject({ preset: 'siguo', options: { bankSeconds: 60 } })
  expect(room.state.bankMs.east).toBe(60_000)
})

test('rules with fewer seats vacate those that are gone, requests to swap included', () => {
  const room = new PureRoom({ host: ANN })
  room.sit([ANN, BO, CAI])
  room.act(BO, { type: 'requestSwap', seat: 'south' })
  const events = room.act(ANN, { type: 'setRules', preset: 'duel', options: {} })
  expect(events.map(({ type }) => type)).toEqual(['swapAnswered', 'seatVacated', 'rulesChanged'])
  expect([room.seatOf(ANN), room.seatOf(BO), room.seatOf(CAI)]).toEqual(['south', null, 'north'])
})

test('rules that cannot be played are refused', () => {
  const room = new PureRoom({ host: ANN })
  const rules = (preset: string, options = {}) => ({ type: 'setRules', preset, options }) as const
  expect(room.refusal(ANN, rules('gungi'))).toBe('bad_rules')
  expect(room.refusal(ANN, rules('duel', { turnSeconds: 4 }))).toBe('bad_rules')
  expect(room.refusal(ANN, rules('duel', { board: 'siguo' }))).toBe('bad_rules')
})

test('F-T7: a lobby counts its idle time from the last act in it', () => {
  const room = new PureRoom({ host: ANN })
  expect(room.state.deadline).toBe(room.now + LOBBY_IDLE_MS)
  room.now += LOBBY_IDLE_MS - 1
  room.sit([ANN])
  expect(room.state.deadline).toBe(room.now + LOBBY_IDLE_MS)
  room.now += LOBBY_IDLE_MS
  expect(room.expire()).toEqual([{ type: 'roomClosed' }])
})

test('F-T7: an idle lobby stays open as long as somebody who sits in it is connected', () => {
  const room = new PureRoom({ host: ANN })
  room.sit([ANN])
  room.now += LOBBY_IDLE_MS
  expect(room.expire(true)).toEqual([])
  expect(room.state).toMatchObject({ closed: false, deadline: room.now + LOBBY_IDLE_MS })
})

test.each([
  ['move', { type: 'move', turn: 0, from: 'g6', to: 'g7' }, 'wrong_phase'],
  ['resign', { type: 'resign', turn: 0 }, 'wrong_phase'],
  ['offerDraw', { type: 'offerDraw' }, 'wrong_phase'],
  ['answerDraw', { type: 'answerDraw', offer: 1, accept: true }, 'wrong_phase'],
  ['saveDraft', { type: 'saveDraft', formation: '' }, 'wrong_phase'],
  ['submitFormation', { type: 'submitFormation', formation: '', ...CHANCE }, 'wrong_phase'],
] as const)('F-S6: %s has no place in a lobby', (_, action, code) => {
  const room = new PureRoom({ host: ANN })
  room.sit([ANN])
  expect(room.refusal(ANN, action)).toBe(code)
})
