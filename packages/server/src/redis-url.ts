import { err, ok, type Result } from '@junqi/engine'

export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** Who Redis is told that we are; null: it is told nothing. */
export interface RedisLogin {
  /** null: the default user. */
  readonly username: string | null
  readonly password: string
}

/** Where Redis is, as `JUNQI_REDIS_URL` says it. It holds a password: what is logged is `describeRedis`. */
export type RedisTarget = {
  /** To the servers that hold the data; sentinels are asked without. */
  readonly login: RedisLogin | null
  readonly tls: boolean
} & (
  | { readonly kind: 'single'; readonly endpoint: Endpoint; readonly database: number }
  /** One master that these sentinels name and replace. */
  | { readonly kind: 'sentinel'; readonly sentinels: readonly Endpoint[]; readonly master: string }
  /** A cluster, of which these are some nodes. */
  | { readonly kind: 'cluster'; readonly nodes: readonly Endpoint[] }
)

const FORMS =
  'redis://[user:password@]host[:port][/database], redis-sentinel://host:port,host:port/MASTER or redis-cluster://host:port,host:port (rediss for TLS)'
const DEFAULT_PORTS = { single: 6379, sentinel: 26_379, cluster: 6379 } as const
const PARTS =
  /^redis(?<tls>s?)(?:-(?<kind>sentinel|cluster))?:\/\/(?:(?<login>[^@/?#]*)@)?(?<hosts>[^@/?#]*)(?:\/(?<path>[^@/?#]*))?$/

/** Reads a URL. The error says what to write instead and never repeats the URL, which may hold a password. */
export function parseRedisUrl(text: string): Result<RedisTarget, string> {
  const parts = PARTS.exec(text)?.groups
  if (parts === undefined) {
    return err(
      `write ${FORMS}, with a password's special characters percent-encoded (@ as %40, / as %2F)`,
    )
  }
  const { tls, hosts = '', path = '' } = parts
  const kind =
    parts.kind === 'sentinel' || parts.kind === 'cluster' ? parts.kind : ('single' as const)
  const endpoints = hosts.split(',').map((host) => parseEndpoint(host, DEFAULT_PORTS[kind]))
  const places = endpoints.filter((endpoint) => endpoint !== null)
  if (places.length < endpoints.length) return err(`a host is missing or malformed; write ${FORMS}`)
  const login = parts.login === undefined ? ok(null) : parseLogin(parts.login)
  if (!login.ok) return login
  const place = PLACES[kind](places, path)
  return place.ok ? ok({ login: login.value, tls: tls === 's', ...place.value }) : place
}

type Place = DistributedOmit<RedisTarget, 'login' | 'tls'>
type DistributedOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

const PLACES: Readonly<
  Record<RedisTarget['kind'], (hosts: readonly Endpoint[], path: string) => Result<Place, string>>
> = {
  single([endpoint, another], path) {
    if (endpoint === undefined || another !== undefined)
      return err(
        'several hosts are a cluster or sentinels; write redis-cluster:// or redis-sentinel://',
      )
    if (!/^\d{0,4}$/.test(path))
      return err('the database is a number; write …/0 or nothing at its end')
    return ok({ kind: 'single', endpoint, database: Number(path) })
  },
  sentinel(sentinels, master) {
    if (!/^[\w.-]+$/.test(master))
      return err('the name of the master is missing or malformed; write …/MASTER at its end')
    return ok({ kind: 'sentinel', sentinels, master })
  },
  cluster(nodes, path) {
    if (path !== '') return err('a cluster has no databases; leave out what follows the last host')
    return ok({ kind: 'cluster', nodes })
  },
}

/** In words for a log or a person, without the login. */
export function describeRedis(target: RedisTarget): string {
  switch (target.kind) {
    case 'single':
      return formatEndpoint(target.endpoint)
    case 'sentinel':
      return `${target.master} of the sentinels ${target.sentinels.map(formatEndpoint).join(', ')}`
    case 'cluster':
      return `the cluster of ${target.nodes.map(formatEndpoint).join(', ')}`
  }
}

function parseEndpoint(text: string, port: number): Endpoint | null {
  const [, bracketed, plain, digits] =
    /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = bracketed ?? plain
  const given = digits === undefined ? port : Number(digits)
  return host === undefined || given < 1 || given > 65_535 ? null : { host, port: given }
}

function parseLogin(text: string): Result<RedisLogin, string> {
  const [, username = '', password = ''] = /^([^:]*):(.+)$/.exec(text) ?? []
  if (password === '')
    return err('a password is missing; write user:password@ or :password@ before the host')
  try {
    const user = decodeURIComponent(username)
    return ok({ username: user === '' ? null : user, password: decodeURIComponent(password) })
  } catch {
    return err('a % in the login is not followed by two hexadecimal digits; write it as %25')
  }
}

export const formatEndpoint = ({ host, port }: Endpoint): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
