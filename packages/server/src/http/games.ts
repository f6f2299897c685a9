import { err, ok, type Result } from '@junqi/engine'
import { type GameQuery, type RoomId, roomId, type ShareQuery } from '@junqi/protocol'
import type { FastifyInstance } from 'fastify'
import type { Archive, Reader } from '../archive/archive.ts'
import type { Door } from './door.ts'
import { fileAnswer } from './file-answer.ts'
import { type Refusal, refusal } from './refusal.ts'
import { type Answer, type Asked, type Handler, route } from './routes.ts'
import { shareIn } from './share-query.ts'
import { requirePlayer } from './visitor-player.ts'

export interface GameDeps {
  readonly door: Door
  readonly archive: Pick<Archive, 'list' | 'summary' | 'record' | 'jgs' | 'position' | 'share'>
}

/** Finished games. What has not ended, what is not for who asks and what does not exist get the same answer. */
export function registerGames(app: FastifyInstance, { door, archive }: GameDeps): void {
  const ofGame =
    (
      answer: (
        room: RoomId,
        reader: Reader,
        asked: Asked<GameAsk>,
      ) => Promise<Result<Answer, Refusal> | null>,
    ): Handler<GameAsk> =>
    async (asked) => {
      const player = await door.identify(asked.request, asked.visitor)
      if (!player.ok) return player
      const reader = { player: player.value, share: shareIn(asked.query) }
      const room = roomId.safeParse(asked.params.id)
      return door.replay(asked.visitor, async () =>
        room.success ? answer(room.data, reader, asked) : null,
      )
    }

  async function list(asked: Asked<GameQuery>): Promise<Result<Answer, Refusal>> {
    const player = await door.identify(asked.request, asked.visitor)
    if (!player.ok) return player
    return ok({ status: 200, body: await archive.list(asked.query, player.value) })
  }

  async function share(asked: Asked): Promise<Result<Answer, Refusal>> {
    const player = await requirePlayer(door, asked)
    if (!player.ok) return player
    const room = roomId.safeParse(asked.params.id)
    return door.replay(asked.visitor, async () =>
      room.success ? answerOf(archive.share(room.data, player.value)) : null,
    )
  }

  const summary = ofGame((room, reader) => answerOf(archive.summary(room, reader)))
  const record = ofGame((room, reader) => answerOf(archive.record(room, reader)))

  const jgs = ofGame(async (room, reader) => {
    const written = await archive.jgs(room, reader)
    if (written === null) return null
    if (!written.ok) return err(refusal('not_in_jgs', `${written.error}.`))
    return ok(fileAnswer(`${room}.jgs`, written.value))
  })

  const position = ofGame(async (room, reader, { params, query }) => {
    const n = /^\d{1,6}$/.test(params.n ?? '') ? Number(params.n) : Number.MAX_SAFE_INTEGER
    const seen = await archive.position(room, { n, as: query.as ?? 'truth' }, reader)
    if (seen === null) return null
    return seen.ok ? ok({ status: 200, body: seen.value }) : err(refusal('bad_message', seen.error))
  })

  route(app, door, { url: '/v1/games', on: { GET: list } })
  route(app, door, { url: '/v1/games/:id', on: { GET: summary } })
  route(app, door, { url: '/v1/games/:id/record', on: { GET: record } })
  route(app, door, { url: '/v1/games/:id/record.jgs', on: { GET: jgs } })
  route(app, door, { url: '/v1/games/:id/positions/:n', on: { GET: position } })
  route(app, door, { url: '/v1/games/:id/share', on: { POST: share } })
}

async function answerOf(asked: Promise<object | null>): Promise<Result<Answer, Refusal> | null> {
  const body = await asked
  return body && ok({ status: 200, body })
}

/** `as` is asked of positions only. */
type GameAsk = ShareQuery & { readonly as?: string | undefined }
