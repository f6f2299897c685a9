import type { RedisTarget } from '../../redis-url.ts'
import { StoreOpenError } from '../store-open-error.ts'
import type { ServerInfo } from './server-info.ts'

const OLDEST_MAJOR = 7

/** Throws a StoreOpenError where a server is none that the URL can mean. */
export function checkServer(info: ServerInfo, target: RedisTarget, place: string): void {
  const problem = problemOf(info, target)
  if (problem !== null) throw new StoreOpenError(`Redis (${place}) ${problem}.`)
}

function problemOf(info: ServerInfo, target: RedisTarget): string | null {
  const version = info.get('redis_version') ?? 'unknown'
  const mode = info.get('redis_mode')
  if (mode === 'sentinel')
    return 'is a sentinel: write redis-sentinel://host:port/MASTER in JUNQI_REDIS_URL'
  if (!(Number.parseInt(version, 10) >= OLDEST_MAJOR))
    return `is of version ${version}: run ${OLDEST_MAJOR}.0 or later`
  if (mode === 'cluster' && target.kind !== 'cluster')
    return 'is a node of a cluster: write redis-cluster://host:port in JUNQI_REDIS_URL'
  if (info.get('role') === 'slave') {
    const master = `${info.get('master_host')}:${info.get('master_port')}`
    return `is a replica, which takes no writes: write its master, ${master}, in JUNQI_REDIS_URL`
  }
  return null
}
