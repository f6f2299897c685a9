import { legalMoves, type Move, SEATS, type Seat } from '@junqi/engine'
import { type Player, roomId } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { ANN, BO, CAI, DEE, EVE } from '../../test/support/players.ts'
import { CHANCE, PureRoom, START } from '../../test/support/pure-room.ts'
import { LOBBY_ENTRIES } from './room-limits.ts'
import { decideRoom } from './room-reducer.ts'
import type { RoomState } from './room-state.ts'

const FOUR = [ANN, BO, CAI, DEE]

function playing(options = {}, preset = 'siguo'): PureRoom {
  const room = new PureRoom({ host: ANN, preset, options: { firstSeat: 'south', ...options } })
  room.play(preset.startsWith('duel') ? [ANN, BO] : FOUR)
  return room
}

function playerOn(room: PureRoom, seat: Seat): Player {
  const player = room.state.seats[seat]?.player
  if (player === undefined) throw new Error(`nobody sits ${seat}`)
  return player
}

function legalMove(room: PureRoom): Move {
  const move = room.state.game && legalMoves(room.state.game, room.toMove)[0]
  if (!move) throw new Error('no move is legal')
  return move
}

const moveOf = (room: PureRoom, turn = room.state.game?.turn ?? -1) =>
  ({ type: 'move', turn, ...legalMove(room) }) as const

/** The seat to move moves. */
const step = (room: PureRoom, receivedAt = room.now) =>
  room.act(playerOn(room, room.toMove), moveOf(room), receivedAt)

test('R-OUT-4: a turn lasts turnSeconds from its start, for the next seat anew', () => {
  const room = playing()
  expect(room.state.deadline).toBe(room.now + 30_000)
  room.now += 12_000
  step(room)
  expect([room.toMove, room.state.deadline]).toEqual(['east', room.now + 30_000])
})

test('R-OUT-4: what a move takes beyond turnSeconds comes from the bank, and everyone is told', () => {
  const room = playing({ bankSeconds: 60 })
  expect(room.state.deadline).toBe(room.now + 90_000)
  room.now += 40_000
  expect(step(room).at(-1)).toEqual({ type: 'bankUsed', seat: 'south', bankMs: 50_000 })
  expect(room.state.bankMs).toMatchObject({ south: 50_000, east: 60_000 })
  expect(room.state.deadline).toBe(room.now + 90_000)
})

test('R-OUT-4: the bank is charged up to when the server received the move', () => {
  const room = playing({ bankSeconds: 60 })
  const receivedAt = room.now + 30_000
  room.now += 45_000
  expect(step(room, receivedAt).map(({ type }) => type)).not.toContain('bankUsed')
})

test('R-OUT-4: a skipped turn empties the bank and counts as a timeout', () => {
  const room = playing({ bankSeconds: 60 })
  room.now += 90_000
  expect(room.expire()).toEqual([
    { type: 'turnSkipped', seat: 'south' },
    { type: 'bankUsed', seat: 'south', bankMs: 0 },
  ])
  expect(room.state.game?.seats.south).toMatchObject({ timeouts: 1 })
  expect([room.toMove, room.state.deadline]).toEqual(['east', room.now + 90_000])
})

test('R-OUT-4: nothing that others do restarts a turn', () => {
  const room = playing({ leaving: 'forfeit' })
  const { deadline } = room.state
  room.now += 10_000
  room.act(BO, { type: 'offerDraw' })
  room.act(CAI, { type: 'answerDraw', offer: 1, accept: true })
  room.act(DEE, { type: 'leave' })
  expect([room.toMove, room.state.deadline]).toEqual(['south', deadline])
})

test('R-OUT-4: when the seat to move leaves, the next has its whole turn', () => {
  const room = playing({ leaving: 'forfeit' })
  room.now += 10_000
  room.act(ANN, { type: 'leave' })
  expect([room.toMove, room.state.deadline]).toEqual(['east', room.now + 30_000])
})

test('F-T1: of a move and its timeout exactly one happens', () => {
  const late = playing()
  late.now += 30_000
  const move = moveOf(late)
  late.expire()
  expect(late.refusal(ANN, move)).toBe('stale_turn')

  const inTime = playing()
  const deadline = inTime.state.deadline ?? 0
  inTime.now = deadline
  step(inTime, deadline)
  expect(() => inTime.expire()).toThrow('wrong_phase')
})

test('F-T3: a move counts by when the server received it', () => {
  const room = playing()
  const deadline = room.state.deadline ?? 0
  room.now = deadline + 100
  expect(room.refusal(ANN, moveOf(room), deadline + 1)).toBe('too_late')
  expect(room.refusal(ANN, { type: 'resign', turn: 0 }, deadline + 1)).toBe('too_late')
  room.act(ANN, moveOf(room), deadline)
  expect(room.toMove).toBe('east')
})

test('F-R6: a move or resignation for another turn is refused as stale', () => {
  const room = playing()
  step(room)
  expect(room.refusal(BO, moveOf(room, 0))).toBe('stale_turn')
  expect(room.refusal(BO, moveOf(room, 2))).toBe('stale_turn')
  expect(room.refusal(BO, { type: 'resign', turn: 0 })).toBe('stale_turn')
})

test('F-S6: a move is checked whole, for every seat', () => {
  const room = playing()
  const { turn } = room.state.game ?? { turn: -1 }
  for (const player of [BO, CAI, DEE]) {
    expect(room.refusal(player, moveOf(room))).toBe('not_your_turn')
  }
  expect(room.refusal(EVE, moveOf(room))).toBe('not_seated')
  for (const [from, to] of [
    ['g1', 'g2'],
    ['g6', 'q17'],
    ['a9', 'b9'],
    ['g6', 'g6'],
  ] as const) {
    expect(room.refusal(ANN, { type: 'move', turn, from, to })).toBe('illegal_move')
  }
  // Legal for its owner, whose turn it is not.
  for (const seat of ['east', 'north', 'west'] as const) {
    const move = room.state.game && legalMoves(room.state.game, seat)[0]
    if (!move) throw new Error('no move is legal')
    expect(room.refusal(ANN, { type: 'move', turn, ...move })).toBe('illegal_move')
  }
})

test('F-T5: with four seats skips, counts, eliminations and order are right', () => {
  const room = playing({ timeoutForfeit: 2 })
  const seats: Seat[] = []
  for (let n = 0; n < 4; n++) {
    seats.push(room.toMove)
    room.now = room.state.deadline ?? 0
    room.expire()
  }
  expect(seats).toEqual(['south', 'east', 'north', 'west'])
  room.now = room.state.deadline ?? 0
  expect(room.expire()).toEqual([
    { type: 'turnSkipped', seat: 'south' },
    { type: 'seatEliminated', seat: 'south', reason: 'timeouts' },
  ])
  expect(room.toMove).toBe('east')
  step(room)
  room.now = room.state.deadline ?? 0
  const last = room.expire()
  expect(last.at(-1)).toEqual({ type: 'gameEnded', winners: ['east', 'west'], reason: 'timeouts' })
  expect(room.state).toMatchObject({ phase: 'finished', deadline: null })
})

test('F-T5: with four seats who is out is passed over, and only its own timeouts count', () => {
  const room = playing({ timeoutForfeit: 1 })
  const timeout = () => {
    room.now = room.state.deadline ?? 0
    return room.expire()
  }
  expect(timeout().map(({ type }) => type)).toEqual(['turnSkipped', 'seatEliminated'])
  const seats: Seat[] = []
  for (let n = 0; n < 6; n++) {
    seats.push(room.toMove)
    step(room)
  }
  expect(seats).toEqual(['east', 'north', 'west', 'east', 'north', 'west'])
  const timeouts = SEATS.map((seat) => room.state.game?.seats[seat]?.timeouts)
  expect(timeouts).toEqual([1, 0, 0, 0])
  expect(room.state.game?.seats).toMatchObject({ north: { out: null } })
})

test('F-T6: until it is over a room always has a next deadline', () => {
  const room = new PureRoom({ host: ANN, options: { firstSeat: 'south', leaving: 'forfeit' } })
  const phases = new Set<string>()
  const lives = (happens: () => void) => {
    happens()
    phases.add(room.state.phase)
    expect(room.state.deadline ?? 0, room.state.phase).toBeGreaterThan(room.now)
    room.now += 1_000
  }
  lives(() => room.deploy(FOUR))
  lives(() => room.act(ANN, { type: 'removePlayer', target: BO.id }))
  lives(() => room.act(BO, { type: 'sit', seat: 'east', invitation: null }))
  for (const player of FOUR) lives(() => room.act(player, { type: 'ready' }))
  lives(() => room.act(ANN, START))
  const submit = () =>
    ({ type: 'submitFormation', formation: room.formation(), ...CHANCE }) as const
  for (const player of FOUR) lives(() => room.act(player, submit()))
  lives(() => step(room))
  // The seat to move leaves, then one that is not, then turns run out.
  lives(() => room.act(BO, { type: 'leave' }))
  lives(() => room.act(ANN, { type: 'leave' }))
  for (let n = 0; n < 4; n++) {
    room.now = room.state.deadline ?? 0
    lives(() => room.expire())
  }
  expect([...phases].sort()).toEqual(['deployment', 'lobby', 'playing'])
  room.act(CAI, { type: 'leave' })
  expect(room.state).toMatchObject({ phase: 'finished', deadline: null })
})

test('F-T7: however long a game lasts, nothing but its rules ends it', () => {
  const room = playing({ quietMoveLimit: null, turnSeconds: 600 })
  while (room.state.version < LOBBY_ENTRIES + 100 && room.state.phase === 'playing') {
    room.now += 599_000
    step(room)
  }
  expect(room.state).toMatchObject({ closed: false, phase: 'playing' })
})

test('R-OUT-7: when the host leaves in play, the longest seated that is still there follows', () => {
  const room = playing({ leaving: 'forfeit' })
  room.act(BO, { type: 'leave' })
  expect(room.act(ANN, { type: 'leave' }).at(-1)).toEqual({ type: 'hostChanged', player: CAI.id })
})

test('R-ROOM-5: a game of 10,000 turns that its rules did not end is drawn', () => {
  const room = playing({ quietMoveLimit: null }, 'duel')
  const { game } = room.state
  if (game === null) throw new Error('no game')
  const at = (turn: number): RoomState => ({ ...room.state, game: { ...game, turn } })
  const typesAt = (turn: number) => {
    const command = { ...moveOf(room, turn), player: ANN, at: room.now, receivedAt: room.now }
    const decided = decideRoom(at(turn), command)
    return decided.ok ? decided.value.map(({ type }) => type) : decided.error.code
  }
  expect(typesAt(9_998)).not.toContain('gameEnded')
  expect(typesAt(9_999).at(-1)).toBe('gameEnded')
})

test('R-OUT-7: a bot never becomes host', () => {
  const BOT = { ...BO, bot: 'easy' } as const
  const room = new PureRoom({ host: ANN, preset: 'siguo', options: { leaving: 'forfeit' } })
  room.play([BOT, ANN, { ...CAI, bot: 'easy' }, DEE])
  expect(room.act(ANN, { type: 'leave' }).at(-1)).toEqual({ type: 'hostChanged', player: DEE.id })
})

test('R-OUT-7, F-S5: who has left keeps its place in the record, and is a spectator', () => {
  const room = playing({ leaving: 'forfeit' })
  room.act(ANN, { type: 'leave' })
  expect(room.seatOf(ANN)).toBe('south')
  expect(room.refusal(ANN, { type: 'leave' })).toBe('seat_out')
  expect(room.refusal(ANN, { type: 'offerDraw' })).toBe('seat_out')
  expect(room.refusal(ANN, moveOf(room))).toBe('seat_out')
  for (const player of [BO, CAI]) room.act(player, { type: 'leave' })
  const rematch = { type: 'rematch', room: roomId.parse('zzzzzzzz'), closed: null } as const
  expect(room.refusal(ANN, rematch)).toBe('not_seated')
  expect(room.act(DEE, rematch)).toHaveLength(1)
})

test('a game that is over takes no command of a game', () => {
  const room = playing({}, 'duel')
  const move = moveOf(room)
  room.act(ANN, { type: 'leave' })
  expect(room.state.phase).toBe('finished')
  expect(room.refusal(BO, move)).toBe('game_over')
  expect(room.refusal(BO, { type: 'offerDraw' })).toBe('game_over')
  expect(room.refusal(BO, { type: 'leave' })).toBe('game_over')
  expect(room.refusal(BO, { type: 'ready' })).toBe('wrong_phase')
})

test('nobody stands up, sits down or is removed in play', () => {
  const room = playing()
  expect(room.refusal(BO, { type: 'stand' })).toBe('wrong_phase')
  expect(room.refusal(ANN, { type: 'removePlayer', target: BO.id })).toBe('wrong_phase')
  expect(room.refusal(EVE, { type: 'sit', seat: 'south', invitation: null })).toBe('wrong_phase')
})

test('R-OUT-5: too early a resignation tells from which move on it can be done', () => {
  const room = playing()
  step(room)
  const at = { at: room.now, receivedAt: room.now }
  const player = playerOn(room, room.toMove)
  expect(decideRoom(room.state, { type: 'resign', turn: 1, player, ...at })).toMatchObject({
    error: {
      code: 'resign_too_early',
      message: 'It is too early to resign, after 1 move; it can be done after 20 (resignFromMove).',
    },
  })
})
