import type { RoomId, ServerMessage, Spectators } from '@junqi/protocol'
import { describe, expect, test } from 'vitest'
import type { FakeSession } from '../../test/support/fake-session.ts'
import { Nodes } from '../../test/support/nodes.ts'
import { DEE, EVE, playerNumber } from '../../test/support/players.ts'
import { type Gathered, RoomTable } from '../../test/support/room-table.ts'

type EventFrame = Extract<ServerMessage, { type: 'event' }>

const MOVES = new Set(['pieceMoved', 'pieceAttacked', 'pieceFlipped'])
const isMove = (frame: string): boolean =>
  (JSON.parse(frame) as EventFrame).events.some(({ type }) => MOVES.has(type))
const isEnd = (frame: string): boolean => frame.includes('"type":"gameEnded"')
const isStart = (frame: string): boolean => frame.includes('"type":"gameStarted"')
const events = ({ frames }: FakeSession): readonly string[] =>
  frames
    .filter((frame) => /^{(?:"re":"[^"]*",)?"type":"event"/.test(frame))
    .map((frame) => frame.replace(/"re":"[^"]*",/, ''))

/** What of the frames of a live spectator one may have that is `delay` moves behind. */
function allowed(live: readonly string[], delay: number): readonly string[] {
  if (live.some(isEnd)) return live
  const moves = live.flatMap((frame, at) => (isMove(frame) ? [at] : []))
  const first = moves[moves.length - delay]
  return first === undefined ? live.slice(0, live.findIndex(isStart) + 1) : live.slice(0, first)
}

interface Watched {
  readonly table: RoomTable
  readonly game: Gathered
  readonly eve: FakeSession
}

async function watched(
  spectators: Spectators,
  options: object = {},
  preset = 'siguo',
): Promise<Watched> {
  const table = await RoomTable.open()
  const isFlip = preset === 'flip'
  const game = await table[isFlip ? 'gather' : 'deploy']({ spectators, options, preset })
  const eve = table.connect(EVE)
  await table.do(eve, { type: 'subscribe', room: game.room })
  if (isFlip) {
    for (const session of game.sessions) await table.do(session, { type: 'ready', room: game.room })
    await table.do(game.host, { type: 'start', room: game.room })
    return { table, game, eve }
  }
  for (const session of game.sessions) {
    const formation = await table.formation(game)
    await table.do(session, { type: 'submitFormation', room: game.room, formation })
  }
  return { table, game, eve }
}

/** One turn: a move, or, every so often, one that is missed. */
async function turn({ table, game }: Watched, n: number): Promise<void> {
  const [host] = game.sessions
  const { until } = await table.view(game.room, host?.player ?? null)
  if (n % 9 === 5) await table.clock.advance((until ?? 0) - table.clock.now())
  else await table.step(game)
}

const withoutSettings = (view: object): object => ({ ...view, spectators: null })
/** After a restart nobody is connected. */
const withoutPresence = (view: object): string =>
  JSON.stringify(view).replace(/"goneSince":(?:\d+|null)/g, '')

describe.each([1, 2, 5])('R-ROOM-2: spectators %d moves behind', (moves) => {
  test.each([
    ['siguo', { quietMoveLimit: 24, timeoutForfeit: 2 }],
    ['flip', { quietMoveLimit: 12, timeoutForfeit: 4 }],
    ['siguo-open', { quietMoveLimit: 24, timeoutForfeit: 3, leaving: 'forfeit' }],
  ])(
    'F-H7: %s: get the very frames, views and refusals of then, and at the end all',
    async (preset, options) => {
      const [live, late] = await Promise.all([
        watched({ mode: 'public' }, options, preset),
        watched({ mode: 'delayed', moves }, options, preset),
      ])
      const { room } = late.game
      /** By the number of frames that led there: what a live spectator saw over HTTP. */
      const views = new Map<number, object>()
      let isOver = false
      for (let n = 0; n < 120 && !isOver; n++) {
        const seen = events(live.eve)
        views.set(seen.length, withoutSettings(await live.table.view(room, EVE)))
        const expected = allowed(seen, moves)
        expect(events(late.eve)).toEqual(expected)
        const view = await late.table.view(room, EVE)
        expect(withoutSettings(view)).toEqual(views.get(expected.length))
        expect(await late.table.view(room, null)).toEqual(view)
        const last = JSON.parse(expected.at(-1) ?? '{}') as EventFrame
        const refused = await late.table.say(late.eve, { type: 'offerDraw', room })
        const { version, turn: shown } = last
        if (view.phase === 'playing')
          expect(refused).toMatchObject({ code: 'not_seated', version, turn: shown })
        isOver = view.phase === 'finished'
        if (!isOver) await Promise.all([turn(live, n), turn(late, n)])
      }
      expect(isOver).toBe(true)
      expect(events(late.eve)).toEqual(events(live.eve))
    },
  )

  test('F-R7: who comes later, or back, or after a restart, sees what one saw who was there', async () => {
    const late = await watched({ mode: 'delayed', moves })
    const { table, game } = late
    for (let n = 0; n < 30; n++) await turn(late, n)
    const expected = await table.view(game.room, EVE)
    const { version } = JSON.parse(events(late.eve).at(-1) ?? '{}') as EventFrame
    await table.restart()
    expect(withoutPresence(await table.view(game.room, EVE))).toBe(withoutPresence(expected))
    const back = table.connect(EVE)
    for (const since of [undefined, 0, version - 1, version, version + 1, version + moves]) {
      const asked = since === undefined ? {} : { since }
      const reply = await table.do(back, { type: 'subscribe', room: game.room, ...asked })
      const newest = back.frames.map((frame) => JSON.parse(frame).version ?? 0)
      expect(Math.max(...newest)).toBe(version)
      if (reply.type === 'snapshot')
        expect(withoutPresence(reply.view)).toBe(withoutPresence(expected))
    }
  })
})

describe('R-ROOM-1: who may look on', () => {
  test.each<[Spectators]>([
    [{ mode: 'none' }],
    [{ mode: 'delayed', moves: 3 }],
    [{ mode: 'public' }],
  ])('the host says so in the lobby, and a rematch keeps it: %o', async (spectators) => {
    const table = await RoomTable.open()
    const { room, sessions, host } = await table.gather()
    const [, bo] = sessions
    if (bo === undefined) throw new Error('nobody there')
    expect((await table.view(room, EVE)).spectators).toEqual({ mode: 'public' })
    expect(await table.refusal(bo, { type: 'setSpectators', room, spectators })).toBe('not_host')
    await table.do(host, { type: 'setSpectators', room, spectators })
    expect((await table.view(room, EVE)).spectators).toEqual(spectators)
    expect(await table.rooms.listRooms()).toMatchObject([{ spectators: spectators.mode }])
    for (const session of sessions) await table.do(session, { type: 'ready', room })
    await table.do(host, { type: 'start', room })
    expect(await table.refusal(host, { type: 'setSpectators', room, spectators })).toBe(
      'wrong_phase',
    )
  })

  test('none: who has no seat is shown nothing from deployment to the end', async () => {
    const table = await RoomTable.open()
    const game = await table.gather({
      spectators: { mode: 'none' },
      options: { leaving: 'forfeit' },
    })
    const { room, sessions, host } = game
    const eve = table.connect(EVE)
    await table.do(eve, { type: 'subscribe', room })
    for (const session of sessions) await table.do(session, { type: 'ready', room })
    await table.do(host, { type: 'start', room })
    expect(eve.last('dropped')).toMatchObject({ room, code: 'no_spectators' })
    eve.takeFrames()
    await expectNothing(table, eve, room)
    for (const session of sessions) {
      const formation = await table.formation(game)
      await table.do(session, { type: 'submitFormation', room, formation })
    }
    await table.step(game)
    await expectNothing(table, eve, room)
    expect(
      await table.say(eve, { type: 'move', room, turn: 1, from: 'a1', to: 'a2' }),
    ).toMatchObject({
      code: 'not_seated',
      version: null,
      turn: null,
    })
    const [, bo] = sessions
    if (bo === undefined) throw new Error('nobody there')
    await table.do(bo, { type: 'leave', room })
    expect(bo.messages.at(-1)).toMatchObject({ type: 'dropped', code: 'no_spectators' })
    await expectNothing(table, bo, room)
    const [, , cai] = sessions
    if (cai === undefined) throw new Error('nobody there')
    for (const session of [sessions[0], sessions[2]]) {
      if (session !== undefined && (await phaseOf(table, room, cai)) === 'playing')
        await table.say(session, { type: 'leave', room })
    }
    await table.do(eve, { type: 'subscribe', room })
    expect(eve.last('snapshot').view.phase).toBe('finished')
  })
})

const phaseOf = async (table: RoomTable, room: RoomId, session: FakeSession) =>
  (await table.rooms.publicRoom(room, session.player))?.phase ?? 'playing'

async function expectNothing(table: RoomTable, session: FakeSession, room: RoomId): Promise<void> {
  for (const asked of [{}, { since: 1 }]) {
    const refused = await table.say(session, { type: 'subscribe', room, ...asked })
    expect(refused).toMatchObject({ code: 'no_spectators', version: null, turn: null })
  }
  for (const player of [session.player, DEE.id === session.player.id ? session.player : null]) {
    expect(await table.rooms.publicRoom(room, player)).toBeNull()
    expect(await table.rooms.whyUnseen(room, player)).toBe('no_spectators')
  }
}

describe('R-ROOM-3: who left is a spectator', () => {
  test('R-OUT-7: and as far behind as the others: not ahead, not twice, and with no gap', async () => {
    const late = await watched({ mode: 'delayed', moves: 4 }, { leaving: 'forfeit' })
    const { table, game, eve } = late
    for (let n = 0; n < 5; n++) await table.step(game)
    const seen = await table.view(game.room, game.sessions[0]?.player ?? null)
    const seat = seen.rules.ruleSet.seats.find((each) => each !== seen.game?.toMove)
    const leaver = game.sessions.find(
      ({ player }) => seat && seen.seats[seat]?.player.id === player.id,
    )
    if (leaver === undefined) throw new Error('nobody there')
    await table.do(leaver, { type: 'leave', room: game.room })
    const staying = { ...game, sessions: game.sessions.filter((each) => each !== leaver) }
    const others = await table.rooms.publicRoom(game.room, leaver.player)
    expect(others).toEqual(await table.view(game.room, EVE))
    // However it asks, the turn it is told of is the one it sees.
    const shown = { turn: others?.game?.turn }
    expect(await table.say(leaver, { type: 'resign', room: game.room, turn: 0 })).toMatchObject({
      code: 'seat_out',
      ...shown,
    })
    expect(
      await table.say(leaver, { type: 'answerDraw', room: game.room, offer: 1, accept: true }),
    ).toMatchObject({ code: 'seat_out', ...shown })
    const left = events(leaver).length
    for (let n = 0; n < 3; n++) {
      await table.step(staying)
      expect(events(leaver)).toHaveLength(left)
    }
    for (let n = 0; n < 6; n++) await table.step(staying)
    const versions = events(leaver).map((frame) => (JSON.parse(frame) as EventFrame).version)
    expect(versions).toEqual(versions.map((_, n) => (versions[0] ?? 0) + n))
    expect(events(leaver).at(-1)).toBe(events(eve).at(-1))
  })

  test('the list of rooms does not name a host who followed one that left', async () => {
    const late = await watched({ mode: 'delayed', moves: 4 }, { leaving: 'forfeit' })
    const { table, game } = late
    await table.step(game)
    const before = await table.rooms.listRooms()
    await table.do(game.host, { type: 'leave', room: game.room })
    expect(await table.rooms.listRooms()).toEqual(before)
    await table.restart()
    const rest = game.sessions.filter((session) => session !== game.host)
    const again = rest.map(({ player }) => table.connect(player))
    await table.step({ room: game.room, sessions: again })
    expect(await table.rooms.listRooms()).toEqual(before)
  })
})

test('R-ROOM-2: over several nodes, who is behind is so at each, and all is told at the end', async () => {
  const nodes = await Nodes.open(2)
  const game = await nodes.deploy({
    spectators: { mode: 'delayed', moves: 2 },
    preset: 'duel',
    options: { quietMoveLimit: 12 },
  })
  const eves = [0, 1].map((n) => nodes.at(n).connect(playerNumber(20 + n)))
  for (const [n, eve] of eves.entries())
    await nodes.at(n).do(eve, { type: 'subscribe', room: game.room })
  const table = nodes.at(0)
  for (const session of game.sessions) {
    const formation = await table.formation(game)
    await table.do(session, { type: 'submitFormation', room: game.room, formation })
  }
  const live: number[] = []
  for (let n = 0; n < 40; n++) {
    await nodes.settle()
    const [first] = game.sessions
    if (first === undefined) throw new Error('nobody there')
    const [shown = [], other] = eves.map(events)
    expect(other).toEqual(shown)
    live.push(shown.filter(isMove).length)
    if ((await table.view(game.room, first.player)).phase === 'finished') break
    await table.step(game)
  }
  const end = live.length - 1
  expect(live.slice(0, end)).toEqual(live.slice(0, end).map((_, n) => Math.max(0, n - 2)))
  expect(live.at(-1)).toBe(end)
})
