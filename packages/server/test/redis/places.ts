import { randomBytes } from 'node:crypto'
import { Cluster, Redis } from 'ioredis'
import { until } from '../../../../test/support/redis-server.ts'
import { openRedisStore, type RedisStore } from '../../src/adapters/redis/open-redis-store.ts'
import type { Timing } from '../../src/adapters/redis/timing.ts'
import { systemRng } from '../../src/adapters/system-rng.ts'
import type { Store } from '../../src/ports.ts'
import { parseRedisUrl, type RedisTarget } from '../../src/redis-url.ts'
import type { Place } from '../contract/store.contract.ts'

export function targetOf(url: string): RedisTarget {
  const parsed = parseRedisUrl(url)
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.value
}

/** So that tests of outages need not last long. */
export const QUICK = {
  answer: 400,
  beat: 50,
  leash: 100,
  look: 50,
  refresh: 200,
  reconnect: 50,
} as const satisfies Partial<Timing>

/** A store with QUICK timing is answered again, and goes on being answered when all that it asked before has ended in some way. */
export async function recovered(store: Store): Promise<void> {
  let since = performance.now()
  await until(async () => {
    const isAnswered = await store.ping().then(
      () => true,
      () => false,
    )
    if (!isAnswered) since = performance.now()
    return performance.now() - since > 2 * QUICK.answer
  })
}

/** A prefix of its own on a Redis, under which there is nothing yet. */
export interface RedisPlace extends Place {
  readonly prefix: string
  open(timing?: Partial<Timing>): Promise<RedisStore>
  /** By another way. `told` gets the sentences about outages. */
  openAt(url: string, timing: Partial<Timing>, told?: string[]): Promise<RedisStore>
  keys(): Promise<readonly string[]>
}

export function makeRedisPlace(url: string): RedisPlace {
  const prefix = `test-${randomBytes(6).toString('hex')}`
  const openAt: RedisPlace['openAt'] = (at, timing, told = []) => {
    const tell = (sentence: string): void => void told.push(sentence)
    const target = targetOf(at)
    return openRedisStore({ target, prefix, rng: systemRng, lost: tell, found: tell, timing })
  }
  return {
    prefix,
    open: (timing = {}) => openAt(url, timing),
    openAt,
    keys: () => keysOf(url, prefix),
    countKeys: async () => (await keysOf(url, prefix)).filter((key) => !isLasting(key)).length,
    dispose: async () => {
      await keysOf(url, prefix, { isRemoving: true })
    },
  }
}

/** Those that every store has, and those of its partitions that forget by themselves. */
const isLasting = (key: string): boolean => /:meta\}|:(touched|beat)$/.test(key)

async function keysOf(
  url: string,
  prefix: string,
  { isRemoving } = { isRemoving: false },
): Promise<readonly string[]> {
  const target = targetOf(url)
  const client =
    target.kind === 'cluster' ? new Cluster([...target.nodes]) : new Redis(url, { protocol: 2 })
  try {
    await client.ping()
    const masters = client instanceof Cluster ? client.nodes('master') : [client]
    const keys = await Promise.all(masters.map((master) => scan(master, `{${prefix}:*`)))
    if (isRemoving) for (const key of keys.flat()) await client.del(key)
    return keys.flat()
  } finally {
    client.disconnect()
  }
}

async function scan(master: Redis, match: string): Promise<readonly string[]> {
  const found = []
  for await (const keys of master.scanStream({ match, count: 1_000 })) found.push(...keys)
  return found
}
