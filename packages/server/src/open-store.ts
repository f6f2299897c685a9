import { openLmdbStore } from './adapters/lmdb/open-lmdb-store.ts'
import { MemoryStore } from './adapters/memory/memory-store.ts'
import { openRedisStore, type RedisStore } from './adapters/redis/open-redis-store.ts'
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
  const store = await openRedisStore({
    target,
    prefix,
    rng: systemRng,
    lost: (sentence) => logger.error(sentence),
    found: (sentence) => logger.info(sentence),
  })
  try {
    await checkDurability(store, { redis: describeRedis(target), requireDurable, logger })
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

interface DurabilityCheck {
  readonly redis: string
  readonly requireDurable: boolean
  readonly logger: Logger
}

/** Says in one log line what Redis's settings promise; refuses less than is required. */
async function checkDurability(
  store: RedisStore,
  { redis, requireDurable, logger }: DurabilityCheck,
): Promise<void> {
  const { isDurable, promise, problems } = await store.durability()
  if (isDurable) logger.info({ redis, durable: true }, promise)
  else if (!requireDurable) logger.warn({ redis, durable: false, problems }, promise)
  else {
    throw new StoreOpenError(
      `JUNQI_REQUIRE_DURABLE is true, but Redis at ${redis} falls short: ${[promise, ...problems].join(' ')}`,
    )
  }
}
