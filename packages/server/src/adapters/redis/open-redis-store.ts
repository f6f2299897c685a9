import type { Rng } from '../../ports.ts'
import { describeRedis, type RedisTarget } from '../../redis-url.ts'
import { ServiceClock } from '../service-clock.ts'
import { StoreOpenError } from '../store-open-error.ts'
import { ClusterLink } from './cluster-link.ts'
import type { Durability } from './durability.ts'
import { beat, followTime } from './heartbeat.ts'
import { FORMAT, Keys } from './keys.ts'
import type { Link, LinkEvents } from './link.ts'
import { openError } from './open-error.ts'
import { RedisStore } from './redis-store.ts'
import { textOf } from './reply.ts'
import { makeScript } from './script.ts'
import { checkServer } from './server-check.ts'
import { readInfo } from './server-info.ts'
import { SingleLink } from './single-link.ts'
import { TIMING, type Timing } from './timing.ts'

export interface RedisStoreOptions {
  readonly target: RedisTarget
  /** All keys and channels begin with it: stores of one prefix are nodes of one system. */
  readonly prefix: string
  readonly rng: Rng
  /** Told in one sentence when Redis does not answer any more, and when it does again. */
  readonly lost?: (sentence: string) => void
  readonly found?: (sentence: string) => void
  /** For tests. */
  readonly timing?: Partial<Timing>
}

export type { Durability, RedisStore }

const monotonic = (): number => performance.now()

/** Connects to Redis; rejects with a StoreOpenError, which names no login. */
export async function openRedisStore(options: RedisStoreOptions): Promise<RedisStore> {
  const { target, prefix, rng } = options
  const place = describeRedis(target)
  const timing = { ...TIMING, ...options.timing }
  const keys = new Keys(prefix)
  let store: RedisStore | null = null
  const events: LinkEvents = {
    up: () => store?.linkUp(),
    down: () => store?.linkDown(),
    moved: () => store?.linkMoved(),
  }
  const link =
    target.kind === 'cluster'
      ? new ClusterLink(target, { timing, keys, events })
      : new SingleLink(target, timing, events)
  try {
    const node = Buffer.from(rng.bytes(6)).toString('hex')
    const parts = { link, keys, node, timing, monotonic }
    await connect(link, timing)
    for (const info of await readInfo(link)) checkServer(info, target, place)
    await checkFormat(link, keys, place)
    await checkChannels(link, keys, node)
    const clock = new ServiceClock(0)
    followTime(clock, await beat(parts), timing)
    store = new RedisStore({
      ...parts,
      rng,
      clock,
      lost: () => options.lost?.(lostRedis(place)),
      found: () => options.found?.(`Redis (${place}) answers again.`),
    })
    await store.hear()
    return store
  } catch (error) {
    await link.close()
    throw openError(place, error)
  }
}

/** Sentinels are asked again and again, and Redis may be loading its data: not for ever. */
export async function connect(link: Link, timing: Timing): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), timing.open)
  })
  try {
    await Promise.race([link.connect(), tooLate])
  } catch (error) {
    throw link.fault ?? error
  } finally {
    clearTimeout(timer)
  }
}

async function checkFormat(link: Link, keys: Keys, place: string): Promise<void> {
  await link.send('SET', keys.format, FORMAT, 'NX')
  const format = textOf(await link.send('GET', keys.format))
  if (format === FORMAT) return
  throw new StoreOpenError(
    `Redis (${place}) holds, under this prefix, what another version of this server has written: start that one, or set another JUNQI_REDIS_PREFIX.`,
  )
}

/** A user that may not publish, or ask who listens, is found out now: later, what it wrote would stay untold (F-C5). */
async function checkChannels(link: Link, keys: Keys, node: string): Promise<void> {
  const [count, publish] = link.isCluster ? ['SHARDNUMSUB', 'SPUBLISH'] : ['NUMSUB', 'PUBLISH']
  const script = makeScript(`
redis.call('PUBSUB', '${count}', KEYS[1])
redis.call('${publish}', KEYS[1], ARGV[1])`)
  await link.run(script, [keys.presence], [node])
}

const lostRedis = (place: string): string =>
  `Redis (${place}) does not answer, so no moves are taken and no clock runs until it does.`
