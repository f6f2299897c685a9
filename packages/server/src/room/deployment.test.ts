import { checkFormation, type Seat } from '@junqi/engine'
import { expect, test } from 'vitest'
import { ANN, BO, CAI, DEE, EVE } from '../../test/support/players.ts'
import { CHANCE, PureRoom } from '../../test/support/pure-room.ts'
import { LOBBY_ENTRIES } from './room-limits.ts'

const FOUR = [ANN, BO, CAI, DEE]

function deployed(options = {}): PureRoom {
  const room = new PureRoom({ host: ANN, options })
  room.deploy(FOUR)
  return room
}

const submit = (room: PureRoom, formation = room.formation(), random = 0) =>
  ({ type: 'submitFormation', formation, ...CHANCE, random }) as const

test('the last formation handed in starts the game in the same entry', () => {
  const room = deployed()
  for (const player of [ANN, BO, CAI]) {
    expect(room.act(player, submit(room)).map(({ type }) => type)).toEqual(['formationSubmitted'])
  }
  const events = room.act(DEE, submit(room))
  expect(events.map(({ type }) => type)).toEqual([
    'formationSubmitted',
    'gameStarted',
    'gameSealed',
  ])
  expect(room.state).toMatchObject({ phase: 'playing', formations: {}, startedAt: room.now })
})

test.each([
  [0, 'south'],
  [0.3, 'east'],
  [0.5, 'north'],
  [0.99, 'west'],
])('R-TURN-2: chance %d makes %s first', (random, first) => {
  const room = deployed()
  for (const player of FOUR) room.act(player, submit(room, room.formation(), random))
  expect(room.toMove).toBe(first)
})

test('R-TURN-2: where the rules name the first seat chance has no part', () => {
  const room = deployed({ firstSeat: 'north' })
  for (const player of FOUR) room.act(player, submit(room, room.formation(), 0))
  expect(room.toMove).toBe('north')
})

test('F-S6: every formation is checked, whichever is handed in first', () => {
  const room = deployed()
  const formation = room.formation()
  const bombsInFront = `BB${[...formation].filter((symbol) => symbol !== 'B').join('')}`
  for (const player of FOUR) {
    for (const wrong of ['9'.repeat(25), bombsInFront, formation.replace('F', 'L'), '']) {
      expect(room.refusal(player, submit(room, wrong))).toBe('bad_formation')
      expect(room.refusal(player, { type: 'saveDraft', formation: wrong })).toBe('bad_formation')
    }
    room.act(player, submit(room))
  }
  expect(room.state.phase).toBe('playing')
})

test('R-DEPLOY-5: rows may be set apart by a slash', () => {
  const room = deployed()
  const text = room.formation()
  const rows = text.replace(/^(.{5})(.{3})(.{4})(.{3})(.{5})/, '$1/$2/$3/$4/$5/')
  expect(room.act(ANN, submit(room, rows))).toEqual([
    { type: 'formationSubmitted', seat: 'south', formation: text },
  ])
})

test('R-DEPLOY-6: ready may be withdrawn until everyone is ready', () => {
  const room = deployed()
  room.act(ANN, submit(room))
  expect(room.refusal(ANN, submit(room))).toBe('already_ready')
  expect(room.refusal(ANN, { type: 'saveDraft', formation: room.formation() })).toBe(
    'already_ready',
  )
  expect(room.act(ANN, { type: 'notReady' })).toEqual([
    { type: 'readyChanged', seat: 'south', ready: false },
  ])
  expect(room.state.formations).toEqual({})
  for (const player of FOUR) room.act(player, submit(room))
  expect(room.refusal(ANN, { type: 'notReady' })).toBe('wrong_phase')
})

test('R-DEPLOY-6, F-H9: a draft leaves no trace in the log', () => {
  const room = deployed()
  const before = room.state
  expect(room.act(ANN, { type: 'saveDraft', formation: room.formation() })).toEqual([])
  expect(room.state).toBe(before)
})

test('R-DEPLOY-7: at the deadline play starts with what was handed in, and the rest filled up', () => {
  const room = deployed()
  const formation = room.formation()
  room.act(BO, submit(room, formation))
  room.now += 180_000 - 1
  expect(() => room.expire()).toThrow('wrong_phase')
  room.now += 1
  const [started] = room.expire()
  if (started?.type !== 'gameStarted') throw new Error('the game did not start')
  expect(started.formations.east).toBe(formation)
  for (const seat of ['south', 'north', 'west'] satisfies Seat[]) {
    expect(checkFormation(room.state.rules.ruleSet, started.formations[seat] ?? '')).toBeNull()
  }
})

test('R-DEPLOY-7: nothing that happens in it makes deployment longer', () => {
  const room = deployed()
  const { deadline } = room.state
  room.now += 100_000
  room.act(ANN, submit(room))
  expect(room.state.deadline).toBe(deadline)
})

test('F-T3: a formation counts by when the server received it', () => {
  const room = deployed()
  room.act(ANN, submit(room))
  const deadline = room.state.deadline ?? 0
  room.now = deadline + 5
  expect(room.refusal(BO, submit(room), deadline + 1)).toBe('too_late')
  expect(room.refusal(BO, { type: 'saveDraft', formation: room.formation() }, deadline + 1)).toBe(
    'too_late',
  )
  expect(room.refusal(ANN, { type: 'notReady' }, deadline + 1)).toBe('too_late')
  expect(room.act(BO, submit(room), deadline)).toHaveLength(1)
})

test.each([
  ['leaves', BO, { type: 'leave' }],
  ['stands up', BO, { type: 'stand' }],
  ['is removed', ANN, { type: 'removePlayer', target: BO.id }],
] as const)('R-DEPLOY-7: when someone %s, the room is back in the lobby', (_, player, action) => {
  const room = deployed()
  room.act(CAI, submit(room))
  expect(room.act(player, action).map(({ type }) => type)).toEqual([
    'seatVacated',
    'deploymentCancelled',
  ])
  expect(room.state).toMatchObject({ phase: 'lobby', formations: {}, game: null })
  expect(room.state.seats.north?.ready).toBe(false)
})

test('nobody takes or swaps seats in deployment', () => {
  const room = deployed()
  expect(room.refusal(EVE, { type: 'sit', seat: 'south', invitation: null })).toBe('wrong_phase')
  expect(room.refusal(ANN, { type: 'requestSwap', seat: 'east' })).toBe('wrong_phase')
  expect(room.refusal(EVE, submit(room))).toBe('not_seated')
})

test('ready and not ready cannot go on for ever', () => {
  const room = deployed()
  while (room.state.version < LOBBY_ENTRIES) {
    room.act(ANN, submit(room))
    if (room.state.version < LOBBY_ENTRIES) room.act(ANN, { type: 'notReady' })
  }
  if (!room.state.seats.south?.ready) room.act(ANN, submit(room))
  expect(room.refusal(ANN, { type: 'notReady' })).toBe('wrong_phase')
})
