import { err, ok, type Result } from '@junqi/engine'
import { type PlayerId, playerId, type RoomId, roomId } from '@junqi/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Logger } from '../logger.ts'
import type { Ban } from '../players/ban.ts'
import type { Bans } from '../players/bans.ts'
import { hashToken } from '../players/token.ts'
import type { Clock, PlayerStore } from '../ports.ts'
import type { RoomService } from '../room/room-service.ts'
import { isSameSecret } from '../same-secret.ts'
import type { Gateway } from '../socket/gateway.ts'
import { bearerOf } from './credentials.ts'
import type { Draining } from './draining.ts'
import { type Refusal, refusal } from './refusal.ts'
import { type Answer, parseBody, readForm, refuse } from './routes.ts'

/** What the admin routes ask of the rooms. */
export type RoomKeeper = Pick<RoomService, 'summaries' | 'summary' | 'closeRoom'>

export interface AdminDeps {
  readonly isReady: () => Promise<boolean>
  readonly rooms: RoomKeeper & { readonly size: number }
  readonly players: Pick<PlayerStore, 'findPlayer'>
  readonly bans: Bans
  readonly gateway: Pick<Gateway, 'size'>
  readonly draining: Draining
  readonly serviceClock: Pick<Clock, 'now'>
  readonly logger: Logger
}

/** What was asked, besides its path. */
interface Asked {
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
}

type Handler = (asked: Asked) => Promise<Result<Answer, Refusal>>

const MOST_ROOMS = 1000
const FORM_OF_LIMIT = `a whole number from 1 to ${MOST_ROOMS}`
const roomsQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, FORM_OF_LIMIT)
    .transform(Number)
    .refine((limit) => limit <= MOST_ROOMS, FORM_OF_LIMIT)
    .prefault('100'),
})

/** Ten years; for longer it is for ever. */
const MOST_SECONDS = 315_360_000
const FORM_OF_SECONDS = `seconds from 1 to ${MOST_SECONDS}, or null: for ever`
const banRequest = z.strictObject({
  reason: z.string().trim().max(200),
  seconds: z
    .int(FORM_OF_SECONDS)
    .min(1, FORM_OF_SECONDS)
    .max(MOST_SECONDS, FORM_OF_SECONDS)
    .nullable(),
})

/**
 * What who runs the server may see and do at the admin port, with the admin token (docs/admin.md). Nothing that is hidden in
 * a running game can be seen here (F-H2). Every call leaves a line in the log.
 */
export function registerAdmin(app: FastifyInstance, token: string, deps: AdminDeps): void {
  const { rooms, players, bans, gateway, draining, serviceClock, logger } = deps

  async function readNode(): Promise<Result<Answer, Refusal>> {
    const node = {
      ready: await deps.isReady(),
      draining: draining.isOn,
      connections: gateway.size,
      rooms: rooms.size,
      serverTime: serviceClock.now(),
    }
    return ok({ status: 200, body: node })
  }

  async function drain(): Promise<Result<Answer, Refusal>> {
    await draining.begin()
    return readNode()
  }

  async function resume(): Promise<Result<Answer, Refusal>> {
    await draining.end()
    return readNode()
  }

  async function listRooms({ query }: Asked): Promise<Result<Answer, Refusal>> {
    const asked = readForm(roomsQuery, 'query', query)
    if (!asked.ok) return asked
    return ok({ status: 200, body: { rooms: await rooms.summaries(asked.value.limit) } })
  }

  async function readRoom({ params }: Asked): Promise<Result<Answer, Refusal>> {
    const id = roomOf(params)
    const summary = id === null ? null : await rooms.summary(id)
    return summary === null ? err(NO_ROOM) : ok({ status: 200, body: summary })
  }

  async function closeRoom(asked: Asked): Promise<Result<Answer, Refusal>> {
    const id = roomOf(asked.params)
    const closed = id === null ? null : await rooms.closeRoom(id)
    if (closed === null) return err(NO_ROOM)
    return closed.ok ? readRoom(asked) : closed
  }

  async function listBans(): Promise<Result<Answer, Refusal>> {
    const told = [...(await bans.list())].map(([player, ban]) => tellBan(player, ban))
    return ok({ status: 200, body: { bans: told } })
  }

  async function banPlayer({ params, body }: Asked): Promise<Result<Answer, Refusal>> {
    const asked = parseBody(banRequest, body)
    if (!asked.ok) return asked
    const id = playerOf(params)
    const known = id === null ? null : await players.findPlayer(id)
    if (known === null) return err(NO_PLAYER)
    const { reason, seconds } = asked.value
    const ban = await bans.ban(known.id, {
      reason,
      forMs: seconds === null ? null : seconds * 1000,
    })
    return ok({ status: 200, body: tellBan(known.id, ban) })
  }

  async function liftBan({ params }: Asked): Promise<Result<Answer, Refusal>> {
    const id = playerOf(params)
    const wasThere = id !== null && (await bans.lift(id))
    return wasThere ? ok({ status: 204, body: undefined }) : err(NO_BAN)
  }

  function serve(action: string, handler: Handler) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const params = names.parse(request.params)
      const { query, body } = request
      const answer = isAdmin(request) ? await handler({ params, query, body }) : err(NO_ADMIN)
      const status = answer.ok ? answer.value.status : answer.error.code
      logger.info({ action, ...idsIn(params), outcome: status, from: request.ip }, 'admin')
      if (!answer.ok) return refuse(reply, answer.error)
      return reply.code(answer.value.status).send(answer.value.body)
    }
  }

  /** By hashes: how long the token is is not told either. */
  const isAdmin = ({ raw }: FastifyRequest): boolean =>
    isSameSecret(hashToken(token), hashToken(bearerOf(raw) ?? ''))

  app.get('/admin/node', serve('readNode', readNode))
  app.post('/admin/node/drain', serve('drain', drain))
  app.post('/admin/node/resume', serve('resume', resume))
  app.get('/admin/rooms', serve('listRooms', listRooms))
  app.get('/admin/rooms/:room', serve('readRoom', readRoom))
  app.post('/admin/rooms/:room/close', serve('closeRoom', closeRoom))
  app.get('/admin/bans', serve('listBans', listBans))
  app.put('/admin/bans/:player', serve('banPlayer', banPlayer))
  app.delete('/admin/bans/:player', serve('liftBan', liftBan))
}

const names = z.record(z.string(), z.string())

const NO_ADMIN = refusal(
  'unauthorized',
  'No admin token came, or a wrong one: send JUNQI_ADMIN_TOKEN as "Authorization: Bearer TOKEN".',
)
const NO_ROOM = refusal('room_not_found', 'There is no such room.')
const NO_PLAYER = refusal('not_found', 'There is no such player.')
const NO_BAN = refusal('not_found', 'This player is not shut out.')

const roomOf = ({ room }: Asked['params']): RoomId | null => roomId.safeParse(room).data ?? null

const playerOf = ({ player }: Asked['params']): PlayerId | null =>
  playerId.safeParse(player).data ?? null

/** Whom or what a call is about; of what is no id nothing is logged. */
const idsIn = (params: Asked['params']): object => ({
  ...(params.room !== undefined && { room: roomOf(params) }),
  ...(params.player !== undefined && { player: playerOf(params) }),
})

const tellBan = (player: PlayerId, { reason, since, until }: Ban) => ({
  player,
  reason,
  since,
  until,
})
