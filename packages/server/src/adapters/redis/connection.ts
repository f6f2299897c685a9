import type { Socket } from 'node:net'
import type { Redis, RedisOptions } from 'ioredis'
import type { RedisTarget } from '../../redis-url.ts'
import { ended } from './ended.ts'
import type { Timing } from './timing.ts'

/**
 * Options of every connection. ioredis would keep commands for later, send those again that were not answered, and
 * subscribe again without looking at the outcome; it is told not to.
 */
export function connectionOptions({ login, tls }: RedisTarget, timing: Timing) {
  return {
    ...(login && { username: login.username ?? undefined, password: login.password }),
    ...(tls && { tls: {} }),
    // With a password that Redis does not want, the greeting of version 3 fails and ioredis does not notice.
    protocol: 2,
    connectionName: 'junqi',
    disableClientInfo: true,
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    commandTimeout: timing.answer,
    connectTimeout: timing.answer,
    sentinelCommandTimeout: timing.answer,
    disconnectTimeout: Math.min(timing.answer, 200),
    maxLoadingRetryTime: 200,
    // A master that was made a replica: there is another one to be found.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  } as const satisfies RedisOptions
}

/** The pause before an attempt to connect. */
export function pauseBefore(attempt: number, { reconnect }: Timing): number {
  return Math.min(25 * 2 ** Math.min(attempt, 10), reconnect)
}

/** Ends a connection, or the attempts to make one; resolves when nothing of it is left. */
export async function endConnection(redis: Redis): Promise<void> {
  const stream: Socket | undefined = redis.stream
  redis.disconnect()
  if (stream !== undefined && !stream.destroyed) await ended(stream)
}
