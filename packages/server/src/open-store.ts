import { openLmdbStore } from './adapters/lmdb/open-lmdb-store.ts'
import { MemoryStore } from './adapters/memory/memory-store.ts'
import {
  type Durability,
  openRedisStore,
  type RedisStore,
} from './adapters/redis/open-redis-store.ts'
import { ServiceClock } from './adapters/service-clock.ts'
import { StoreOpenError } from './adapters/store-open-error.ts'
import { systemRng } from './adapters/system-rng.ts'
import type { Config, RedisConfig } from './config.ts'
import type { Logger } from './logger.ts'
import type { Store } from './ports.ts'
import { describeRedis } from './redis-url.ts'

type OpenConfig = Pick<Config, 'redis' | 'store' | 'dataDir' | 'requireDurable'>

/** Opens the store that is set; rejects with a StoreOpenError, whose sentence says what to do. */
export async function openStore(config: OpenConfig, logger: Logger): Promise<Store> {
  if (config.redis !== null) return openRedis(config.redis, config, logger)
  if (config.store === 'memory') {
    return new MemoryStore({ clock: new ServiceClock(0), rng: systemRng })
  }
  return openLmdbStore({
    folder: config.dataDir,
    rng: systemRng,
    lost: (sentence) => logger.error(sentence),
  })
}

/** In words for a person: where what is played is kept. */
export function describeStore({ redis, store, dataDir }: OpenConfig): string {
  if (redis !== null) return `kept in Redis at ${describeRedis(redis.target)}`
  return store === 'memory' ? 'in memory only, gone at the end' : `kept in ${dataDir}`
}

async function openRedis(
  { target, prefix }: RedisConfig,
  { requireDurable }: OpenConfig,
  logger: Logger,
): Promise<RedisStore> {
  const redis = describeRedis(target)
  const store = await openRedisStore({
    target,
    prefix,
    rng: systemRng,
    lost: (sentence) => logger.error(sentence),
    found: (sentence) => {
      logger.info(sentence)
      // It may be another one, or set otherwise by now; that it goes away again is told by `lost`.
      tellPromise(store, redis, logger).catch(() => {})
    },
  })
  try {
    const { isDurable, promise, problems } = await tellPromise(store, redis, logger)
    if (isDurable || !requireDurable) return store
    throw new StoreOpenError(
      `JUNQI_REQUIRE_DURABLE is true, but with Redis at ${redis} ${promise}: ${problems.join(' ')}`,
    )
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Says in one log line what Redis's settings promise. */
async function tellPromise(store: RedisStore, redis: string, logger: Logger): Promise<Durability> {
  const durability = await store.durability()
  const { isDurable: durable, promise, problems } = durability
  if (durable) logger.info({ redis, durable }, promise)
  else logger.warn({ redis, durable, problems }, promise)
  return durability
}
