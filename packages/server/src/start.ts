import type { Layout } from '@junqi/engine'
import { strictEncoding } from '@junqi/protocol'
import { ServiceClock } from './adapters/service-clock.ts'
import { StoreOpenError } from './adapters/store-open-error.ts'
import { systemRng } from './adapters/system-rng.ts'
import { type Addresses, type App, buildApp } from './app.ts'
import { archiveConsumer } from './archive/archive-consumer.ts'
import { type Config, isThisMachine, loadConfig } from './config.ts'
import { listenProblem } from './listen-problem.ts'
import { type Logger, makeLastLogger, makeLogger } from './logger.ts'
import { makeMetrics, meterRooms } from './metrics.ts'
import { describeStore, openStore } from './open-store.ts'
import { type Store, StoreUnavailableError } from './ports.ts'
import { makeRooms } from './room/room-service.ts'
import { ScoreKeeper } from './scores/score-keeper.ts'
import { exitInOrder, refuseToStart } from './shutdown.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The server cannot start; the message is one sentence that says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

export interface RunningServer extends Addresses {
  readonly config: Config
  readonly logger: Logger
  /** With it bot accounts are made. */
  readonly botKey: string
  /** Ends in order: see `App.close`; then the store is closed. */
  stop(): Promise<void>
}

/** What a program that embeds a server may hand to it; no setting can. */
export interface Embedding {
  /** Deals the pieces of every flip game. Who deals knows what lies face down: for a server that nobody else plays on. */
  readonly deal?: () => Layout
}

/** Starts a server with the settings of an environment; rejects with a StartError. */
export async function startServer(
  env: Environment,
  { deal }: Embedding = {},
): Promise<RunningServer> {
  const loaded = loadConfig(env)
  if (!loaded.ok) throw new StartError(loaded.error)
  const config = loaded.value
  const logger = makeLogger(config.logLevel)
  strictEncoding(config.checkMessages)
  const store = await openOrRefuse(config, logger)
  try {
    const metrics = makeMetrics()
    const rooms = await makeRooms({
      store,
      rng: systemRng,
      log: logger,
      observer: meterRooms(metrics),
      newRooms: config.limits.rooms,
      chatRate: config.limits.chat,
      botGames: config.botGames,
      consumers: [archiveConsumer(store), new ScoreKeeper(store)],
      date: Date.now,
      deal,
    })
    const app = await buildApp(config, {
      store,
      date: Date.now,
      clock: new ServiceClock(0),
      rng: systemRng,
      logger,
      rooms,
      metrics,
    })
    const addresses = await listen(app, config)
    return {
      ...addresses,
      config,
      logger,
      botKey: app.botKey,
      stop: () => app.close().finally(() => store.close()),
    }
  } catch (error) {
    await store.close()
    throw error instanceof StoreUnavailableError ? goneStore(error, config) : error
  }
}

/** What runs beside a server from its start on; the function that comes back ends it. */
export type Companion = (server: RunningServer) => () => Promise<void>

/** The process of `npm start` and `junqi serve`: starts, says where it listens, and stops at a signal. */
export async function runServer(env: Environment, companion?: Companion): Promise<void> {
  // Whoever read what the server says may be gone; it serves all the same.
  process.stderr.on('error', () => {})
  try {
    const server = await startServer(env)
    const stopCompanion = companion?.(server)
    exitInOrder(makeLastLogger(server.config.logLevel), async () => {
      await Promise.all([stopCompanion?.(), server.stop()])
    })
    announce(server)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    refuseToStart(error.message)
  }
}

function announce({ url, adminUrl, config, logger }: RunningServer): void {
  const kept = describeStore(config)
  process.stderr.write(`Junqi is served at ${url} (${kept}; metrics at ${adminUrl}/metrics).\n`)
  logger.info({ url, adminUrl, store: config.store }, 'listening')
  if (!isThisMachine(config.adminHost)) {
    logger.warn(
      { adminUrl },
      'other machines can reach the admin port: keep everyone else out of it',
    )
  }
}

async function openOrRefuse(config: Config, logger: Logger): Promise<Store> {
  try {
    return await openStore(config, logger)
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw goneStore(error, config)
    throw error instanceof StoreOpenError ? new StartError(error.message, { cause: error }) : error
  }
}

function goneStore(cause: StoreUnavailableError, config: Config): StartError {
  const sentence = `The store (${describeStore(config)}) stopped answering during the start: see that it is well, and start again.`
  return new StartError(sentence, { cause })
}

async function listen(app: App, config: Config): Promise<Addresses> {
  try {
    return await app.listen()
  } catch (error) {
    await app.close()
    throw listenError(error, config)
  }
}

/** Says which of the two addresses it was. */
function listenError(error: unknown, config: Config): unknown {
  const known = listenProblem(error)
  if (known === null) return error
  const isAdmin = error instanceof Error && 'port' in error && error.port === config.adminPort
  const [prefix, host, port] = isAdmin
    ? ['JUNQI_ADMIN', config.adminHost, config.adminPort]
    : ['JUNQI', config.host, config.port]
  return new StartError(
    `The address ${host}, port ${port} ${known.problem}: ${known.mend} (see ${prefix}_HOST, ${prefix}_PORT).`,
  )
}
