import {
  type GameState,
  legalFlips,
  legalMoves,
  PIECE_KINDS,
  type Seat,
  shuffledLayout,
} from '@junqi/engine'
import { type Player, roomId } from '@junqi/protocol'
import { describe, expect, test } from 'vitest'
import { ANN, BO, EVE, seededRandom } from '../../test/support/players.ts'
import { PureRoom, START } from '../../test/support/pure-room.ts'
import { encodeEntry, parseEntry } from './log-entry.ts'
import { replay } from './replay.ts'
import { viewEntry, viewForAll } from './view-entry.ts'
import { viewRoom } from './view-room.ts'

const TURN_MS = 60_000
const LAYOUT = shuffledLayout(seededRandom(7))

/** Both sit and are ready; Ann is the host, and south. */
function seated(options = {}): PureRoom {
  const room = new PureRoom({
    host: ANN,
    preset: 'flip',
    options: { firstSeat: 'south', ...options },
  })
  room.sit([ANN, BO])
  for (const player of [ANN, BO]) room.act(player, { type: 'ready' })
  return room
}

function playing(options = {}): PureRoom {
  const room = seated(options)
  room.act(ANN, { ...START, layout: LAYOUT })
  return room
}

const gameOf = ({ state: { game } }: PureRoom): GameState => {
  if (game === null) throw new Error('there is no game')
  return game
}

const playerOn = (seat: Seat): Player => (seat === 'south' ? ANN : BO)

const flipOf = (room: PureRoom, turn = gameOf(room).turn) => {
  const [space = ''] = legalFlips(gameOf(room), room.toMove)
  return { type: 'flip', turn, space } as const
}

/** The seat to move turns something up, or moves where it may and chance will have it. */
function step(room: PureRoom): void {
  const game = gameOf(room)
  const { toMove } = room
  const moves = legalMoves(game, toMove)
  const flips = legalFlips(game, toMove)
  const isMove = moves.length > 0 && (flips.length === 0 || room.random() < 0.5)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(room.random() * items.length)] as T
  const { turn } = game
  room.act(
    playerOn(toMove),
    isMove ? { type: 'move', turn, ...pick(moves) } : { type: 'flip', turn, space: pick(flips) },
  )
}

const look = (room: PureRoom, player: Player | null) =>
  viewRoom(room.state, {
    player: player?.id ?? null,
    draft: null,
    history: [],
    goneSince: () => null,
  })

describe('R-FLIP-1: a flip game begins with play', () => {
  test('R-FLIP-1: nobody deploys: the host starts, and the first turn runs', () => {
    const room = seated()
    const events = room.act(ANN, { ...START, layout: LAYOUT })
    expect(events).toMatchObject([
      { type: 'gameStarted', formations: {}, layout: LAYOUT, first: 'south' },
      { type: 'gameSealed' },
    ])
    expect([room.state.phase, room.toMove]).toEqual(['playing', 'south'])
    expect(room.state.deadline).toBe(room.now + TURN_MS)
    expect(room.state.seats.south?.ready).toBe(true)
  })

  test.each([
    [0, 'south'],
    [0.99, 'north'],
  ])('R-TURN-2: chance %f chooses who begins: %s', (random, first) => {
    const room = seated({ firstSeat: 'random' })
    expect(room.act(ANN, { ...START, random, layout: LAYOUT })[0]).toMatchObject({ first })
  })

  test('R-FLIP-1: it waits for all to be ready, and for the host', () => {
    const room = seated()
    expect(room.refusal(BO, START)).toBe('not_host')
    room.act(BO, { type: 'notReady' })
    expect(room.refusal(ANN, START)).toBe('not_all_ready')
    expect(room.refusal(ANN, { type: 'saveDraft', formation: '9' })).toBe('wrong_phase')
  })

  test('R-FLIP-1: other games deploy, whatever comes with their start', () => {
    const room = new PureRoom({ host: ANN, preset: 'duel' })
    room.sit([ANN, BO])
    for (const player of [ANN, BO]) room.act(player, { type: 'ready' })
    expect(room.act(ANN, START)).toEqual([{ type: 'deploymentStarted' }])
    expect(room.refusal(ANN, { type: 'flip', turn: 0, space: 'a1' })).toBe('wrong_phase')
  })
})

describe('R-FLIP-2: a turn in the room', () => {
  test('R-FLIP-2: a flip is told, and the next seat has its whole turn', () => {
    const room = playing()
    room.now += 20_000
    const { space } = flipOf(room)
    expect(room.act(ANN, flipOf(room))).toMatchObject([{ type: 'pieceFlipped', space }])
    expect([room.toMove, room.state.deadline]).toEqual(['north', room.now + TURN_MS])
  })

  test('R-FLIP-2, F-S6: it is checked whole, for every seat', () => {
    const room = playing()
    expect(room.refusal(BO, flipOf(room))).toBe('not_your_turn')
    expect(room.refusal(EVE, flipOf(room))).toBe('not_seated')
    expect(room.refusal(ANN, flipOf(room, 1))).toBe('stale_turn')
    for (const space of ['b3', 'q17']) {
      expect(room.refusal(ANN, { type: 'flip', turn: 0, space })).toBe('illegal_flip')
    }
    const { space } = flipOf(room)
    expect(room.refusal(ANN, { type: 'move', turn: 0, from: 'a1', to: 'a2' })).toBe('illegal_move')
    const deadline = room.state.deadline ?? 0
    expect(room.refusal(ANN, flipOf(room), deadline + 1)).toBe('too_late')
    room.act(ANN, flipOf(room), deadline)
    expect(room.refusal(BO, { type: 'flip', turn: 1, space })).toBe('illegal_flip')
  })

  test('R-OUT-4: what a flip takes beyond turnSeconds comes from the bank', () => {
    const room = playing({ bankSeconds: 30 })
    room.now += TURN_MS + 10_000
    expect(room.act(ANN, flipOf(room)).at(-1)).toEqual({
      type: 'bankUsed',
      seat: 'south',
      bankMs: 20_000,
    })
  })

  test('R-OUT-4, F-T1: a turn that runs out is skipped; a flip made for it is stale', () => {
    const room = playing()
    const flip = flipOf(room)
    room.now += TURN_MS
    expect(room.expire()).toEqual([{ type: 'turnSkipped', seat: 'south' }])
    expect(room.refusal(ANN, flip)).toBe('stale_turn')
  })

  test('R-OUT-1: so many skipped turns put the seat out', () => {
    const room = playing({ timeoutForfeit: 1 })
    room.now += TURN_MS
    expect(room.expire().map(({ type }) => type)).toEqual([
      'turnSkipped',
      'seatEliminated',
      'gameEnded',
    ])
    expect(gameOf(room).result).toEqual({ winners: ['north'], reason: 'timeouts' })
  })

  test('R-OUT-5, R-OUT-7, R-END-5: seats resign, leave and agree as in other games', () => {
    const resigned = playing()
    resigned.act(ANN, { type: 'resign', turn: 0 })
    expect(gameOf(resigned).result).toEqual({ winners: ['north'], reason: 'resigned' })
    const left = playing()
    left.act(BO, { type: 'leave' })
    expect(gameOf(left).result).toEqual({ winners: ['south'], reason: 'left' })
    const agreed = playing()
    agreed.act(BO, { type: 'offerDraw' })
    agreed.act(ANN, { type: 'answerDraw', offer: 1, accept: true })
    expect(gameOf(agreed).result).toEqual({ winners: [], reason: 'agreed' })
    const next = roomId.parse('abcdefgh')
    expect(agreed.act(ANN, { type: 'rematch', room: next, closed: null })).toMatchObject([
      { room: next },
    ])
  })
})

describe('R-FLIP-1, R-SEE-6: what is told and shown', () => {
  const NAMES = new RegExp(`"layout":\\[|"(?:${PIECE_KINDS.join('|')})"`)

  test('R-FLIP-1, F-H2: the start tells nobody what lies where', () => {
    const room = seated()
    const before = room.state
    room.act(ANN, { ...START, layout: LAYOUT })
    const entry = room.log.at(-1)
    if (entry === undefined) throw new Error('no entry')
    expect(viewForAll(entry)).toBe(null)
    for (const viewer of ['south', 'north', 'spectator'] as const) {
      expect(JSON.stringify(viewEntry(before, entry, viewer))).not.toMatch(NAMES)
    }
    for (const player of [ANN, BO, EVE, null]) {
      const { pieces = [], flip } = look(room, player).game ?? {}
      expect(pieces).toHaveLength(50)
      expect(pieces.every(({ kind, colour }) => kind === 'hidden' && colour === null)).toBe(true)
      expect(flip?.layout).toBe(null)
    }
  })

  test('R-FLIP-2, F-H5: a seat is shown what it may turn up and move, others nothing', () => {
    const room = playing()
    for (let n = 0; n < 40 && room.state.phase === 'playing'; n++) {
      for (const player of [ANN, BO]) {
        const view = look(room, player)
        expect(view.flips).toEqual(legalFlips(gameOf(room), view.you.seat ?? 'south'))
      }
      for (const stranger of [EVE, null]) {
        expect(look(room, stranger).flips).toEqual([])
        expect(look(room, stranger).legalMoves).toEqual({})
      }
      step(room)
    }
    expect(look(seated(), ANN)).not.toHaveProperty('flips')
  })

  test('R-FLIP-2: what everyone learns alike is made once for all', () => {
    const room = playing()
    room.act(ANN, flipOf(room))
    const entry = room.log.at(-1)
    expect(entry && viewForAll(entry)).toEqual(entry?.events)
  })

  test('R-END-6: at the end everyone is shown the layout, and what still lies face down', () => {
    const room = playing()
    for (let n = 0; n < 6; n++) step(room)
    room.act(playerOn(room.toMove), { type: 'resign', turn: gameOf(room).turn })
    for (const player of [ANN, BO, EVE, null]) {
      const { game, flips } = look(room, player)
      expect(game?.flip?.layout).toEqual(LAYOUT)
      expect(game?.pieces.filter(({ kind }) => kind === 'hidden')).toEqual([])
      expect(flips).toEqual([])
    }
  })
})

describe('R-FLIP-1: the log of a flip game', () => {
  test('F-H3: a room that is read back is the same, face-down pieces too', () => {
    const room = playing()
    for (let n = 0; n < 60 && room.state.phase === 'playing'; n++) step(room)
    const stored = room.log.map((entry) => ({ version: entry.version, data: encodeEntry(entry) }))
    const replayed = replay(stored)
    expect(replayed.fault).toBe(null)
    expect(replayed.state).toEqual(room.state)
  })

  test.each([
    ['a symbol that is none', [...LAYOUT.slice(1), 'r0']],
    ['a colour that is none', [...LAYOUT.slice(1), 'g9']],
  ])('F-H3: %s is not of the form of a log', (_, layout) => {
    const event = { type: 'gameStarted', formations: {}, layout, first: 'south' }
    const data = JSON.stringify({ at: 1, player: null, command: null, events: [event] })
    expect(() => parseEntry({ version: 2, data })).toThrow('not of its form')
  })
})
