import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { Archive } from './archive/archive.ts'
import { Retention } from './archive/retention.ts'
import type { Config } from './config.ts'
import { type RoomKeeper, registerAdmin } from './http/admin.ts'
import { type RoomReader, registerApi } from './http/api.ts'
import { Door } from './http/door.ts'
import { Draining } from './http/draining.ts'
import { registerFormations } from './http/formations.ts'
import { registerGames } from './http/games.ts'
import { problemOfServing, registerHealth } from './http/health.ts'
import { isMisnamed, MISNAMED } from './http/host-name.ts'
import { findPage, registerPage } from './http/page.ts'
import { RequestsInHand } from './http/requests-in-hand.ts'
import { refuse } from './http/routes.ts'
import { registerScores } from './http/scores.ts'
import { makeHttpServer } from './http/server.ts'
import { SocketCap } from './http/socket-cap.ts'
import type { Logger } from './logger.ts'
import { makeTraffic, meterServing, meterTraffic } from './metrics.ts'
import { Accounts } from './players/accounts.ts'
import { Bans } from './players/bans.ts'
import { BotAccounts } from './players/bot-accounts.ts'
import { Identities } from './players/identities.ts'
import { IdentityProvider } from './players/identity-provider.ts'
import type { Clock, Rng, Store } from './ports.ts'
import { RateLimiter } from './rate-limit.ts'
import type { RoomService } from './room/room-service.ts'
import { ScoreReader } from './scores/score-reader.ts'
import { Gateway } from './socket/gateway.ts'

/** What the edges ask of the rooms. */
export type Rooms = RoomReader &
  RoomKeeper &
  Pick<RoomService, 'removed' | 'router' | 'isPlaying' | 'size' | 'start' | 'stop'>

/** Where the server can be reached. */
export interface Addresses {
  readonly url: string
  readonly adminUrl: string
}

export interface AppDeps {
  readonly store: Store
  /** Process time, which runs while the store fails: for limits and for signs of life. */
  readonly clock: Clock
  readonly rng: Rng
  readonly logger: Logger
  readonly rooms: Rooms
  /** Milliseconds since 1970: for dates that people read, and the end of an identity provider's tokens. No room decides by it. */
  readonly date: () => number
  /** What is shown at /metrics, besides what the sockets count. */
  readonly metrics: Registry
}

export interface App {
  /** With it bot accounts are made: the deployer's, or one that stays the same for the life of the store. */
  readonly botKey: string
  readonly http: FastifyInstance
  readonly admin: FastifyInstance
  readonly gateway: Gateway
  readonly draining: Draining
  listen(): Promise<Addresses>
  /** Answers what is in hand, sends everyone away, and lets go of the ports; the store stays open. */
  close(): Promise<void>
}

/** The whole server, wired but not listening. */
export async function buildApp(config: Config, deps: AppDeps): Promise<App> {
  const { store, clock, rng, logger, rooms, metrics } = deps
  const serviceClock = store.clock
  const now = () => clock.now()
  const accounts = new Accounts({ store, rng, clock: serviceClock })
  const botKey = config.botKey ?? Buffer.from(await store.secret('bot key')).toString('base64url')
  const bots = new BotAccounts({ key: botKey, store, clock: serviceClock })
  const provider =
    config.provider &&
    new IdentityProvider(config.provider, {
      secret: await store.secret('provider players'),
      date: deps.date,
      store,
      clock,
      serviceClock,
      logger,
    })
  const bans = new Bans({ store, serviceClock, clock, logger })
  const identities = new Identities({
    guests: config.guests,
    accounts,
    provider,
    bans,
    serviceClock,
  })
  const door = new Door(config, { identities, clock })
  const traffic = makeTraffic()
  const { connections, connectionsPerAddress } = config.limits
  const cap = new SocketCap({
    most: connectionsPerAddress + SPARE_SOCKETS_PER_ADDRESS,
    proxies: config.trustedProxies,
    clock,
  })
  const http = makeHttpServer({
    logger,
    refusalOf: (request) => {
      const counted = door.count(request)
      return counted.ok ? null : counted.error
    },
    overran: (socket) => cap.overran(socket),
  })
  const admin = makeHttpServer({ logger })
  const requests = new RequestsInHand(http)
  const gateway = new Gateway(http.server, {
    router: rooms.router,
    isPlaying: (player) => rooms.isPlaying(player),
    players: new RateLimiter(config.limits.player, now),
    limits: config.limits,
    traffic,
    clock,
    serviceClock,
    door,
    rng,
    logger,
  })
  const health = { store, isDraining: () => door.isClosed }
  meterTraffic(metrics, traffic, () => gateway.size)
  meterServing(metrics, {
    isReady: async () => (await problemOfServing(health)) === null,
    rooms: () => rooms.size,
  })
  http.server.maxConnections = connections + SPARE_SOCKETS
  cap.watch(http.server)
  registerHealth(http, health)
  registerApi(http, config, {
    door,
    accounts,
    bots,
    rooms,
    quotas: store,
    serviceClock,
    rng,
    gateway,
  })
  registerFormations(http, { door, store, rng })
  registerPage(http, findPage(), door)
  const archive = new Archive({ store, date: deps.date }, await store.secret('game shares'))
  registerGames(http, { door, archive })
  const retention = new Retention({
    store,
    days: config.archiveDays,
    removed: (room) => rooms.removed(room),
    log: logger,
  })
  registerScores(http, { door, scores: new ScoreReader(store), archive })
  admin.addHook('onRequest', async (request, reply) =>
    isMisnamed(request.raw, config) ? refuse(reply, MISNAMED) : undefined,
  )
  admin.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.metrics()),
  )
  const draining = new Draining({ door, gateway, requests })
  if (config.adminToken !== null) {
    registerAdmin(admin, config.adminToken, {
      isReady: async () => (await problemOfServing(health)) === null,
      players: store,
      rooms,
      bans,
      gateway,
      draining,
      serviceClock,
      logger,
    })
  }
  await Promise.all([http.ready(), admin.ready()])

  return {
    botKey,
    http,
    admin,
    gateway,
    draining,
    async listen() {
      await bans.start((player) => gateway.expel(player))
      await rooms.start()
      retention.start()
      await http.listen({ host: config.host, port: config.port })
      await admin.listen({ host: config.adminHost, port: config.adminPort })
      return { url: urlOf(http, config.host), adminUrl: urlOf(admin, config.adminHost) }
    },
    async close() {
      await draining.stop()
      gateway.stop()
      bans.stop()
      await retention.stop()
      await rooms.stop()
      await Promise.all([http.close(), admin.close()])
    },
  }
}

/** HTTP connections beside the WebSockets. */
const SPARE_SOCKETS = 1000
const SPARE_SOCKETS_PER_ADDRESS = 200

function urlOf(app: FastifyInstance, host: string): string {
  const address = app.server.address()
  const port = typeof address === 'object' ? address?.port : null
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
