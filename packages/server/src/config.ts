import { BlockList, isIP } from 'node:net'
import { err, ok, type Result } from '@junqi/engine'
import { BOT_ROSTER_FORM, type BotRoster, LIMITS, parseBotRoster } from '@junqi/protocol'
import { z } from 'zod'
import type { Rate } from './rate-limit.ts'
import { parseRedisUrl, type RedisTarget } from './redis-url.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `write ${values.map((value) => `"${value}"`).join(' or ')}` })

const PORT_FORM = 'write a port number from 0 to 65535'
const port = z
  .string()
  .regex(/^\d{1,5}$/, PORT_FORM)
  .transform(Number)
  .refine((value) => value <= 65535, PORT_FORM)

/** Empty is the same as not there. */
const optionalPort = z.string().transform((text, context): number | null => {
  if (text === '') return null
  const parsed = port.safeParse(text)
  if (parsed.success) return parsed.data
  context.addIssue(PORT_FORM)
  return z.NEVER
})

const count = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'write a whole number of at least 1')
  .transform(Number)

const host = z.string().regex(/^[^\s/]+$/, 'write a host name or an address, such as "0.0.0.0"')

const days = z.string().transform((text, context): number | null => {
  if (text === '') return null
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  context.addIssue('write a whole number of days from 1 to 99999, or nothing: for ever')
  return z.NEVER
})

const UNITS = { s: 1, min: 60, h: 3600 } as const
const rate = z.string().transform((text, context): Rate => {
  const [, number, unit, burst] =
    /^([1-9]\d{0,8})\/(s|min|h) burst ([1-9]\d{0,8})$/.exec(text) ?? []
  if (
    number !== undefined &&
    burst !== undefined &&
    (unit === 's' || unit === 'min' || unit === 'h')
  )
    return { perSecond: Number(number) / UNITS[unit], burst: Number(burst) }
  context.addIssue('write a rate such as "100/s burst 400" (or /min, or /h)')
  return z.NEVER
})

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

/** Exactly as a browser writes it in `Origin`: what differs would never match, and is refused (F-U1). */
const origins = list.transform((items, context): ReadonlySet<string> => {
  for (const item of items) {
    const origin = webOrigin(item)
    if (origin === item) continue
    const instead = origin === null ? 'origins such as "https://junqi.example"' : `"${origin}"`
    context.addIssue(`"${item}" is no origin; write ${instead}`)
  }
  return new Set(items)
})

function webOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { origin, protocol, hostname } = new URL(text)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && !hostname.includes('*') ? origin : null
}

const proxies = list.transform((items, context): BlockList => {
  const trusted = new BlockList()
  for (const item of items) {
    if (!addSubnet(trusted, item))
      context.addIssue(`"${item}" is no address; write addresses such as "127.0.0.1, 10.0.0.0/8"`)
  }
  return trusted
})

function addSubnet(trusted: BlockList, text: string): boolean {
  const [address = '', bits, more] = text.split('/')
  const version = isIP(address)
  const most = version === 4 ? 32 : 128
  if (version === 0 || more !== undefined) return false
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)) return false
  trusted.addSubnet(
    address,
    bits === undefined ? most : Number(bits),
    version === 4 ? 'ipv4' : 'ipv6',
  )
  return true
}

/** Empty is the same as not there, as an entry of `.env` or an unset variable of Compose is. */
const redisUrl = z.string().transform((text, context): RedisTarget | null => {
  if (text === '') return null
  const parsed = parseRedisUrl(text)
  if (parsed.ok) return parsed.value
  context.addIssue(parsed.error)
  return z.NEVER
})

const redisPrefix = z
  .string()
  .regex(/^[\w.:-]{1,64}$/, 'write 1 to 64 letters, digits or any of "_.:-", such as "junqi"')

/** Empty is the same as not there. */
const bots = z.string().transform((text, context): BotRoster | null => {
  const roster = parseBotRoster(text)
  if (text !== '' && roster === null) context.addIssue(`write ${BOT_ROSTER_FORM}`)
  return roster
})

/** Empty is the same as not there. */
const optional = z.string().transform((text) => (text === '' ? null : text))

const audience = list.transform((items): readonly string[] | null =>
  items.length === 0 ? null : items,
)

const URL_FORM = 'write an address such as "https://login.example/keys"; http only of this machine'
/** What comes over plain HTTP anybody on the way can change, and keys are believed. Empty is the same as not there. */
const secureUrl = z.string().transform((text, context): string | null => {
  if (text === '' || isSecureUrl(text)) return text === '' ? null : text
  context.addIssue(URL_FORM)
  return z.NEVER
})

function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname))
}

/** Whether a host, as an address or as it stands in a URL, is no other machine's. */
export const isThisMachine = (hostname: string): boolean =>
  hostname === 'localhost' || /^\[?::1]?$/.test(hostname) || /^127(?:\.\d{1,3}){3}$/.test(hostname)

const PAUSE_FORM = 'write milliseconds from 0 to 5000'
const pause = z
  .string()
  .regex(/^\d{1,4}$/, PAUSE_FORM)
  .transform(Number)
  .refine((value) => value <= 5000, PAUSE_FORM)

/** Empty is the same as not there. */
const secret = z
  .string()
  .regex(/^(?:[\x21-\x7e]{16,200})?$/, 'write at least 16 characters without spaces')
  .transform((text) => (text === '' ? null : text))

const BOT_GAMES_FORM = `write a whole number from 1 to ${LIMITS.subscriptions}`
const botGames = z
  .string()
  .regex(/^[1-9]\d?$/, BOT_GAMES_FORM)
  .transform(Number)
  .refine((value) => value <= LIMITS.subscriptions, BOT_GAMES_FORM)

/** Every setting. A name that is not here, or a value that is not of its form, stops the start. */
const environment = z.strictObject({
  JUNQI_HOST: host.default('127.0.0.1'),
  JUNQI_PORT: port.default(8080),
  JUNQI_ADMIN_HOST: host.default('127.0.0.1'),
  JUNQI_ADMIN_PORT: optionalPort.prefault(''),
  JUNQI_ADMIN_TOKEN: secret.prefault(''),
  JUNQI_STORE: oneOf(['lmdb', 'redis', 'memory']).default('lmdb'),
  JUNQI_DATA_DIR: z.string().min(1, 'write the path of a folder').default('./data'),
  JUNQI_REDIS_URL: redisUrl.prefault(''),
  JUNQI_REDIS_PREFIX: redisPrefix.default('junqi'),
  JUNQI_REQUIRE_DURABLE: oneOf(['true', 'false']).default('false'),
  JUNQI_ARCHIVE_DAYS: days.prefault(''),
  JUNQI_ORIGINS: origins.prefault(''),
  JUNQI_TRUSTED_PROXIES: proxies.prefault(''),
  JUNQI_GUESTS: oneOf(['true', 'false']).default('true'),
  JUNQI_JWT_ISSUER: optional.prefault(''),
  JUNQI_JWT_AUDIENCE: audience.prefault(''),
  JUNQI_JWT_JWKS_URL: secureUrl.prefault(''),
  JUNQI_JWT_LOGIN_URL: secureUrl.prefault(''),
  JUNQI_LOG_LEVEL: oneOf(LOG_LEVELS).default('info'),
  JUNQI_CHECK_MESSAGES: oneOf(['on', 'off']).default('off'),
  JUNQI_MAX_CONNECTIONS: count.prefault('20000'),
  JUNQI_MAX_CONNECTIONS_PER_ADDRESS: count.prefault('1000'),
  JUNQI_BOTS: bots.prefault(''),
  JUNQI_BOT_PAUSE_MS: pause.prefault('700'),
  JUNQI_BOT_KEY: secret.prefault(''),
  JUNQI_BOT_GAMES: botGames.prefault('8'),
  JUNQI_RATE_REQUESTS: rate.prefault('100/s burst 2000'),
  JUNQI_RATE_REPLAYS: rate.prefault('20/s burst 600'),
  JUNQI_RATE_GUESTS: rate.prefault('2/s burst 200'),
  JUNQI_RATE_ROOMS: rate.prefault('10/min burst 30'),
  JUNQI_RATE_CHAT: rate.prefault('1/s burst 8'),
  JUNQI_RATE_MESSAGES: rate.prefault('100/s burst 400'),
  JUNQI_RATE_PLAYER: rate.prefault('200/s burst 800'),
  JUNQI_RATE_STRIKES: rate.prefault('1/s burst 100'),
})

/** Settings that may hold a secret: no sentence repeats them. */
const SECRET: ReadonlySet<string> = new Set([
  'JUNQI_REDIS_URL',
  'JUNQI_BOT_KEY',
  'JUNQI_ADMIN_TOKEN',
])

/** The names of all settings; `.env.example` and the README list the same. */
export const SETTINGS: readonly string[] = Object.keys(environment.shape)

/** Where a server is alone. Of several each would run the same bots: there they have a process of their own (docs/deploy.md). */
const BOTS_BESIDE: BotRoster = Object.freeze({ easy: 4, normal: 4, hard: 4 })
const NO_BOTS: BotRoster = Object.freeze({})

/** How much one address, player or connection may do (DESIGN 8). */
export interface Limits {
  readonly connections: number
  readonly connectionsPerAddress: number
  /** HTTP requests and WebSocket handshakes of one address. */
  readonly requests: Rate
  /** Finished games read whole by one address: each may cost the reading of its log. */
  readonly replays: Rate
  /** Guests made from one address. */
  readonly guests: Rate
  /** Rooms made by one player. */
  readonly rooms: Rate
  /** What one player says in chat. */
  readonly chat: Rate
  /** Messages on one connection. */
  readonly messages: Rate
  /** Messages of one player, on all its connections together. */
  readonly player: Rate
  /** Malformed and rate-limited messages of one connection, before it is closed. */
  readonly strikes: Rate
}

export interface RedisConfig {
  readonly target: RedisTarget
  /** All its keys and channels begin with it: servers of one prefix are nodes of one system. */
  readonly prefix: string
}

/** The deployer's own identity provider, whose tokens (JWT) make players. */
export interface ProviderConfig {
  /** Exactly as the tokens have it in `iss`. */
  readonly issuer: string
  /** One of them is in the `aud` of each token. */
  readonly audience: readonly string[]
  /** Where its public keys are (JWKS). */
  readonly jwksUrl: string
  /** Where people sign in; null: the page does not know. */
  readonly loginUrl: string | null
}

export interface Config {
  readonly host: string
  readonly port: number
  readonly adminHost: string
  readonly adminPort: number
  /** With it the admin port can be asked for more than metrics; null: it cannot. */
  readonly adminToken: string | null
  readonly store: 'lmdb' | 'redis' | 'memory'
  readonly dataDir: string
  /** Of the store `redis`; null: it is another one. */
  readonly redis: RedisConfig | null
  /** Whether a store that may lose what was acknowledged is refused. */
  readonly requireDurable: boolean
  /** How long finished games are kept; null: for ever. */
  readonly archiveDays: number | null
  /** Origins besides the server's own that may use it. */
  readonly origins: ReadonlySet<string>
  /** Proxies whose `X-Forwarded-For` and `-Proto` are believed. */
  readonly trustedProxies: BlockList
  /** Whether anybody may come in under a name of their choice. */
  readonly guests: boolean
  /** null: there are guests and bots only. */
  readonly provider: ProviderConfig | null
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** Whether each outgoing message is checked against its schema. */
  readonly checkMessages: boolean
  /** Bots that `junqi serve` runs beside the server. */
  readonly bots: BotRoster
  /** About how long they take over a move, besides thinking. */
  readonly botPauseMs: number
  /** With it bot accounts are made; null: one that the store keeps. */
  readonly botKey: string | null
  /** Games that one bot plays at once. */
  readonly botGames: number
  readonly limits: Limits
}

/** Reads the settings. The error says of each that cannot be used what to write instead: one sentence and one line for each. */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>>,
): Result<Config, string> {
  const named = Object.entries(env).filter(([name]) => name.startsWith('JUNQI_'))
  const parsed = environment.safeParse(Object.fromEntries(named))
  if (!parsed.success) return err(sentences(parsed.error, env).join('\n'))
  const set = parsed.data
  const contradiction = contradictionIn(set)
  if (contradiction !== null) return err(contradiction)
  const target = set.JUNQI_REDIS_URL
  return ok(
    Object.freeze({
      host: set.JUNQI_HOST,
      port: set.JUNQI_PORT,
      adminHost: set.JUNQI_ADMIN_HOST,
      adminPort: set.JUNQI_ADMIN_PORT ?? adminPortBeside(set.JUNQI_PORT),
      adminToken: set.JUNQI_ADMIN_TOKEN,
      store: set.JUNQI_STORE,
      dataDir: set.JUNQI_DATA_DIR,
      redis: target && Object.freeze({ target, prefix: set.JUNQI_REDIS_PREFIX }),
      requireDurable: set.JUNQI_REQUIRE_DURABLE === 'true',
      archiveDays: set.JUNQI_ARCHIVE_DAYS,
      origins: set.JUNQI_ORIGINS,
      trustedProxies: set.JUNQI_TRUSTED_PROXIES,
      guests: set.JUNQI_GUESTS === 'true',
      provider: providerOf(set),
      logLevel: set.JUNQI_LOG_LEVEL,
      checkMessages: set.JUNQI_CHECK_MESSAGES === 'on',
      bots: set.JUNQI_BOTS ?? (set.JUNQI_STORE === 'redis' ? NO_BOTS : BOTS_BESIDE),
      botPauseMs: set.JUNQI_BOT_PAUSE_MS,
      botKey: set.JUNQI_BOT_KEY,
      botGames: set.JUNQI_BOT_GAMES,
      limits: Object.freeze({
        connections: set.JUNQI_MAX_CONNECTIONS,
        connectionsPerAddress: set.JUNQI_MAX_CONNECTIONS_PER_ADDRESS,
        requests: set.JUNQI_RATE_REQUESTS,
        guests: set.JUNQI_RATE_GUESTS,
        rooms: set.JUNQI_RATE_ROOMS,
        replays: set.JUNQI_RATE_REPLAYS,
        chat: set.JUNQI_RATE_CHAT,
        messages: set.JUNQI_RATE_MESSAGES,
        player: set.JUNQI_RATE_PLAYER,
        strikes: set.JUNQI_RATE_STRIKES,
      }),
    }),
  )
}

type Settings = z.infer<typeof environment>

/** null: no provider is asked for, or not wholly. */
function providerOf(set: Settings): ProviderConfig | null {
  const { JUNQI_JWT_ISSUER: issuer, JUNQI_JWT_AUDIENCE: audience } = set
  const { JUNQI_JWT_JWKS_URL: jwksUrl, JUNQI_JWT_LOGIN_URL: loginUrl } = set
  if (issuer === null || audience === null || jwksUrl === null) return null
  return Object.freeze({ issuer, audience, jwksUrl, loginUrl })
}

const PROVIDER = ['JUNQI_JWT_ISSUER', 'JUNQI_JWT_AUDIENCE', 'JUNQI_JWT_JWKS_URL'] as const

/** Half a provider, or nobody who may come in; in one sentence. */
function problemOfEntry(set: Settings): string | null {
  const given = [...PROVIDER, 'JUNQI_JWT_LOGIN_URL' as const].filter((name) => set[name] !== null)
  const missing = PROVIDER.filter((name) => set[name] === null)
  if (given.length > 0 && missing.length > 0)
    return `${given.join(' and ')} cannot do without ${missing.join(' and ')}: write all of ${PROVIDER.join(', ')}, or none of them.`
  if (set.JUNQI_GUESTS === 'false' && given.length === 0)
    return `JUNQI_GUESTS="false" leaves nobody who may come in: write "true", or name an identity provider by ${PROVIDER.join(', ')}.`
  return null
}

/** Settings of which each could be used, but not together; in one sentence. None is left unused in silence (F-C5). */
function contradictionIn(set: Settings): string | null {
  const { JUNQI_STORE: store, JUNQI_REDIS_URL: target } = set
  if (store === 'redis' && target === null)
    return 'JUNQI_STORE="redis" needs JUNQI_REDIS_URL: write where Redis is, such as "redis://127.0.0.1:6379".'
  if (store !== 'redis' && target !== null)
    return `JUNQI_REDIS_URL is set, but the store is "${store}" and would not use it: write JUNQI_STORE=redis, or take JUNQI_REDIS_URL out.`
  if (store === 'memory' && set.JUNQI_REQUIRE_DURABLE === 'true')
    return 'JUNQI_REQUIRE_DURABLE="true" cannot go with JUNQI_STORE="memory", which forgets everything at the end: write "lmdb" or "redis".'
  return problemOfPorts(set) ?? problemOfEntry(set)
}

/** The public port and the admin port at one place; in one sentence. */
function problemOfPorts(set: Settings): string | null {
  const { JUNQI_PORT: port, JUNQI_ADMIN_PORT: adminPort } = set
  if (port === 0 || port !== adminPort) return null
  const hosts = [set.JUNQI_HOST, set.JUNQI_ADMIN_HOST]
  const doMeet = hosts[0] === hosts[1] || hosts.some((each) => each === '0.0.0.0' || each === '::')
  return doMeet
    ? `JUNQI_PORT and JUNQI_ADMIN_PORT are both ${port}, where only one can listen: write another JUNQI_ADMIN_PORT, or leave it empty for ${adminPortBeside(port)}.`
    : null
}

/** Far enough that servers on neighbouring ports do not meet. */
function adminPortBeside(port: number): number {
  if (port === 0) return 0
  return port <= 64535 ? port + 1000 : port - 1000
}

function sentences(
  error: z.ZodError,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map(sentenceOfUnknown)
    const name = String(issue.path[0])
    const setting = SECRET.has(name) ? name : `${name}="${env[name] ?? ''}"`
    return [`${setting} cannot be used: ${issue.message}.`]
  })
}

const sentenceOfUnknown = (name: string): string =>
  `There is no setting ${name}; did you mean ${nearest(name, SETTINGS)}? Correct it or take it out.`

function nearest(word: string, words: readonly string[]): string {
  const distances = words.map((other) => ({ other, distance: editDistance(word, other) }))
  return distances.sort((a, b) => a.distance - b.distance)[0]?.other ?? ''
}

/** How many letters to insert, take out or change (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const letter of a) {
    const above = row
    row = [(above[0] ?? 0) + 1]
    for (let column = 1; column <= b.length; column++) {
      const change = (above[column - 1] ?? 0) + (letter === b[column - 1] ? 0 : 1)
      row.push(Math.min((above[column] ?? 0) + 1, (row[column - 1] ?? 0) + 1, change))
    }
  }
  return row[b.length] ?? 0
}
