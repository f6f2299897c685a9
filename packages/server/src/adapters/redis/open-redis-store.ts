import type { Rng, Store } from '../../ports.ts'
import type { RedisTarget } from '../../redis-url.ts'
import { StoreOpenError } from '../store-open-error.ts'
import type { Durability } from './durability.ts'

export interface RedisStoreOptions {
  readonly target: RedisTarget
  /** All keys and channels begin with it: stores of one prefix are nodes of one system. */
  readonly prefix: string
  readonly rng: Rng
  /** Told in one sentence when Redis does not answer any more, and when it does again. */
  readonly lost?: (sentence: string) => void
  readonly found?: (sentence: string) => void
}

/** The store that nodes share. */
export interface RedisStore extends Store {
  /** Reads the settings that decide what is promised; rejects with StoreUnavailableError. */
  durability(): Promise<Durability>
}

/** Connects to Redis; rejects with a StoreOpenError, which names no login. */
export async function openRedisStore(_options: RedisStoreOptions): Promise<RedisStore> {
  throw new StoreOpenError('The store of several nodes is not there yet.')
}
