import { expect, test } from 'vitest'
import { ANN, BO, CAI, DEE, EVE, playerNumber } from '../../test/support/players.ts'
import { INVITATION, PureRoom, WRONG_INVITATION } from '../../test/support/pure-room.ts'
import { LOBBY_ENTRIES } from './room-limits.ts'

const sit = (seat: 'south' | 'east' | 'north' | 'west') =>
  ({ type: 'sit', seat, invitation: null }) as const

test('F-S2: a seat takes one player, whoever comes later is refused', () => {
  const room = new PureRoom({ host: ANN })
  expect(room.act(ANN, sit('south'))).toEqual([{ type: 'seatTaken', seat: 'south', player: ANN }])
  expect(room.refusal(BO, sit('south'))).toBe('seat_taken')
  expect(room.refusal(ANN, sit('south'))).toBe('seat_taken')
})

test('F-S3: a player has one seat in a room: sitting down again changes it, and is not ready', () => {
  const room = new PureRoom({ host: ANN })
  room.sit([ANN, BO])
  room.act(ANN, { type: 'ready' })
  expect(room.act(ANN, sit('north'))).toEqual([
    { type: 'seatChanged', player: ANN.id, from: 'south', to: 'north' },
  ])
  expect(room.seatOf(ANN)).toBe('north')
  expect(room.state.seats.south).toBeNull()
  expect(room.state.seats.north?.ready).toBe(false)
})

test('a room has the seats of its rules, no others', () => {
  const room = new PureRoom({ host: ANN, preset: 'duel' })
  expect(room.refusal(ANN, sit('east'))).toBe('no_such_seat')
})

test('F-S5: who has stood up has no seat to act from', () => {
  const room = new PureRoom({ host: ANN })
  room.sit([ANN, BO])
  expect(room.act(BO, { type: 'stand' })).toEqual([
    { type: 'seatVacated', seat: 'east', player: BO.id, reason: 'stood' },
  ])
  for (const type of ['stand', 'ready', 'notReady', 'leave'] as const) {
    expect(room.refusal(BO, { type })).toBe('not_seated')
  }
  expect(room.refusal(BO, { type: 'requestSwap', seat: 'south' })).toBe('not_seated')
})

test('the host removes a seated player, nobody else does', () => {
  const room = new PureRoom({ host: ANN })
  room.sit([ANN, BO, CAI])
  expect(room.refusal(BO, { type: 'removePlayer', target: CAI.id })).toBe('not_host')
  expect(room.refusal(ANN, { type: 'removePlayer', target: DEE.id })).toBe('no_such_player')
  expect(room.refusal(ANN, { type: 'removePlayer', target: ANN.id })).toBe('not_yourself')
  expect(room.act(ANN, { type: 'removePlayer', target: CAI.id })).toEqual([
    { type: 'seatVacated', seat: 'north', player: CAI.id, reason: 'removed' },
  ])
})

test('when the host leaves, the longest seated follows', () => {
  const room = new PureRoom({ host: ANN })
  room.act(CAI, sit('south'))
  room.act(BO, sit('west'))
  room.act(ANN, sit('east'))
  room.act(CAI, sit('north'))
  expect(room.act(ANN, { type: 'leave' })).toEqual([
    { type: 'seatVacated', seat: 'east', player: ANN.id, reason: 'left' },
    { type: 'hostChanged', player: CAI.id },
  ])
})

test('a host without a seat hands the room over as well', () => {
  const room = new PureRoom({ host: ANN })
  room.act(BO, sit('south'))
  expect(room.act(ANN, { type: 'leave' })).toEqual([{ type: 'hostChanged', player: BO.id }])
})

test('a host that only stands up stays host', () => {
  const room = new PureRoom({ host: ANN })
  room.sit([ANN, BO])
  room.act(ANN, { type: 'stand' })
  expect(room.state.host).toBe(ANN.id)
})

test('a room that its last player leaves is closed, and nothing more can be done in it', () => {
  const room = new PureRoom({ host: ANN })
  room.sit([ANN])
  room.act(ANN, { type: 'leave' })
  expect(room.state.closed).toBe(true)
  expect(room.refusal(BO, sit('south'))).toBe('room_closed')
})

test('a swap needs the yes of the other, and makes both not ready', () => {
  const room = new PureRoom({ host: ANN })
  room.sit([ANN, BO, CAI])
  for (const player of [ANN, BO]) room.act(player, { type: 'ready' })
  expect(room.act(ANN, { type: 'requestSwap', seat: 'east' })).toEqual([
    { type: 'swapRequested', swap: 1, by: 'south', with: 'east' },
  ])
  expect(room.refusal(ANN, { type: 'answerSwap', swap: 1, accept: true })).toBe('no_such_swap')
  expect(room.refusal(CAI, { type: 'answerSwap', swap: 1, accept: true })).toBe('no_such_swap')
  expect(room.act(BO, { type: 'answerSwap', swap: 1, accept: true })).toEqual([
    { type: 'swapAnswered', swap: 1, accept: true },
  ])
  expect([room.seatOf(ANN), room.seatOf(BO)]).toEqual(['east', 'south'])
  expect([room.state.seats.east?.ready, room.state.seats.south?.ready]).toEqual([false, false])
  expect(room.state.swaps).toEqual([])
})

test('a no to a swap changes nothing but the request', () => {
  const room = new PureRoom({ host: ANN })
  room.sit([ANN, BO])
  room.act(ANN, { type: 'requestSwap', seat: 'east' })
  room.act(BO, { type: 'answerSwap', swap: 1, accept: false })
  expect([room.seatOf(ANN), room.seatOf(BO), room.state.swaps]).toEqual(['south', 'east', []])
  expect(room.refusal(BO, { type: 'answerSwap', swap: 1, accept: true })).toBe('no_such_swap')
})

test('a swap is asked of another player who sits, one at a time', () => {
  const room = new PureRoom({ host: ANN })
  room.sit([ANN, BO, CAI])
  expect(room.refusal(ANN, { type: 'requestSwap', seat: 'south' })).toBe('no_such_player')
  expect(room.refusal(ANN, { type: 'requestSwap', seat: 'west' })).toBe('no_such_player')
  room.act(ANN, { type: 'requestSwap', seat: 'east' })
  expect(room.act(ANN, { type: 'requestSwap', seat: 'north' })).toEqual([
    { type: 'swapAnswered', swap: 1, accept: false },
    { type: 'swapRequested', swap: 2, by: 'south', with: 'north' },
  ])
})

test.each([
  ['the asker changes its seat', ANN, sit('west')],
  ['the asked stands up', BO, { type: 'stand' }],
  ['the asked leaves', BO, { type: 'leave' }],
  ['the asked is removed', ANN, { type: 'removePlayer', target: BO.id }],
] as const)('a request to swap lapses when %s', (_, player, action) => {
  const room = new PureRoom({ host: ANN })
  room.sit([ANN, BO])
  room.act(ANN, { type: 'requestSwap', seat: 'east' })
  expect(room.act(player, action)[0]).toEqual({ type: 'swapAnswered', swap: 1, accept: false })
  expect(room.state.swaps).toEqual([])
})

test('a swap that comes about lets the other requests of the two lapse', () => {
  const room = new PureRoom({ host: ANN })
  room.sit([ANN, BO, CAI, DEE])
  room.act(ANN, { type: 'requestSwap', seat: 'east' })
  room.act(CAI, { type: 'requestSwap', seat: 'south' })
  room.act(DEE, { type: 'requestSwap', seat: 'north' })
  room.act(BO, { type: 'answerSwap', swap: 1, accept: true })
  expect(room.state.swaps).toEqual([{ swap: 3, by: 'west', with: 'north' }])
})

test('a private room is for those with its invitation', () => {
  const room = new PureRoom({ host: ANN, private: true })
  const wrong = { type: 'sit', seat: 'south', invitation: WRONG_INVITATION } as const
  expect(room.refusal(BO, sit('south'))).toBe('room_not_found')
  expect(room.refusal(BO, wrong)).toBe('room_not_found')
  expect(room.act(BO, { type: 'sit', seat: 'south', invitation: INVITATION })).toEqual([
    { type: 'memberJoined', player: BO },
    { type: 'seatTaken', seat: 'south', player: BO },
  ])
  expect(room.act(CAI, { type: 'join', invitation: INVITATION })).toEqual([
    { type: 'memberJoined', player: CAI },
  ])
  expect(room.act(CAI, { type: 'join', invitation: null })).toEqual([])
  expect(room.act(CAI, sit('east'))).toEqual([{ type: 'seatTaken', seat: 'east', player: CAI }])
})

test.each([
  ['leaves', BO, { type: 'leave' }],
  ['is removed', ANN, { type: 'removePlayer', target: BO.id }],
] as const)(
  'F-S5: a player that %s before play is a stranger to a private room again',
  (_, by, action) => {
    const room = new PureRoom({ host: ANN, private: true })
    room.sit([ANN, BO])
    room.act(by, action)
    expect(room.refusal(BO, sit('east'))).toBe('room_not_found')
  },
)

test('F-S2: a private room has room for so many members', () => {
  const room = new PureRoom({ host: ANN, private: true })
  for (let n = 1; n < 256; n++) {
    room.act(playerNumber(n), { type: 'join', invitation: INVITATION })
  }
  const late = playerNumber(256)
  expect(room.refusal(late, { type: 'join', invitation: INVITATION })).toBe('room_full')
  expect(room.refusal(late, { type: 'sit', seat: 'south', invitation: INVITATION })).toBe(
    'room_full',
  )
})

test('a lobby in which everything changes all the time is closed in the end', () => {
  const room = new PureRoom({ host: ANN })
  room.sit([ANN])
  for (let n = room.state.version; n < LOBBY_ENTRIES - 1; n++) room.act(ANN, { type: 'notReady' })
  expect(room.state.closed).toBe(false)
  expect(room.act(ANN, { type: 'notReady' }).at(-1)).toEqual({ type: 'roomClosed' })
  expect(room.refusal(EVE, sit('north'))).toBe('room_closed')
})
