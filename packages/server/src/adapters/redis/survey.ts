import { Redis } from 'ioredis'
import { describeRedis, type Endpoint, formatEndpoint, type RedisTarget } from '../../redis-url.ts'
import { ClusterLink } from './cluster-link.ts'
import { type Durability, readDurability } from './durability.ts'
import { Keys } from './keys.ts'
import type { Link } from './link.ts'
import { openError, wordsOf } from './open-error.ts'
import { connect } from './open-redis-store.ts'
import { integerOf, textOf } from './reply.ts'
import { makeScript, type Script } from './script.ts'
import { checkServer } from './server-check.ts'
import { parseInfo, readInfo, type ServerInfo } from './server-info.ts'
import { SingleLink } from './single-link.ts'
import { TIMING } from './timing.ts'

/** What was seen of a Redis, for whoever looks after it. */
export interface RedisSurvey {
  /** Of each server that takes writes. */
  readonly masters: readonly ServerInfo[]
  readonly durability: Durability
  /** `CLUSTER INFO`; null: it is no cluster. */
  readonly cluster: ServerInfo | null
  /** Of each sentinel: why it could not replace the master; null: it could. */
  readonly sentinels: readonly { readonly at: string; readonly fault: string | null }[]
  /** Why it did not do what a node asks of it, in Redis's words; null: it did. */
  readonly refused: string | null
  /** Milliseconds that it took each time to be answered, and to have something written. */
  readonly pings: readonly number[]
  readonly writes: readonly number[]
  /** Nodes with this prefix that beat of late. */
  readonly nodes: number
}

const ROUNDS = 20
const PROBE_EXPIRY = 1_000
const NO_EVENTS = { up() {}, down() {}, moved() {} }

/** Looks at a Redis without being a node, so that no clock runs for it. Rejects with a StoreOpenError where no node could begin. */
export async function surveyRedis(target: RedisTarget, prefix: string): Promise<RedisSurvey> {
  const place = describeRedis(target)
  const keys = new Keys(prefix)
  const link =
    target.kind === 'cluster'
      ? new ClusterLink(target, { timing: TIMING, keys, events: NO_EVENTS })
      : new SingleLink(target, TIMING, NO_EVENTS)
  try {
    await connect(link, TIMING)
    const masters = await readInfo(link)
    for (const info of masters) checkServer(info, target, place)
    return {
      masters,
      durability: await readDurability(link),
      cluster: link.isCluster ? parseInfo(textOf(await link.send('CLUSTER', 'INFO'))) : null,
      sentinels: target.kind === 'sentinel' ? await askSentinels(target) : [],
      pings: await timed(() => link.sendToMasters('PING')),
      ...(await tryWrites(link, keys)),
      nodes: await countNodes(link, keys),
    }
  } catch (error) {
    throw openError(place, error)
  } finally {
    await link.close()
  }
}

async function timed(act: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    await act()
    times.push(performance.now() - start)
  }
  return times
}

/** What nodes do: a script that writes and publishes; at each server that takes writes. What it writes expires. */
async function tryWrites(link: Link, keys: Keys): Promise<Pick<RedisSurvey, 'refused' | 'writes'>> {
  const script = makeScript(`
redis.call('SET', KEYS[1], '', 'PX', ${PROBE_EXPIRY})
redis.call('${link.isCluster ? 'SPUBLISH' : 'PUBLISH'}', KEYS[2], '')`)
  try {
    return { refused: null, writes: await timed(() => writeEverywhere(script, link, keys)) }
  } catch (error) {
    return { refused: wordsOf(error), writes: [] }
  }
}

async function writeEverywhere(script: Script, link: Link, keys: Keys): Promise<void> {
  const partitions = link.isCluster ? link.representatives() : [0]
  const tags = partitions.map((partition) => keys.partitions[partition]?.tag ?? '')
  await Promise.all(
    tags.map((tag) => link.run(script, [`${tag}:doctor`, `${tag}:hint:doctor`], [])),
  )
}

async function countNodes(link: Link, keys: Keys): Promise<number> {
  const [seconds] = await link.sendToMasters('TIME')
  const [now] = Array.isArray(seconds) ? seconds : []
  const since = Number(now) * 1000 - TIMING.presence
  return integerOf(await link.send('ZCOUNT', keys.nodes, since, '+inf'))
}

type Sentinels = Extract<RedisTarget, { kind: 'sentinel' }>

function askSentinels(target: Sentinels): Promise<RedisSurvey['sentinels']> {
  return Promise.all(
    target.sentinels.map(async (endpoint) => ({
      at: formatEndpoint(endpoint),
      fault: await faultOfSentinel(endpoint, target),
    })),
  )
}

async function faultOfSentinel(
  endpoint: Endpoint,
  { master, tls }: Sentinels,
): Promise<string | null> {
  const sentinel = new Redis({
    ...endpoint,
    ...(tls && { tls: {} }),
    lazyConnect: true,
    disableClientInfo: true,
    enableOfflineQueue: false,
    connectTimeout: TIMING.answer,
    commandTimeout: TIMING.answer,
    retryStrategy: () => null,
  })
  let fault: unknown = null
  sentinel.on('error', (error: Error) => {
    fault = error
  })
  try {
    await sentinel.connect()
    await sentinel.call('SENTINEL', 'CKQUORUM', master)
    return null
  } catch (error) {
    return wordsOf(fault ?? error)
  } finally {
    sentinel.disconnect()
  }
}
