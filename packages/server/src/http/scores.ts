import { err, ok, type Result } from '@junqi/engine'
import { type LeaderboardQuery, playerId, roomId, type ShareQuery } from '@junqi/protocol'
import type { FastifyInstance } from 'fastify'
import type { Archive } from '../archive/archive.ts'
import type { ScoreReader } from '../scores/score-reader.ts'
import type { Door } from './door.ts'
import { type Refusal, refusal } from './refusal.ts'
import { type Answer, type Asked, route } from './routes.ts'
import { shareIn } from './share-query.ts'

export interface ScoreDeps {
  readonly door: Door
  readonly scores: ScoreReader
  /** Says who may know of a game that has ended. */
  readonly archive: Pick<Archive, 'summary'>
}

/** Players, leaderboards, and what a game changed: all of it public, but for private rooms. */
export function registerScores(app: FastifyInstance, { door, scores, archive }: ScoreDeps): void {
  async function readPlayer({ request, visitor, params }: Asked): Promise<Result<Answer, Refusal>> {
    const viewer = await door.identify(request, visitor)
    if (!viewer.ok) return viewer
    const id = playerId.safeParse(params.id)
    const page = id.success ? await scores.page(id.data, viewer.value?.id ?? null) : null
    return page === null ? err(NO_PLAYER) : ok({ status: 200, body: page })
  }

  async function readLeaderboard({
    query,
  }: Asked<LeaderboardQuery>): Promise<Result<Answer, Refusal>> {
    return ok({ status: 200, body: await scores.leaderboard(query) })
  }

  /** Of a game that goes on, as of one that does not exist or is not for the viewer, nothing is told. */
  async function readScore({
    request,
    visitor,
    params,
    query,
  }: Asked<ShareQuery>): Promise<Result<Answer, Refusal>> {
    const viewer = await door.identify(request, visitor)
    if (!viewer.ok) return viewer
    const reader = { player: viewer.value, share: shareIn(query) }
    const room = roomId.safeParse(params.id)
    return door.replay(visitor, async () => {
      const isTold = room.success && (await archive.summary(room.data, reader)) !== null
      return isTold ? ok({ status: 200, body: await scores.gameScore(room.data) }) : null
    })
  }

  route(app, door, { url: '/v1/players/:id', on: { GET: readPlayer } })
  route(app, door, { url: '/v1/leaderboard', on: { GET: readLeaderboard } })
  route(app, door, { url: '/v1/games/:id/score', on: { GET: readScore } })
}

const NO_PLAYER = refusal('not_found', 'There is no player with this id.')
