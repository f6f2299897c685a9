import { type GameRecord, parseRecord, type Result, type Standpoint } from '@junqi/engine'
import {
  type GamePage,
  type GamePosition,
  type GameQuery,
  type GameShare,
  type GameSummary,
  gamePage,
  gamePosition,
  gameShare,
  gameSummary,
  type RoomId,
} from '@junqi/protocol'
import { bytesOf, call, type HttpAccess, jsonOf, withQuery } from './http-call.ts'
import type { Refusal } from './refusal.ts'

type Answer<T> = Promise<Result<T, Refusal>>

/** Finished games on the server. Private ones are for their members, and for who has what a member gave away. */
export interface Games {
  /** The newest first; the next page is asked for with the `next` of the one before as `cursor`. */
  list(query?: GameQuery): Answer<GamePage>
  get(room: RoomId): Answer<GameSummary>
  /** The whole game: `replayOf` steps through it. */
  record(room: RoomId): Answer<GameRecord>
  /** As QQ's `.jgs` file; refused where one cannot tell the game. */
  jgs(room: RoomId): Answer<Uint8Array>
  /** The game after n actions, as a seat or a spectator saw it, or as it was. */
  position(room: RoomId, n: number, as: Standpoint): Answer<GamePosition>
  /** A link for others. */
  share(room: RoomId): Answer<GameShare>
}

/** `share`: what a member of a private game gave away. */
export function gamesOf(access: HttpAccess & { readonly share?: string }): Games {
  const at = (room: RoomId, rest = '', query: Readonly<Record<string, string>> = {}): string =>
    withQuery(`v1/games/${room}${rest}`, {
      ...query,
      ...(access.share !== undefined && { share: access.share }),
    })
  return {
    list: (query = {}) => call(access, { path: withQuery('v1/games', query) }, jsonOf(gamePage)),
    get: (room) => call(access, { path: at(room) }, jsonOf(gameSummary)),
    record: (room) => call(access, { path: at(room, '/record') }, recordIn),
    jgs: (room) => call(access, { path: at(room, '/record.jgs') }, bytesOf),
    position: (room, n, as) =>
      call(access, { path: at(room, `/positions/${n}`, { as }) }, jsonOf(gamePosition)),
    share: (room) => call(access, { method: 'POST', path: at(room, '/share') }, jsonOf(gameShare)),
  }
}

async function recordIn(response: Response): Promise<GameRecord | null> {
  const parsed = parseRecord(await response.json())
  return parsed.ok ? parsed.value : null
}
