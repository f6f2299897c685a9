import {
  type Client,
  connect,
  createGuest,
  type Refusal,
  type RoomHandle,
  type RoomState,
  type Scores,
  scoresOf,
} from '@junqi/client'
import { PRESETS, type Result, randomFormation } from '@junqi/engine'
import type { GameScore, RoomId, SeatScores } from '@junqi/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { seededRandom } from '../support/seeded-random.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'

let server: ServerProcess
const clients: Client[] = []
const random = seededRandom(42)

beforeEach(async () => {
  server = await startServer()
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  await server.stop()
})

async function expectOk<T>(answer: Promise<Result<T, Refusal>>): Promise<T> {
  const result = await answer
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`)
  return result.value
}

async function makePlayer(name: string) {
  const { token, id } = await expectOk(createGuest(server.url, name))
  const client = connect({ url: server.url, token, clientName: 'sdk-test/1', WebSocket })
  clients.push(client)
  return { id, name, client, scores: scoresOf({ url: server.url, token }) }
}
type Person = Awaited<ReturnType<typeof makePlayer>>

/** Resolves when what a client knows of a room is so. */
function seen(room: RoomHandle, holds: (state: RoomState) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (room.state === null || !holds(room.state)) return
      stop()
      resolve()
    }
    const stop = room.onUpdate((update) => {
      if (update.type === 'lost') reject(new Error(update.reason.message))
      else look()
    })
    look()
  })
}

const scoresIn = async (room: RoomHandle): Promise<SeatScores> => {
  await seen(room, () => room.scores !== null)
  return room.scores ?? {}
}

/** Asks until the game is settled. */
async function settled(scores: Scores, room: RoomId): Promise<GameScore> {
  for (;;) {
    const score = await expectOk(scores.game(room))
    if (score.settled) return score
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

interface Wish {
  readonly options?: Readonly<Record<string, string>>
  readonly private?: boolean
}

/** A duel in play; each player's own room. */
async function openDuel([south, north]: readonly [Person, Person], wish: Wish = {}) {
  const { options = {}, private: isPrivate = false } = wish
  const made = await expectOk(
    south.client.createRoom({ preset: 'duel', options, private: isPrivate }),
  )
  if (made.room === null) throw new Error('no room')
  const hosted = south.client.room(made.room)
  const { view } = await expectOk(hosted.opened())
  const invited = view.invitation === null ? {} : { invitation: view.invitation }
  const rooms = [hosted, north.client.room(made.room, invited)] as const
  await expectOk(rooms[1].opened())
  await expectOk(rooms[0].sit('south'))
  await expectOk(rooms[1].sit('north'))
  for (const room of rooms) await expectOk(room.ready())
  await expectOk(rooms[0].start())
  for (const room of rooms) {
    await expectOk(room.submitFormation(randomFormation(PRESETS.duel, random)))
  }
  for (const room of rooms) await seen(room, ({ view }) => view.phase === 'playing')
  return rooms
}

/** Moves that lead nowhere, so that the game goes on. */
async function play(rooms: readonly RoomHandle[], moves: number): Promise<void> {
  for (let n = 0; n < moves; n++) {
    for (const room of rooms) await seen(room, ({ view }) => view.game?.moves === n)
    const mover = rooms.find(({ view }) => view?.game?.toMove === view?.you.seat)
    const occupied = new Set(mover?.view?.game?.pieces.map(({ space }) => space))
    const quiet = Object.entries(mover?.view?.legalMoves ?? {}).flatMap(([from, targets]) =>
      targets.flatMap((to) => (occupied.has(to) ? [] : [[from, to] as const])),
    )
    const [from, to] = quiet[Math.floor(random() * quiet.length)] ?? ['', '']
    if (mover === undefined) throw new Error('nobody is to move')
    await expectOk(mover.move(from, to))
  }
  for (const room of rooms) await seen(room, ({ view }) => view.game?.moves === moves)
}

describe('games over sockets', () => {
  test('R-SCORE-1, R-SCORE-9: are scored once, told to who watches, and kept over kill and restart', async () => {
    const [ann, bo] = [await makePlayer('Ann'), await makePlayer('Bo')]
    const began = Date.now()
    const rooms = await openDuel([ann, bo])
    await play(rooms, 30)
    await expectOk(rooms[0].leave())
    const [told, toldToo] = await Promise.all(rooms.map(scoresIn))
    expect(told).toEqual(toldToo)
    expect(told).toMatchObject({
      south: { player: ann.id, score: -1, delta: -1, outcome: 'lost', escaped: true },
      north: { player: bo.id, score: 1, delta: 1, title: 'soldier', outcome: 'won' },
    })
    expect((told?.north?.ratingDelta ?? 0) > 0).toBe(true)
    const room = rooms[0].id
    expect(await settled(ann.scores, room)).toEqual({
      room,
      settled: true,
      scored: true,
      seats: told,
    })

    const read = async () => ({
      ann: await expectOk(bo.scores.player(ann.id)),
      bo: await expectOk(ann.scores.player(bo.id)),
      byScore: await expectOk(ann.scores.leaderboard({ by: 'score' })),
      byRating: await expectOk(ann.scores.leaderboard({ by: 'rating', preset: 'duel' })),
      other: await expectOk(ann.scores.leaderboard({ by: 'rating', preset: 'siguo' })),
    })
    const before = await read()
    expect(before.ann).toMatchObject({
      score: -1,
      counts: { played: 1, won: 0, lost: 1, drawn: 0, void: 0, escaped: 1 },
    })
    expect(before.bo.games).toMatchObject([
      { room, preset: 'duel', scored: true, outcome: 'won', reason: 'left', moves: 30, delta: 1 },
    ])
    expect(before.bo.games[0]?.players).toMatchObject({
      south: { id: ann.id },
      north: { id: bo.id },
    })
    expect(before.bo.games[0]?.date).toBeGreaterThanOrEqual(began)
    expect(before.byScore.players.map(({ rank, player }) => [rank, player.id])).toEqual([
      [1, bo.id],
      [2, ann.id],
    ])
    expect(before.byRating).toMatchObject({ by: 'rating', preset: 'duel', next: null })
    expect(before.byRating.players.map(({ player }) => player.id)).toEqual([bo.id, ann.id])
    expect(before.other.players).toEqual([])

    await server.kill('SIGKILL')
    server.spawn()
    await server.ready()
    expect(await read()).toEqual(before)
  })

  test('killed as a game ends: it is scored after the start, once', async () => {
    const [ann, bo] = [await makePlayer('Ann'), await makePlayer('Bo')]
    const rooms = await openDuel([ann, bo])
    const leaving = rooms[0].leave()
    await seen(rooms[1], ({ view }) => view.phase === 'finished')
    await server.kill('SIGKILL')
    server.spawn()
    await server.ready()
    await expectOk(leaving)
    const page = async () => (await expectOk(bo.scores.player(ann.id))).counts
    await vi.waitUntil(async () => (await page()).played > 0, 30_000)
    await server.kill('SIGKILL')
    server.spawn()
    await server.ready()
    await settled(bo.scores, rooms[0].id)
    expect(await page()).toMatchObject({ played: 1, lost: 1, escaped: 1 })
    // R-SCORE-2: no move was made.
    expect((await expectOk(ann.scores.player(bo.id))).score).toBe(0)
  })

  test('R-SCORE-5: a friendly game changes nothing; a private one is told to its players alone', async () => {
    const [ann, bo, cai] = [
      await makePlayer('Ann'),
      await makePlayer('Bo'),
      await makePlayer('Cai'),
    ]
    const friendly = await openDuel([ann, bo], { options: { landmine: 'mutual' } })
    await expectOk(friendly[1].leave())
    const score = await settled(cai.scores, friendly[0].id)
    expect(score).toEqual({ room: friendly[0].id, settled: true, scored: false, seats: {} })
    const hidden = await openDuel([ann, bo], { private: true })
    await expectOk(hidden[1].leave())
    await settled(ann.scores, hidden[0].id)
    expect((await cai.scores.game(hidden[0].id)).ok).toBe(false)
    const games = async (reader: Scores) => (await expectOk(reader.player(bo.id))).games
    expect(await games(cai.scores)).toMatchObject([
      { room: null, players: null, scored: true, delta: -1, escaped: true },
      { room: friendly[0].id, scored: false, delta: null, escaped: true },
    ])
    expect((await games(ann.scores))[0]?.room).toBe(hidden[0].id)
    expect((await games(bo.scores))[0]?.players?.north?.name).toBe('Bo')
    expect(friendly[0].scores).toBeNull()
  })
})
