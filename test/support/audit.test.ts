import {
  applyCommand,
  type GameState,
  legalMoves,
  newGame,
  randomFormation,
  resolveRules,
} from '@junqi/engine'
import { commandId, type PlayerId, playerId, roomId } from '@junqi/protocol'
import { describe, expect, test } from 'vitest'
import type { LogEntry } from '../../packages/server/src/room/log-entry.ts'
import type { RoomEvent } from '../../packages/server/src/room/room-event.ts'
import { isToldToAll } from '../../packages/server/src/room/view-entry.ts'
import { viewRoom } from '../../packages/server/src/room/view-room.ts'
import { brokenLog, expectedDrafts, lostCommands, stateAt, strangeView } from './audit.ts'
import type { Acknowledged, Command, Sent } from './ledger.ts'
import { seededRandom } from './seeded-random.ts'

const ROOM = roomId.parse('k7w2m9qx')
const SOUTH = playerId.parse('2w9h4t7kz0pm')
const NORTH = playerId.parse('8b3xq6nd1vcr')
const PLAYERS = { south: SOUTH, north: NORTH }

/** A room of two with its log and what its players were told: some moves, a draft, a game that is not over. */
function makeRoom(): {
  readonly log: LogEntry[]
  readonly acknowledged: Acknowledged[]
  readonly game: GameState
} {
  const log: LogEntry[] = []
  const acknowledged: Acknowledged[] = []
  const enter = (player: PlayerId, command: Command, ...events: readonly RoomEvent[]): void => {
    const version = log.length + 1
    log.push({ version, at: version * 10, player, command: command.id, events })
    acknowledged.push({ player, command, room: ROOM, version, seen: version - 1 })
  }
  const named = { room: ROOM }
  const resolved = resolveRules({ preset: 'duel', options: { firstSeat: 'south' } })
  if (!resolved.ok) throw new Error(resolved.error.message)
  const ruleSet = resolved.value
  const options = { firstSeat: 'south' } as const
  const rules = { preset: 'duel', options, ruleSet } as const
  const host = { id: SOUTH, name: 'south' }
  enter(
    SOUTH,
    { type: 'createRoom', id: commandId.parse('c'), preset: 'duel', options, private: false },
    { type: 'roomCreated', host, rules, invitation: null, members: [], seats: [], rematchOf: null },
  )
  for (const seat of ['south', 'north'] as const) {
    const player = PLAYERS[seat]
    enter(
      player,
      { type: 'sit', id: commandId.parse('sit'), ...named, seat },
      { type: 'seatTaken', seat, player: { id: player, name: seat } },
    )
  }
  enter(
    SOUTH,
    { type: 'start', id: commandId.parse('start'), ...named },
    { type: 'deploymentStarted' },
  )
  const random = seededRandom(1)
  const formations = {
    south: randomFormation(ruleSet, random),
    north: randomFormation(ruleSet, random),
  }
  const started = { type: 'gameStarted', formations, first: 'south' } as const
  for (const seat of ['south', 'north'] as const) {
    const formation = formations[seat]
    enter(
      PLAYERS[seat],
      { type: 'submitFormation', id: commandId.parse('formation'), ...named, formation },
      { type: 'formationSubmitted', seat, formation },
      ...(seat === 'north' ? [started] : []),
    )
  }
  let game: GameState = newGame(ruleSet, started)
  while (game.turn < 20 && game.toMove !== null) {
    const seat = game.toMove
    const [move] = legalMoves(game, seat)
    if (move === undefined || (seat !== 'south' && seat !== 'north')) break
    const applied = applyCommand(game, { type: 'movePiece', seat, ...move })
    if (!applied.ok) throw new Error(applied.error.message)
    enter(
      PLAYERS[seat],
      { type: 'move', id: commandId.parse(`m${game.turn}`), ...named, turn: game.turn, ...move },
      ...applied.value.events,
    )
    game = applied.value.state
  }
  return { log, acknowledged, game }
}

const SIGHT = { player: SOUTH, draft: null, goneSince: () => null }
const playedIn = (log: readonly LogEntry[]) =>
  log.flatMap(({ events }) => events).filter(isToldToAll)

const logsOf = (log: readonly LogEntry[]) => new Map([[ROOM, log]])

describe('a log that holds everything', () => {
  const { log, acknowledged } = makeRoom()

  test('has lost nothing and is legal', () => {
    expect(acknowledged.length).toBeGreaterThan(20)
    expect(lostCommands(acknowledged, logsOf(log))).toEqual([])
    expect(brokenLog(log)).toEqual([])
  })
})

describe('a log with a fault is found out', () => {
  const whole = makeRoom()
  const at = whole.log.length - 4

  const dropped = (log: readonly LogEntry[]): LogEntry[] =>
    log.filter((_, index) => index !== at).map((entry, index) => ({ ...entry, version: index + 1 }))
  const changed = (log: readonly LogEntry[], entry: Partial<LogEntry>): LogEntry[] =>
    log.map((each, index) => (index === at ? { ...each, ...entry } : each))

  test('the last entry is lost', () => {
    expect(lostCommands(whole.acknowledged, logsOf(whole.log.slice(0, -1)))).toHaveLength(1)
  })

  test('an entry in the middle is lost, and the later ones close the gap', () => {
    const log = dropped(whole.log)
    expect(lostCommands(whole.acknowledged, logsOf(log)).length).toBeGreaterThan(0)
    expect(brokenLog(log).length).toBeGreaterThan(0)
  })

  test('the room is lost', () => {
    expect(lostCommands(whole.acknowledged, new Map())).toHaveLength(whole.acknowledged.length)
  })

  test('an entry bears another player or another command', () => {
    const other = whole.log[at]?.player === SOUTH ? NORTH : SOUTH
    for (const entry of [{ player: other }, { command: commandId.parse('other') }]) {
      expect(lostCommands(whole.acknowledged, logsOf(changed(whole.log, entry)))).toHaveLength(1)
    }
  })

  test('an entry holds another event', () => {
    const log = changed(whole.log, { events: [{ type: 'deploymentStarted' }] })
    expect(lostCommands(whole.acknowledged, logsOf(log))).toHaveLength(1)
  })

  test('a move is not legal', () => {
    const log = changed(whole.log, { events: [{ type: 'pieceMoved', from: 'a1', to: 'e12' }] })
    expect(brokenLog(log)).toEqual([expect.stringContaining('is not legal')])
  })

  test('a command counts twice', () => {
    const last = whole.log.at(-1)
    const log = last === undefined ? [] : [...whole.log, { ...last, version: last.version + 1 }]
    expect(brokenLog(log)).toContainEqual(expect.stringContaining('counts twice'))
  })

  test('a gap between versions', () => {
    const log = whole.log.filter((_, index) => index !== at)
    expect(brokenLog(log)).toContainEqual(expect.stringContaining('stands at'))
  })

  test.each([
    ['at its end', 0, []],
    ['too soon', 1, [expect.stringContaining('skips a turn 1 ms before its end')]],
  ])('F-T3: a turn is skipped %s', (_, early, faults) => {
    const { log, game } = whole
    const applied = applyCommand(game, { type: 'timeout', seat: game.toMove ?? 'south' })
    if (!applied.ok) throw new Error(applied.error.message)
    const at = (log.at(-1)?.at ?? 0) + game.ruleSet.turnSeconds * 1000 - early
    const skip = { version: log.length + 1, at, player: null, command: null }
    expect(brokenLog([...log, { ...skip, events: applied.value.events }])).toEqual(faults)
  })

  test('a client sees something else', () => {
    const { log } = whole
    const version = log.length - 1
    const state = stateAt(log, version)
    const view = state && viewRoom(state, { ...SIGHT, history: playedIn(log.slice(0, version)) })
    if (view === null) throw new Error('no view')
    const seen = { room: ROOM, version, view }
    expect(strangeView(log, SOUTH, seen)).toBeNull()
    expect(strangeView(log, NORTH, seen)).toContain('is not to')
    expect(strangeView(log, SOUTH, { ...seen, version: version - 1 })).toContain('is not to')
    expect(strangeView(log, SOUTH, { ...seen, version: 99 })).toContain('is seen at 99')
  })

  test('F-T4: service time goes back', () => {
    expect(brokenLog(changed(whole.log, { at: 0 }))).toContainEqual(
      `time goes back by ${at * 10} ms at ${at + 1}`,
    )
  })
})

describe('expectedDrafts', () => {
  const { log } = makeRoom()
  const deploying = log.slice(0, 4)
  const draft = (formation: string): Acknowledged => ({
    player: NORTH,
    command: { type: 'saveDraft', id: commandId.parse(`d${formation}`), room: ROOM, formation },
    room: ROOM,
    version: null,
    seen: 4,
  })

  test('the last one that was saved is expected, and those that wait for an answer may be there', () => {
    const ledger = { acknowledged: [draft('A'), draft('B')], unanswered: [draft('C')] }
    expect(expectedDrafts(ledger, logsOf(deploying))).toEqual([
      { room: ROOM, player: NORTH, formations: ['B', 'C'] },
    ])
  })

  test('a formation that was handed in without an answer may be there too', () => {
    const sent: Sent = {
      player: NORTH,
      command: {
        type: 'submitFormation',
        id: commandId.parse('s'),
        room: ROOM,
        formation: 'B',
      },
      seen: 4,
    }
    const ledger = { acknowledged: [draft('A')], unanswered: [sent] }
    expect(expectedDrafts(ledger, logsOf(deploying))).toMatchObject([{ formations: ['A', 'B'] }])
  })

  test('none is, once the formation was handed in', () => {
    const ledger = { acknowledged: [draft('A')], unanswered: [] }
    expect(expectedDrafts(ledger, logsOf(log))).toEqual([])
  })
})
