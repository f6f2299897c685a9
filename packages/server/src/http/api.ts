import type { IncomingMessage } from 'node:http'
import { err, ok, PRESETS, type Result } from '@junqi/engine'
import {
  type CommandId,
  commandId,
  formatRoomCode,
  guestRequest,
  LIMITS,
  type Player,
  PROTOCOL,
  parseRoomCode,
  type RoomId,
  roomId,
  roomRequest,
} from '@junqi/protocol'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Accounts } from '../players/accounts.ts'
import type { BotAccounts } from '../players/bot-accounts.ts'
import type { Clock, QuotaStore, Rng } from '../ports.ts'
import type { RoomService } from '../room/room-service.ts'
import { type Gateway, SOCKET_PATH } from '../socket/gateway.ts'
import { bearerOf, tokenCookie } from './credentials.ts'
import type { Door } from './door.ts'
import { type Refusal, refusal, tooMany } from './refusal.ts'
import { type Answer, type Asked, type Handler, parseBody, readForm, route } from './routes.ts'
import { requirePlayer } from './visitor-player.ts'

/** What HTTP asks of the rooms: made from the same views as frames (F-H2). */
export type RoomReader = Pick<
  RoomService,
  'createRoom' | 'listRooms' | 'publicRoom' | 'isShown' | 'seatsOf' | 'whyUnseen'
>

export interface ApiDeps {
  readonly door: Door
  readonly accounts: Accounts
  readonly bots: BotAccounts
  readonly rooms: RoomReader
  readonly quotas: Pick<QuotaStore, 'take'>
  /** What players are told. */
  readonly serviceClock: Pick<Clock, 'now'>
  readonly gateway: Gateway
  readonly rng: Rng
}

/** The HTTP side of the public port (issue 2): who you are, and rooms as they can be read. */
export function registerApi(app: FastifyInstance, config: Config, deps: ApiDeps): void {
  const { door, accounts, bots, rooms, quotas, serviceClock } = deps

  async function createGuest({ request, body, visitor }: Asked): Promise<Result<Answer, Refusal>> {
    const asked = parseBody(guestRequest, body)
    if (!asked.ok) return asked
    const { name, bot } = asked.value
    if (bot !== undefined && bots.isKey(bearerOf(request) ?? '')) {
      const { player, token } = await bots.account(name, bot)
      return ok({ status: 201, body: { ...player, token } })
    }
    // A wrong key costs as much as a guest, so that nobody tries many.
    const waitMs = await quotas.take('guests', visitor.peer.address, config.limits.guests)
    if (waitMs > 0) return err(tooMany(waitMs))
    if (bot !== undefined) return err(WRONG_BOT_KEY)
    if (!config.guests) return err(refusal('no_guests'))
    const { player, token } = await accounts.createGuest(name)
    const answer = { status: 201, body: { ...player, token } } as const
    if (visitor.origin !== 'own') return ok(answer)
    const cookie = tokenCookie(token, { secure: visitor.peer.secure })
    return ok({ ...answer, headers: { 'set-cookie': cookie } })
  }

  /** Also tells a browser, which cannot see it, why its handshake was refused. */
  async function readSession({ request, visitor }: Asked): Promise<Result<Answer, Refusal>> {
    const refused = deps.gateway.refusalFor(visitor.peer.address)
    if (refused !== null) return err(refused)
    const player = await requirePlayer(door, { request, visitor })
    return player.ok ? ok({ status: 200, body: { player: player.value } }) : player
  }

  async function readSeats({ request, visitor }: Asked): Promise<Result<Answer, Refusal>> {
    const player = await requirePlayer(door, { request, visitor })
    if (!player.ok) return player
    return ok({ status: 200, body: { rooms: await rooms.seatsOf(player.value) } })
  }

  async function listRooms(): Promise<Result<Answer, Refusal>> {
    return ok({ status: 200, body: { rooms: await rooms.listRooms() } })
  }

  async function createRoom({ request, visitor, body }: Asked): Promise<Result<Answer, Refusal>> {
    const player = await requirePlayer(door, { request, visitor })
    if (!player.ok) return player
    const asked = parseBody(roomRequest, body)
    if (!asked.ok) return asked
    const key = idempotencyKey(request, asked.value.id)
    if (!key.ok) return key
    const { preset, options, private: isPrivate, spectators } = asked.value
    const created = await rooms.createRoom(
      player.value,
      { preset, options, private: isPrivate, spectators },
      key.value ?? randomCommandId(deps.rng),
    )
    return created.ok ? ok({ status: 201, body: created.value }) : created
  }

  /** `read`, for whoever asks; what cannot be seen and what does not exist get the same answer. */
  function readRoom(
    read: (room: RoomId, player: Player | null) => Promise<object | null>,
    why: RoomReader['whyUnseen'] = async () => 'room_not_found',
  ): Handler {
    return async ({ request, visitor, params }) => {
      const player = await door.identify(request, visitor)
      if (!player.ok) return player
      const id = roomId.safeParse(params.id)
      const body = id.success ? await read(id.data, player.value) : null
      if (body !== null) return ok({ status: 200, body })
      const code = id.success ? await why(id.data, player.value) : 'room_not_found'
      return err(refusal(code))
    }
  }

  /** What somebody typed, for who may see the room: a private one and none get the same answer. */
  async function readCode({ request, visitor, params }: Asked): Promise<Result<Answer, Refusal>> {
    const player = await door.identify(request, visitor)
    if (!player.ok) return player
    const room = parseRoomCode(params.code ?? '')
    if (room === null || !(await rooms.isShown(room, player.value)))
      return err(refusal('room_not_found'))
    return ok({ status: 200, body: { room, code: formatRoomCode(room) } })
  }

  async function readMeta(): Promise<Result<Answer, Refusal>> {
    return ok({ status: 200, body: { ...meta(config), serverTime: serviceClock.now() } })
  }

  route(app, door, { url: '/v1/guests', on: { POST: createGuest } })
  route(app, door, { url: '/v1/session', on: { GET: readSession } })
  route(app, door, { url: '/v1/seats', on: { GET: readSeats } })
  route(app, door, { url: '/v1/rooms', on: { GET: listRooms, POST: createRoom } })
  route(app, door, {
    url: '/v1/rooms/:id',
    on: {
      GET: readRoom(
        (...asked) => rooms.publicRoom(...asked),
        (...asked) => rooms.whyUnseen(...asked),
      ),
    },
  })
  route(app, door, { url: '/v1/codes/:code', on: { GET: readCode } })
  route(app, door, { url: '/v1/meta', on: { GET: readMeta } })
  // Whatever is asked for: what is wrong is that this is no handshake.
  route(app, door, { url: SOCKET_PATH, on: { GET: async () => err(NO_HANDSHAKE) } })
}

const WRONG_BOT_KEY = refusal(
  'unauthorized',
  'A bot account is made with the bot key of the server: send it as "Authorization: Bearer <key>", or leave "bot" out.',
)

/** For a browser's address line or a health check that found the socket's path. */
const NO_HANDSHAKE = refusal(
  'unsupported_protocol',
  `This address speaks WebSocket: connect with the subprotocol "${PROTOCOL}".`,
)

/** The command id, from `Idempotency-Key` or the body; null: none came. */
function idempotencyKey(
  request: IncomingMessage,
  inBody: CommandId | undefined,
): Result<CommandId | null, Refusal> {
  const header = request.headers['idempotency-key']
  if (header === undefined) return ok(inBody ?? null)
  const id = readForm(commandId, 'Idempotency-Key', header)
  if (!id.ok) return id
  if (inBody !== undefined && inBody !== id.value)
    return err(refusal('bad_message', 'Idempotency-Key and id are not the same; send one of them.'))
  return id
}

function meta(config: Config): object {
  const { messages, player, rooms, guests, chat } = config.limits
  return {
    protocol: PROTOCOL,
    limits: { ...LIMITS, rates: { messages, player, rooms, guests, chat } },
    admission: { guests: config.guests, loginUrl: config.provider?.loginUrl ?? null },
    presets: PRESETS,
  }
}

function randomCommandId(rng: Rng): CommandId {
  return commandId.parse(Buffer.from(rng.bytes(16)).toString('base64url'))
}
