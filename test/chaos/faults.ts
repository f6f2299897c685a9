import { type Node, type Site, start } from './site.ts'

/** Something that goes wrong, and is mended. */
export interface Fault {
  readonly name: string
  /** Resolves when all is mended; what was disturbed need not have come back yet. */
  readonly strike: (site: Site) => Promise<void>
}

/** How long a disturbance lasts: longer than a call to Redis may take, and than a beat. */
const LASTS_MS = 3_000
const STOPPED_MS = 5_000

/** An append on its way to Redis: nothing else that a node sends holds events. */
const APPEND = /"events":\[/

const pass = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A fault of one node: of the one that serves the most. */
const ofNode = (strike: (node: Node, site: Site) => Promise<void>): Fault['strike'] => {
  return (site) => strike(site.busiest, site)
}

const nothing: Fault = { name: 'none', strike: () => pass(LASTS_MS) }

const nodeKilled: Fault = {
  name: 'SIGKILL of a node',
  strike: ofNode(async (node) => {
    await node.server.kill('SIGKILL')
    await start(node)
  }),
}

const nodeStopped: Fault = {
  name: 'SIGSTOP of a node for 5 s, in an append',
  strike: ofNode(async ({ server, line }) => {
    const letGo = await line.holdReply(APPEND)
    server.pause()
    letGo()
    await pass(STOPPED_MS)
    server.resume()
  }),
}

const nodesKilled: Fault = {
  name: 'SIGKILL of all nodes',
  strike: async ({ nodes }) => {
    await Promise.all(nodes.map(({ server }) => server.kill('SIGKILL')))
    await Promise.all(nodes.map(start))
  },
}

const redisKilled: Fault = {
  name: 'SIGKILL of Redis',
  strike: async ({ redis }) => {
    await redis.kill()
    await redis.restart()
  },
}

const redisAway: Fault = {
  name: 'SIGKILL of Redis, away for 3 s',
  strike: async ({ redis }) => {
    await redis.kill()
    await pass(LASTS_MS)
    await redis.restart()
  },
}

const subscriptionsKilled: Fault = {
  name: 'CLIENT KILL TYPE pubsub',
  strike: async ({ client }) => {
    await client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
  },
}

const redisPaused: Fault = {
  name: 'CLIENT PAUSE for 3 s',
  strike: async ({ client }) => {
    await client.call('CLIENT', 'PAUSE', LASTS_MS, 'ALL')
    await pass(LASTS_MS)
  },
}

const lineCut: Fault = {
  name: 'line to Redis cut',
  strike: ofNode(async ({ line }) => line.cut()),
}

const lineRefused: Fault = {
  name: 'line to Redis refused for 3 s',
  strike: ofNode(async ({ line }) => {
    await line.refuse()
    await pass(LASTS_MS)
    await line.admit()
  }),
}

const lineDelayed: Fault = {
  name: 'line to Redis 200 ms longer',
  strike: ofNode(({ line }) => during(line, { type: 'delayed', ms: 200 })),
}

const lineHalfOpen: Fault = {
  name: 'line to Redis half-open for 3 s',
  strike: ofNode(({ line }) => during(line, { type: 'swallowed' })),
}

const lineHeld: Fault = {
  name: 'line to Redis held up for 3 s, then delivered',
  strike: ofNode(({ line }) => during(line, { type: 'held' })),
}

const replyLost: Fault = {
  name: 'reply lost after the append',
  strike: ofNode(({ line }) => line.loseReply(APPEND)),
}

const nodeEnded: Fault = {
  name: 'SIGTERM of a node',
  strike: ofNode((node) => restart(node)),
}

const rollingRestart: Fault = {
  name: 'rolling restart of all nodes',
  strike: async ({ nodes }) => {
    for (const node of nodes) await restart(node)
  },
}

/** Each goes on under load; one node's wall clock is an hour off all the time. */
export const FAULTS: readonly Fault[] = [
  nothing,
  nodeKilled,
  nodesKilled,
  nodeStopped,
  redisKilled,
  redisAway,
  subscriptionsKilled,
  redisPaused,
  lineCut,
  lineRefused,
  lineDelayed,
  lineHalfOpen,
  lineHeld,
  replyLost,
  nodeEnded,
  rollingRestart,
]

async function during(line: Node['line'], passage: Node['line']['passage']): Promise<void> {
  line.passage = passage
  await pass(LASTS_MS)
  line.passage = { type: 'open' }
}

/** In order: it ends by itself, with 0. */
async function restart(node: Node): Promise<void> {
  const code = await node.server.kill('SIGTERM')
  if (code !== 0) throw new Error(`${node.url} ended with ${code} at SIGTERM`)
  await start(node)
}
