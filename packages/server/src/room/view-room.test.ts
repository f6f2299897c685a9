import {
  boardOf,
  legalMoves,
  type Move,
  type PieceView,
  SEATS,
  type Seat,
  type Viewer,
} from '@junqi/engine'
import type { Player, RoomView } from '@junqi/protocol'
import { describe, expect, test } from 'vitest'
import { maskedCommitments } from '../../test/support/masked.ts'
import { ANN, BO, CAI, DEE, EVE } from '../../test/support/players.ts'
import { CHANCE, PureRoom } from '../../test/support/pure-room.ts'
import type { Refusal } from './decision.ts'
import type { PlayerAction } from './room-command.ts'
import { decideRoom, evolveRoom } from './room-reducer.ts'
import type { RoomState } from './room-state.ts'
import { viewEntry, viewForAll } from './view-entry.ts'
import { viewRoom } from './view-room.ts'

const FOUR = [ANN, BO, CAI, DEE]
const ALLY = { south: 'north', north: 'south', east: 'west', west: 'east' } as const

const look = (state: RoomState, player: Player | null): RoomView =>
  viewRoom(state, { player: player?.id ?? null, draft: null, history: [], goneSince: () => null })

const seatOfPiece = ({ id }: PieceView): string => id.split(':')[0] ?? ''

/** Plays that many moves, each legal, chosen by chance; stops at the end of the game. */
function playOn(room: PureRoom, moves: number): void {
  for (let n = 0; n < moves && room.state.phase === 'playing'; n++) {
    const { game } = room.state
    if (game === null) return
    const legal = legalMoves(game, room.toMove)
    const move = legal[Math.floor(room.random() * legal.length)]
    const player = room.state.seats[room.toMove]?.player
    if (move === undefined || player === undefined) return
    room.act(player, { type: 'move', turn: game.turn, ...move })
  }
}

function playing(preset: string, options = {}): PureRoom {
  const room = new PureRoom({ host: ANN, preset, options: { quietMoveLimit: null, ...options } })
  room.play(FOUR)
  return room
}

/** The seats whose pieces a view shows beyond those shown to everyone. */
function seatsSeen(room: PureRoom, view: RoomView): readonly string[] {
  const shown = new Set(room.state.game?.pieces.filter((p) => p?.shown).map((p) => p?.id))
  const known =
    view.game?.pieces.filter(({ id, kind }) => kind !== 'hidden' && !shown.has(id)) ?? []
  return [...new Set(known.map(seatOfPiece))].sort()
}

describe.each([
  ['siguo', { own: true, ally: false, enemy: false }],
  ['siguo-ally-open', { own: true, ally: true, enemy: false }],
  ['siguo-open', { own: true, ally: true, enemy: true }],
] as const)('%s', (preset, sees) => {
  test('F-H6: a seat sees its own pieces, and others as the rules say, seat by seat', () => {
    const room = playing(preset)
    for (let n = 0; n < 20; n++) {
      for (const player of FOUR) {
        const view = look(room.state, player)
        const own = view.you.seat ?? 'south'
        const expected = SEATS.filter((seat) =>
          seat === own ? sees.own : seat === ALLY[own] ? sees.ally : sees.enemy,
        )
        expect(seatsSeen(room, view)).toEqual([...expected].sort())
      }
      playOn(room, 3)
    }
  })

  test('F-H1, F-H7: who has no seat sees what every seat sees, and no more', () => {
    const room = playing(preset)
    playOn(room, 40)
    for (const stranger of [EVE, null]) {
      const view = look(room.state, stranger)
      expect(seatsSeen(room, view)).toEqual(sees.enemy ? [...SEATS].sort() : [])
      expect(view.legalMoves).toEqual({})
      expect(view.you).toEqual({ seat: null, draft: null })
    }
  })
})

test('F-H5: a view tells the legal moves of the own pieces only', () => {
  const room = playing('siguo-open')
  playOn(room, 30)
  for (const player of FOUR) {
    const view = look(room.state, player)
    const own = new Set(
      view.game?.pieces.filter((piece) => seatOfPiece(piece) === view.you.seat).map((p) => p.space),
    )
    for (const from of Object.keys(view.legalMoves)) expect(own).toContain(from)
    expect(Object.keys(view.legalMoves)).not.toEqual([])
  }
  for (const stranger of [EVE, null]) expect(look(room.state, stranger).legalMoves).toEqual({})
})

test('F-H8: the id of a piece is its seat and its first space, the order that of the spaces', () => {
  const room = playing('siguo')
  const { spaces } = boardOf(room.state.rules.ruleSet)
  const pieces = look(room.state, ANN).game?.pieces ?? []
  expect(pieces).toHaveLength(100)
  for (const { id, space } of pieces) expect(id).toMatch(new RegExp(`^[a-z]+:${space}$`))
  for (let n = 0; n < 40; n++) {
    playOn(room, 1)
    const after = look(room.state, ANN).game?.pieces ?? []
    expect(pieces.map(({ id }) => id)).toEqual(expect.arrayContaining(after.map(({ id }) => id)))
    const places = after.map(({ space }) => spaces.indexOf(space))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  }
})

test('R-OUT-7: who has left sees what spectators see', () => {
  const room = playing('siguo-ally-open', { leaving: 'forfeit' })
  playOn(room, 10)
  room.act(ANN, { type: 'leave' })
  expect(look(room.state, ANN).game).toEqual(look(room.state, EVE).game)
})

test('R-END-6: at the end everyone sees everything', () => {
  const room = playing('siguo')
  playOn(room, 20)
  room.act(ANN, { type: 'leave' })
  const view = look(room.state, EVE)
  expect(view.phase).toBe('finished')
  expect(view.game?.pieces.filter(({ kind }) => kind === 'hidden')).toEqual([])
  for (const seat of SEATS) expect(view.game?.formations[seat]).toHaveLength(25)
})

test('F-H9: in deployment a view tells who is ready, and no formation but the own draft', () => {
  const room = new PureRoom({ host: ANN })
  room.deploy(FOUR)
  const formation = room.formation()
  room.act(BO, { type: 'submitFormation', formation, ...CHANCE })
  for (const player of [...FOUR, EVE, null]) {
    const view = look(room.state, player)
    expect(view.seats.east?.ready).toBe(true)
    expect(JSON.stringify(view)).not.toContain(formation)
  }
  for (const viewer of [...SEATS, 'spectator'] as const) {
    for (const [before, entry] of steps(room)) {
      expect(JSON.stringify(viewEntry(before, entry, viewer))).not.toContain(formation)
    }
  }
})

test('F-H2: what everyone is told alike is what each viewer would be told', () => {
  const room = playing('siguo-ally-open', { leaving: 'forfeit' })
  playOn(room, 60)
  room.act(BO, { type: 'leave' })
  let shared = 0
  for (const [before, entry] of steps(room)) {
    const forAll = viewForAll(entry)
    if (forAll === null) continue
    shared += 1
    for (const viewer of [...SEATS, 'spectator'] as const) {
      expect(viewEntry(before, entry, viewer)).toEqual(forAll)
    }
  }
  expect(shared).toBeGreaterThan(60)
})

/**
 * Two games that differ in what is hidden from south, with the same moves: none of them an attack,
 * each legal in both (R-SEE-6).
 */
function twins(): readonly [PureRoom, PureRoom] {
  const rooms = [1, 2].map(() => new PureRoom({ host: ANN, options: { firstSeat: 'south' } }))
  const [one, other] = rooms
  if (one === undefined || other === undefined) throw new Error('two rooms')
  for (const room of rooms) room.deploy(FOUR)
  const own = one.formation()
  for (const player of FOUR) {
    for (const room of [one, other]) {
      const formation = player === ANN ? own : one.formation()
      room.act(player, { type: 'submitFormation', formation, ...CHANCE })
    }
  }
  return [one, other]
}

function commonMove(one: PureRoom, other: PureRoom): Move | undefined {
  const [left, right] = [one.state.game, other.state.game]
  if (left === null || right === null) return undefined
  const occupied = new Set(look(one.state, null).game?.pieces.map(({ space }) => space))
  const legal = legalMoves(right, other.toMove)
  const common = legalMoves(left, one.toMove).filter(
    ({ from, to }) =>
      !occupied.has(to) && legal.some((move) => move.from === from && move.to === to),
  )
  return common[Math.floor(one.random() * common.length)]
}

const bytesOf = (seen: unknown): string => maskedCommitments(JSON.stringify(seen))

/** Code and text of a refusal; null: the action is accepted. */
function refusalOf({ state, now }: PureRoom, player: Player, action: PlayerAction): Refusal | null {
  const decided = decideRoom(state, { ...action, player, at: now, receivedAt: now })
  return decided.ok ? null : decided.error
}

/** Every move of a player's pieces to where one of another seat stands, legal or not. */
function movesOf({ state }: PureRoom, player: Player): readonly PlayerAction[] {
  const { game, you } = look(state, player)
  const isOwn = (piece: PieceView) => seatOfPiece(piece) === you.seat
  const pieces = game?.pieces ?? []
  const others = pieces.filter((piece) => !isOwn(piece))
  return pieces
    .filter(isOwn)
    .flatMap(({ space: from }) =>
      others.map(({ space: to }) => ({ type: 'move', turn: game?.turn ?? -1, from, to }) as const),
    )
}

test('F-H4: games that differ only in what is hidden look the same, refusals included', () => {
  const [one, other] = twins()
  const asked = [
    { type: 'move', turn: 0, from: 'g6', to: 'q17' },
    { type: 'move', turn: 1, from: 'a9', to: 'b9' },
    { type: 'resign', turn: 0 },
    { type: 'answerDraw', offer: 1, accept: true },
    { type: 'sit', seat: 'north', invitation: null },
  ] as const
  for (let n = 0; n < 40; n++) {
    for (const player of [ANN, EVE]) {
      expect(bytesOf(look(one.state, player))).toBe(bytesOf(look(other.state, player)))
      for (const action of asked) {
        expect(refusalOf(one, player, action)).toEqual(refusalOf(other, player, action))
      }
    }
    for (const action of n % 4 === 0 ? movesOf(one, ANN) : []) {
      expect(refusalOf(one, ANN, action)).toEqual(refusalOf(other, ANN, action))
    }
    const move = commonMove(one, other)
    if (move === undefined) break
    for (const room of [one, other]) {
      const player = room.state.seats[room.toMove]?.player ?? ANN
      room.act(player, { type: 'move', turn: room.state.game?.turn ?? -1, ...move })
    }
  }
  expect(one.state.version).toBeGreaterThan(30)
  const seen = (viewer: Viewer) =>
    [one, other].map((room) => [...steps(room)].map(([s, e]) => viewEntry(s, e, viewer)))
  for (const viewer of ['south', 'spectator'] as const) {
    const [left, right] = seen(viewer)
    expect(bytesOf(left)).toBe(bytesOf(right))
  }
  const [left, right] = seen('north' satisfies Seat)
  expect(bytesOf(left)).not.toBe(bytesOf(right))
})

test('F-H11: a move names spaces; what stands there is for the server to know', () => {
  const room = playing('siguo', { firstSeat: 'south' })
  const { game } = room.state
  const mine = game?.pieces.findIndex((piece) => piece?.kind === 'landmine') ?? -1
  expect(mine).toBeGreaterThan(-1)
  const landmines = look(room.state, ANN).game?.pieces.filter(({ kind }) => kind === 'landmine')
  for (const { space } of landmines ?? []) {
    const move = { type: 'move', turn: 0, from: space, to: 'g7' } as const
    expect(room.refusal(ANN, move)).toBe('illegal_move')
  }
})

/** Each entry of a room's log, with the room before it. */
function* steps(room: PureRoom): Generator<readonly [RoomState, (typeof room.log)[number]]> {
  let state: RoomState | null = null
  for (const entry of room.log) {
    if (state !== null) yield [state, entry]
    state = evolveRoom(state, entry)
  }
}
