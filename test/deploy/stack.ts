import { RedisServer, type Settings } from '../support/redis-server.ts'
import { makeServer, type ServerProcess } from '../support/server-process.ts'
import { nodesOf, readCompose } from './compose-file.ts'

/** What docker-compose.yml runs, without containers: the same programs, arguments and settings, at other addresses. */
export interface Stack {
  readonly redis: RedisServer
  /** By the names of their services. */
  readonly nodes: ReadonlyMap<string, ServerProcess>
  stop(): Promise<void>
}

export async function startStack(): Promise<Stack> {
  const compose = readCompose()
  const redis = await RedisServer.start(redisSettings(compose.services.redis?.command ?? []))
  const nodes = new Map<string, ServerProcess>()
  for (const [name, { environment }] of nodesOf(compose)) {
    nodes.set(name, await makeServer(moved(environment, redis)))
  }
  for (const node of nodes.values()) node.spawn()
  for (const node of nodes.values()) await node.ready()
  return {
    redis,
    nodes,
    async stop() {
      for (const node of nodes.values()) await node.stop()
      await redis.stop()
    },
  }
}

/** `--name value` of a command. */
function redisSettings([, ...args]: readonly string[]): Settings {
  const pairs = args.flatMap((name, at) =>
    at % 2 === 0 ? [[name.slice(2), args[at + 1] ?? '']] : [],
  )
  return Object.fromEntries(pairs)
}

/** Names of services become loopback addresses; the ports are those that a test's server gets. */
function moved(
  { JUNQI_PORT: _, ...environment }: Readonly<Record<string, string>>,
  redis: RedisServer,
) {
  return {
    ...environment,
    JUNQI_ADMIN_HOST: '127.0.0.1',
    JUNQI_TRUSTED_PROXIES: '127.0.0.1',
    JUNQI_REDIS_URL: (environment.JUNQI_REDIS_URL ?? '').replace(
      'redis:6379',
      `127.0.0.1:${redis.port}`,
    ),
    JUNQI_LOG_LEVEL: 'warn',
  }
}
