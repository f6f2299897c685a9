import { PRESETS as RULE_SETS, SEALABLES, type Sealable, type Seat } from '@junqi/engine'
import { commitmentTo, type Player, type ViewedEvent } from '@junqi/protocol'
import { describe, expect, test } from 'vitest'
import { ANN, BO, CAI, DEE, EVE } from '../../test/support/players.ts'
import { PureRoom, SALTS } from '../../test/support/pure-room.ts'
import { encodeEntry, type LogEntry } from './log-entry.ts'
import { replay } from './replay.ts'
import { evolveRoom } from './room-reducer.ts'
import type { RoomState } from './room-state.ts'
import { drawSalts } from './sealing.ts'
import { viewEntry } from './view-entry.ts'
import { viewRoom } from './view-room.ts'

const SEATED = {
  siguo: [ANN, BO, CAI, DEE],
  sanguo: [ANN, BO, CAI],
  duel: [ANN, BO],
  flip: [ANN, BO],
} as const
type Preset = keyof typeof SEATED
const PRESETS = ['siguo', 'sanguo', 'duel', 'flip'] as const

function playing(preset: Preset, options = {}): PureRoom {
  const room = new PureRoom({ host: ANN, preset, options })
  if (preset === 'flip') room.deploy(SEATED.flip)
  else room.play(SEATED[preset])
  return room
}

/** A game that ends because somebody leaves. */
function ended(preset: Preset): PureRoom {
  const room = playing(preset, { leaving: 'endsGame' })
  for (const player of SEATED[preset]) {
    if (room.state.phase === 'playing') room.act(player, { type: 'leave' })
  }
  return room
}

const look = (state: RoomState, player: Player | null) =>
  viewRoom(state, { player: player?.id ?? null, draft: null, history: [], goneSince: () => null })

/** What a viewer is told of all entries but the first. */
function toldTo(room: PureRoom, viewer: Seat | 'spectator'): readonly ViewedEvent[] {
  let before = evolveRoom(null, firstOf(room.log))
  return room.log.slice(1).flatMap((entry) => {
    const told = viewEntry(before, entry, viewer)
    before = evolveRoom(before, entry)
    return told
  })
}

function firstOf([entry]: readonly LogEntry[]): LogEntry {
  if (entry === undefined) throw new Error('the log is empty')
  return entry
}

const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type)

const entryWith = (room: PureRoom, type: string) =>
  room.log.find(({ events }) => typesOf(events).includes(type))?.events ?? []

const saltsIn = (told: unknown): readonly string[] =>
  Object.values(SALTS).filter((salt) => JSON.stringify(told).includes(salt))

describe.each(PRESETS)('R-SEAL-1: %s', (preset) => {
  const names = preset === 'flip' ? ['layout', 'first'] : [...RULE_SETS[preset].seats, 'first']

  test('R-SEAL-1: is sealed in the entry that starts it', () => {
    const room = playing(preset)
    const start = entryWith(room, 'gameStarted')
    expect(typesOf(start).slice(-2)).toEqual(['gameStarted', 'gameSealed'])
    const { commitments = {} } = look(room.state, null).seal ?? {}
    expect(Object.keys(commitments)).toEqual(names)
    const started = start.find((event) => event.type === 'gameStarted')
    if (started === undefined) throw new Error('the game did not start')
    for (const [name, commitment] of Object.entries(commitments)) {
      const sealed = name as Sealable
      expect(commitment).toBe(commitmentTo(sealed, started, SALTS[sealed]))
    }
  })

  test('R-SEAL-1: everyone is told the same commitments, in events and in views', () => {
    const room = playing(preset)
    const seal = { commitments: room.state.seal?.commitments, salts: null }
    for (const player of [...SEATED[preset], EVE, null]) {
      expect(look(room.state, player).seal).toEqual(seal)
    }
    for (const viewer of [...room.state.rules.ruleSet.seats, 'spectator'] as const) {
      expect(toldTo(room, viewer).filter(({ type }) => type === 'gameSealed')).toEqual([
        { type: 'gameSealed', commitments: seal.commitments },
      ])
    }
  })

  test('R-SEAL-2, F-H2: no salt is told while the game runs', () => {
    const room = playing(preset)
    for (const player of [...SEATED[preset], EVE, null]) {
      expect(saltsIn(look(room.state, player))).toEqual([])
    }
    for (const viewer of [...room.state.rules.ruleSet.seats, 'spectator'] as const) {
      expect(saltsIn(toldTo(room, viewer))).toEqual([])
    }
  })

  test('R-SEAL-2, R-END-6: the salts are told with the end, to everyone', () => {
    const room = ended(preset)
    const seal = { commitments: room.state.seal?.commitments, salts: room.state.seal?.salts }
    expect(Object.keys(seal.salts ?? {})).toEqual(names)
    for (const player of [...SEATED[preset], EVE, null]) {
      expect(look(room.state, player).seal).toEqual(seal)
    }
    for (const viewer of [...room.state.rules.ruleSet.seats, 'spectator'] as const) {
      const told = toldTo(room, viewer)
      const end = typesOf(told).indexOf('gameEnded')
      expect(told[end + 1]).toEqual({ type: 'sealOpened', salts: seal.salts })
      expect(typesOf(told).lastIndexOf('sealOpened')).toBe(end + 1)
    }
  })

  test('R-SEAL-1: a log from before there were seals is read, and its game has none', () => {
    const room = ended(preset)
    const old = room.log.map((entry) => ({
      version: entry.version,
      data: encodeEntry({
        ...entry,
        events: entry.events.filter(({ type }) => type !== 'gameSealed'),
      }),
    }))
    const { state, fault } = replay(old)
    if (state === null) throw new Error('the log was not read')
    expect([fault, state.phase, state.seal]).toEqual([null, 'finished', null])
    expect(look(state, ANN).seal).toBeNull()
  })
})

test('R-SEAL-2, F-H9: salts are 32 random bytes each, one for everything that may be sealed', () => {
  let drawn = 0
  const bytes = (count: number) => new Uint8Array(count).fill(drawn++)
  const salts = drawSalts({ bytes })
  expect(Object.keys(salts)).toEqual([...SEALABLES])
  const texts = SEALABLES.map((_, n) => `0${n}`.repeat(32))
  expect(Object.values(salts)).toEqual(texts)
})

test('R-SEAL-2, F-H9: who knows a formation cannot tell by a commitment that it is the one', () => {
  const room = new PureRoom({ host: ANN, preset: 'duel' })
  room.deploy(SEATED.duel)
  const formation = room.formation()
  for (const player of SEATED.duel) {
    room.act(player, { type: 'submitFormation', formation, random: 0, salts: SALTS })
  }
  const { south, north } = room.state.seal?.commitments ?? {}
  const guessOf = (seat: Seat, salt: string) =>
    commitmentTo(seat, { formations: { [seat]: formation }, first: 'south' }, salt)
  expect(south).toBe(guessOf('south', SALTS.south))
  expect(north).toBe(guessOf('north', SALTS.north))
  for (const salt of ['', SALTS.south, SALTS.first]) expect(north).not.toBe(guessOf('north', salt))
})
