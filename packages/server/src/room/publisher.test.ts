import type { Player, ServerMessage } from '@junqi/protocol'
import { describe, expect, test } from 'vitest'
import type { FakeSession } from '../../test/support/fake-session.ts'
import { EVE } from '../../test/support/players.ts'
import { type Gathered, RoomTable } from '../../test/support/room-table.ts'

type Versioned = Extract<ServerMessage, { type: 'event' | 'snapshot' }>

const versionOf = (frame: string): number => JSON.parse(frame).version
const withoutRe = (frame: string): string => frame.replace(/"re":"[^"]*",/, '')

/** What a socket that comes back gets, compared with one that never left. */
async function compareResumed(
  table: RoomTable,
  { room }: Gathered,
  { player, stayed, since }: { player: Player; stayed: FakeSession; since: number },
): Promise<'missed' | 'snapshot'> {
  const back = table.connect(player)
  await table.do(back, { type: 'subscribe', room, since })
  const frames = back.takeRoomFrames()
  const [first = ''] = frames
  if (JSON.parse(first).type === 'snapshot') {
    const fresh = table.connect(player)
    await table.do(fresh, { type: 'subscribe', room })
    expect(withoutRe(first)).toBe(withoutRe(fresh.takeRoomFrames()[0] ?? ''))
    table.disconnect(fresh)
    table.disconnect(back)
    expect(frames).toHaveLength(1)
    return 'snapshot'
  }
  const missed = frames.filter((frame) => JSON.parse(frame).type === 'event')
  const seen = stayed.frames.filter(
    (frame) => JSON.parse(frame).type === 'event' && versionOf(frame) > since,
  )
  expect(missed).toEqual(seen.map(withoutRe))
  table.disconnect(back)
  return 'missed'
}

describe.each([
  ['siguo', {}],
  ['siguo-ally-open', { leaving: 'forfeit', quietMoveLimit: 30 }],
  ['duel-open', {}],
] as const)('%s', (preset, options) => {
  test('F-R7: a socket that resumes from any version gets what one got that was always there', async () => {
    const table = await RoomTable.open()
    const gathered = await table.deploy({ preset, options })
    const { room, sessions } = gathered
    const spectator = table.connect(EVE)
    await table.do(spectator, { type: 'subscribe', room })
    const viewers = [...sessions, spectator]
    for (const session of sessions) {
      const formation = await table.formation(gathered)
      await table.do(session, { type: 'submitFormation', room, formation })
    }
    const ways = new Set<string>()
    for (let n = 0; n < 60; n++) {
      const view = await table.view(room, EVE)
      if (view.phase !== 'playing') break
      if (n % 17 === 16) await table.clock.advance((view.until ?? 0) - table.clock.now())
      else await table.step(gathered)
      const version = await table.store.version(room)
      const stayed = viewers[n % viewers.length] ?? spectator
      for (const since of [0, 1, version >> 1, version - 3, version - 1, version, version + 1]) {
        const { player } = stayed
        ways.add(await compareResumed(table, gathered, { player, stayed, since }))
      }
    }
    expect([...ways].sort()).toEqual(['missed', 'snapshot'])
  })
})

test('F-R7: who resumes learns who is gone as well', async () => {
  const table = await RoomTable.open()
  const { room, sessions } = await table.play()
  await table.step({ room, sessions })
  const [ann, bo] = sessions
  if (ann === undefined || bo === undefined) throw new Error('nobody there')
  const version = await table.store.version(room)
  const back = table.connect(ann.player)
  table.disconnect(bo)
  const since = table.clock.now()
  await table.do(back, { type: 'subscribe', room, since: version })
  const types = back.messages.map(({ type }) => type).filter((type) => type !== 'seats')
  expect(types).toEqual(['ack', ...Array(4).fill('presence')])
  expect(back.of('presence').filter(({ goneSince }) => goneSince !== null)).toEqual([
    { type: 'presence', room, player: bo.player.id, goneSince: since },
  ])
})

test('versions are dense, and of an entry a socket gets one frame', async () => {
  const table = await RoomTable.open()
  const gathered = await table.play({ preset: 'siguo-open' })
  for (let n = 0; n < 40; n++) await table.step(gathered)
  for (const session of gathered.sessions) {
    const versions = session.messages
      .filter((message): message is Versioned => ['event', 'snapshot'].includes(message.type))
      .map(({ version }) => version)
    const first = versions[0] ?? 0
    expect(versions).toEqual(versions.map((_, i) => first + i))
  }
})

test('a snapshot is enough by itself: it holds the whole history', async () => {
  const table = await RoomTable.open()
  const gathered = await table.play()
  for (let n = 0; n < 40; n++) await table.step(gathered)
  const told = gathered.sessions[0]
    ?.of('event')
    .flatMap(({ events }) => events)
    .filter(({ type }) => type.startsWith('piece') || type === 'flagRevealed')
  const { history } = await table.view(gathered.room, EVE)
  expect(history.filter(({ type }) => type !== 'seatEliminated')).toEqual(told)
  await table.restart()
  expect((await table.view(gathered.room, EVE)).history).toEqual(history)
})

test('the frame of a plain move is at most 150 bytes to a seat', async () => {
  const table = await RoomTable.open()
  const gathered = await table.play()
  for (let n = 0; n < 60; n++) await table.step(gathered)
  const moves = gathered.sessions.flatMap(({ frames }) =>
    frames.map(withoutRe).filter((frame) => frame.includes('"pieceMoved"')),
  )
  const plain = moves.filter((frame) => JSON.parse(frame).events.length === 1)
  expect(plain.length).toBeGreaterThan(50)
  expect(Math.max(...plain.map((frame) => Buffer.byteLength(frame)))).toBeLessThanOrEqual(150)
})
