import { Redis } from 'ioredis'
import { z } from 'zod'
import { Balancer } from '../support/balancer.ts'
import { FaultyLine } from '../support/faulty-line.ts'
import { DURABLE, RedisServer } from '../support/redis-server.ts'
import {
  complaintsIn,
  makeServer,
  type ServerProcess,
  type Settings,
} from '../support/server-process.ts'
import { UNLIMITED } from '../support/unlimited.ts'
import { RedisRecords } from './redis-records.ts'

/** A node, and its own line to Redis. */
export interface Node {
  readonly url: string
  readonly server: ServerProcess
  readonly line: FaultyLine
}

/** Loaded before a server, lets its garbage be collected when one likes. */
export const COLLECTABLE = new URL('./collectable.mjs', import.meta.url)
const HOUR_OFF = new URL('./hour-off.mjs', import.meta.url)

/** Several nodes over one Redis, and one entry port before them. All are processes of their own. */
export class Site {
  readonly redis: RedisServer
  readonly nodes: readonly Node[]
  readonly balancer: Balancer
  /** Past the nodes and their lines. */
  readonly client: Redis
  readonly records: RedisRecords

  private constructor(redis: RedisServer, nodes: readonly Node[], balancer: Balancer) {
    this.redis = redis
    this.nodes = nodes
    this.balancer = balancer
    this.client = new Redis(redis.port, '127.0.0.1', { maxRetriesPerRequest: null })
    this.client.on('error', () => {})
    this.records = new RedisRecords(this.client)
  }

  /** All is ready. The wall clock of the second node is an hour off, as long as it lives. */
  static async start(nodes: number, settings: Settings = {}): Promise<Site> {
    const redis = await RedisServer.start(DURABLE)
    const made = await Promise.all(
      Array.from({ length: nodes }, (_, n) => makeNode(redis, { isHourOff: n === 1, settings })),
    )
    await Promise.all(made.map(start))
    return new Site(redis, made, await Balancer.before(made))
  }

  /** The node that serves the most. */
  get busiest(): Node {
    const [busiest] = [...this.nodes].sort((a, b) => this.#load(b) - this.#load(a))
    if (busiest === undefined) throw new Error('a site without nodes')
    return busiest
  }

  #load(node: Node): number {
    return this.balancer.servedBy(node).length
  }

  /** What the nodes wrote that tells of a bug: not that the store was away, or had lost something. */
  complaints(): readonly string[] {
    return this.nodes.flatMap(({ server }) => complaintsIn(server.output()).filter(tellsOfBug))
  }

  async stop(): Promise<void> {
    this.client.disconnect()
    await this.balancer.close()
    await Promise.all(this.nodes.map(({ server }) => server.stop()))
    await Promise.all(this.nodes.map(({ line }) => line.close()))
    await this.redis.stop()
  }
}

const logLine = z.object({ level: z.number(), msg: z.string() })
/** pino's number for errors. */
const ERROR = 50

function tellsOfBug(line: string): boolean {
  try {
    const { level, msg } = logLine.parse(JSON.parse(line))
    return level >= ERROR && !msg.includes('does not answer')
  } catch {
    return true
  }
}

/** Resolves when the node takes requests. */
export async function start({ server }: Node): Promise<void> {
  server.spawn()
  await server.ready()
}

async function makeNode(
  redis: RedisServer,
  { isHourOff, settings }: { readonly isHourOff: boolean; readonly settings: Settings },
): Promise<Node> {
  const line = await FaultyLine.to(redis.port)
  const loaded = [COLLECTABLE, ...(isHourOff ? [HOUR_OFF] : [])]
  const under = ['env', `NODE_OPTIONS=${loaded.map((url) => `--import=${url}`).join(' ')}`]
  const store = { JUNQI_STORE: 'redis', JUNQI_REDIS_URL: `redis://127.0.0.1:${line.port}` }
  const server = await makeServer({ ...UNLIMITED, ...store, ...settings }, under)
  return { url: server.url, server, line }
}
