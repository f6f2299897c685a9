import type { PresetName, Result } from '@junqi/engine'
import {
  type GameScore,
  gameScore,
  type Leaderboard,
  leaderboard,
  type PlayerId,
  type PlayerPage,
  playerPage,
  type RoomId,
} from '@junqi/protocol'
import { call, type HttpAccess, jsonOf, withQuery } from './http-call.ts'
import type { Refusal } from './refusal.ts'

type Answer<T> = Promise<Result<T, Refusal>>

/** Which leaderboard, and which part of it. */
export type LeaderboardWish = (
  | { readonly by: 'score' }
  | { readonly by: 'rating'; readonly preset: PresetName }
) & {
  /** Lines, 1 to 100; else 50. */
  readonly limit?: number
  /** `next` of the page before. */
  readonly cursor?: string
}

/** What players have come to. Of private games more is told to who played in them. */
export interface Scores {
  player(id: PlayerId): Answer<PlayerPage>
  leaderboard(wish: LeaderboardWish): Answer<Leaderboard>
  /** What a game that has ended did to its players. It may not be settled yet: then ask again soon. */
  game(room: RoomId): Answer<GameScore>
}

export function scoresOf(access: HttpAccess): Scores {
  return {
    player: (id) => call(access, { path: `v1/players/${id}` }, jsonOf(playerPage)),
    leaderboard: (wish) =>
      call(access, { path: withQuery('v1/leaderboard', wish) }, jsonOf(leaderboard)),
    game: (room) => call(access, { path: `v1/games/${room}/score` }, jsonOf(gameScore)),
  }
}
