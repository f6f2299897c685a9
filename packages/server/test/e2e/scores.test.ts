import { leaderboard, playerPage } from '@junqi/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { ScoreKeeper } from '../../src/scores/score-keeper.ts'
import { roomOf } from '../contract/requests.ts'
import { endedGame } from '../support/ended-game.ts'
import { playerNumber } from '../support/players.ts'
import { makeGuest, startRealApp, stopApps, type TestApp } from '../support/test-app.ts'

afterEach(stopApps)

const get = (url: string, token?: string): Promise<Response> =>
  fetch(url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } })

const NOBODY = playerNumber(1_000)

/** Players of whom the n-th has won n duels against somebody else. */
async function withLeaders(count: number): Promise<TestApp> {
  const app = await startRealApp()
  const keeper = new ScoreKeeper(app.store)
  let game = 0
  for (let n = 1; n <= count; n++) {
    for (let wins = 0; wins < n; wins++) {
      const players = [playerNumber(n), NOBODY]
      await keeper.take(
        endedGame({ room: roomOf(game++), preset: 'duel', players, winners: ['south'] }),
      )
    }
  }
  return app
}

describe('GET /v1/leaderboard', () => {
  test('is told page by page, each player once, the highest first', async () => {
    const { url } = await withLeaders(7)
    const found: [number, string, number][] = []
    let query = 'by=score&limit=3'
    for (let pages = 0; pages < 3; pages++) {
      const response = await get(`${url}/v1/leaderboard?${query}`)
      expect(response.status).toBe(200)
      const page = leaderboard.parse(await response.json())
      if (page.by !== 'score') throw new Error('another board')
      found.push(
        ...page.players
          .map(({ rank, player, score }) => [rank, player.id, score] as const)
          .map(([...line]) => line as [number, string, number]),
      )
      expect(page.next === null).toBe(pages === 2)
      query = `by=score&limit=3&cursor=${encodeURIComponent(page.next ?? '')}`
    }
    expect(found).toEqual([
      ...[7, 6, 5, 4, 3, 2, 1].map((n, at) => [at + 1, playerNumber(n).id, n]),
      [8, NOBODY.id, -28],
    ])
  })

  test('who moves meanwhile is met twice or missed, and nobody else', async () => {
    const { url, store } = await withLeaders(6)
    const read = async (cursor: string | null) => {
      const more = cursor === null ? '' : `&cursor=${cursor}`
      const response = await get(`${url}/v1/leaderboard?by=rating&preset=duel&limit=2${more}`)
      const { players, next } = leaderboard.parse(await response.json())
      return { players: players.map(({ player }) => player.id), next }
    }
    const first = await read(null)
    const [top, second] = first.players
    for (let n = 0; n < 30; n++) {
      const players = [NOBODY, playerNumber(50 + n)]
      const game = { room: roomOf(900 + n), preset: 'duel', players, winners: ['south'] } as const
      await new ScoreKeeper(store).take(endedGame(game))
    }
    const seen = [...first.players]
    for (let { next } = first; next !== null; ) {
      const page = await read(next)
      seen.push(...page.players)
      next = page.next
    }
    for (const n of [1, 2, 3, 4, 5, 6]) {
      expect(seen.filter((id) => id === playerNumber(n).id)).toHaveLength(1)
    }
    expect(seen.slice(0, 2)).toEqual([top, second])
  })

  test.each([
    ['', 'query.by: must be score or rating.'],
    ['by=fame', 'query.by: must be score or rating.'],
    ['by=rating', 'query.preset'],
    ['by=rating&preset=chess', 'query.preset'],
    ['by=score&preset=duel', 'query has no field preset; its fields are by, limit, cursor.'],
    ['by=score&limit=0', 'query.limit: must be a whole number from 1 to 100.'],
    ['by=score&limit=101', 'query.limit: must be a whole number from 1 to 100.'],
    ['by=score&limit=ten', 'query.limit: must be a whole number from 1 to 100.'],
    ['by=score&cursor=x', 'query.cursor: must be what an earlier answer gave as next.'],
    ['by=score&cursor=1-%0a', 'query.cursor: must be what an earlier answer gave as next.'],
  ])('?%s is refused, with what would be right', async (query, sentence) => {
    const { url } = await startRealApp()
    const response = await get(`${url}/v1/leaderboard?${query}`)
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    expect(error.code).toBe('bad_message')
    expect(error.message).toContain(sentence)
  })
})

describe('GET /v1/players/:id', () => {
  test('is there for everyone who has an account, and says nothing secret', async () => {
    const { url } = await startRealApp()
    const { id, token } = await makeGuest(url, 'Ming')
    const response = await get(`${url}/v1/players/${id}`)
    expect(response.status).toBe(200)
    const text = await response.text()
    expect(playerPage.parse(JSON.parse(text))).toEqual({
      player: { id, name: 'Ming' },
      score: 0,
      title: 'soldier',
      counts: { played: 0, won: 0, lost: 0, drawn: 0, void: 0, escaped: 0 },
      ratings: {},
      games: [],
    })
    expect(text).not.toContain(token)
  })

  test.each(['zzzzzzzzzzzz', 'nobody', '../rooms', '%00'])('%s is nobody', async (id) => {
    const { url } = await startRealApp()
    const response = await get(`${url}/v1/players/${encodeURIComponent(id)}`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: 'not_found' } })
  })

  test('a wrong token is refused here as everywhere', async () => {
    const { url } = await startRealApp()
    const { id } = await makeGuest(url)
    expect((await get(`${url}/v1/players/${id}`, 'wrong')).status).toBe(401)
  })
})

describe('GET /v1/games/:id/score', () => {
  test.each(['00000000', 'room'])('%s: a room that is not there is not found', async (room) => {
    const { url } = await startRealApp()
    const response = await get(`${url}/v1/games/${room}/score`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: 'room_not_found' } })
  })
})
