import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadConfig, SETTINGS } from './config.ts'

const refusal = (env: Record<string, string>): string => {
  const loaded = loadConfig(env)
  if (loaded.ok) throw new Error('the settings were accepted')
  return loaded.error
}
const config = (env: Record<string, string>) => {
  const loaded = loadConfig(env)
  if (!loaded.ok) throw new Error(loaded.error)
  return loaded.value
}
const shared = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')

const PROVIDER = {
  JUNQI_JWT_ISSUER: 'https://login.example/',
  JUNQI_JWT_AUDIENCE: 'junqi, junqi-web',
  JUNQI_JWT_JWKS_URL: 'https://login.example/keys',
}

describe('loadConfig', () => {
  test('an empty environment gives the defaults', () => {
    expect(config({ PATH: '/bin' })).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      adminPort: 9080,
      store: 'lmdb',
      dataDir: './data',
      redis: null,
      requireDurable: false,
      limits: { messages: { perSecond: 100, burst: 400 } },
    })
  })

  test.each([
    [{ JUNQI_PORT: '9000' }, { port: 9000, adminPort: 10000 }],
    [{ JUNQI_PORT: '65000' }, { port: 65000, adminPort: 64000 }],
    [{ JUNQI_PORT: '0' }, { port: 0, adminPort: 0 }],
    [
      { JUNQI_PORT: '0', JUNQI_ADMIN_PORT: '7000' },
      { port: 0, adminPort: 7000 },
    ],
    [
      { JUNQI_PORT: '9000', JUNQI_ADMIN_PORT: '' },
      { port: 9000, adminPort: 10000 },
    ],
    [
      { JUNQI_HOST: '10.0.0.1', JUNQI_PORT: '9000', JUNQI_ADMIN_PORT: '9000' },
      { port: 9000, adminPort: 9000 },
    ],
    [{ JUNQI_STORE: 'memory' }, { store: 'memory' }],
    [{ JUNQI_REQUIRE_DURABLE: 'true' }, { store: 'lmdb', requireDurable: true }],
    [
      { JUNQI_STORE: 'redis', JUNQI_REDIS_URL: 'redis://redis:6380' },
      {
        store: 'redis',
        redis: { prefix: 'junqi', target: { endpoint: { host: 'redis', port: 6380 } } },
      },
    ],
    [
      { JUNQI_STORE: 'redis', JUNQI_REDIS_URL: 'redis://redis', JUNQI_REDIS_PREFIX: 'a:b-1_c.d' },
      { redis: { prefix: 'a:b-1_c.d' } },
    ],
    [{ JUNQI_REDIS_URL: '' }, { store: 'lmdb', redis: null }],
    [
      { JUNQI_ORIGINS: ' https://a.example , http://localhost:5173,' },
      { origins: new Set(['https://a.example', 'http://localhost:5173']) },
    ],
  ])('%j is understood', (env, expected) => {
    expect(config(env)).toMatchObject(expected)
  })

  test('an identity provider is an issuer, audiences and the address of its keys', () => {
    expect(config({}).provider).toBeNull()
    expect(config({ ...PROVIDER, JUNQI_GUESTS: 'false' })).toMatchObject({
      guests: false,
      provider: {
        issuer: 'https://login.example/',
        audience: ['junqi', 'junqi-web'],
        jwksUrl: 'https://login.example/keys',
        loginUrl: null,
      },
    })
    const loginUrl = 'http://127.0.0.1:3000/login'
    expect(config({ ...PROVIDER, JUNQI_JWT_LOGIN_URL: loginUrl }).provider).toMatchObject({
      loginUrl,
    })
  })

  test.each([
    'http://login.example/keys',
    'http://127.0.0.1.login.example/keys',
    'ftp://login.example/keys',
    'login.example/keys',
    'https://user:word@login.example/keys',
    'javascript:alert(1)',
  ])('the address %j of keys stops the start: keys are fetched over TLS', (url) => {
    expect(refusal({ ...PROVIDER, JUNQI_JWT_JWKS_URL: url })).toContain(
      'cannot be used: write an address such as "https://login.example/keys"',
    )
    expect(refusal({ ...PROVIDER, JUNQI_JWT_LOGIN_URL: url })).toContain('cannot be used')
  })

  test('a rate is so many per unit after a burst', () => {
    expect(config({ JUNQI_RATE_ROOMS: '30/min burst 5' }).limits.rooms).toEqual({
      perSecond: 0.5,
      burst: 5,
    })
  })

  test('trusted proxies are addresses and subnets of both kinds', () => {
    const { trustedProxies } = config({ JUNQI_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, fd00::/8' })
    expect(trustedProxies.check('10.9.8.7')).toBe(true)
    expect(trustedProxies.check('11.9.8.7')).toBe(false)
    expect(trustedProxies.check('fd12::1', 'ipv6')).toBe(true)
  })

  test.each([
    [
      { JUNQI_PROT: '1' },
      'There is no setting JUNQI_PROT; did you mean JUNQI_PORT? Correct it or take it out.',
    ],
    [
      { JUNQI_DATADIR: 'x' },
      'There is no setting JUNQI_DATADIR; did you mean JUNQI_DATA_DIR? Correct it or take it out.',
    ],
    [
      { JUNQI_PORT: '80a' },
      'JUNQI_PORT="80a" cannot be used: write a port number from 0 to 65535.',
    ],
    [
      { JUNQI_PORT: '70000' },
      'JUNQI_PORT="70000" cannot be used: write a port number from 0 to 65535.',
    ],
    [{ JUNQI_PORT: '' }, 'JUNQI_PORT="" cannot be used: write a port number from 0 to 65535.'],
    [
      { JUNQI_ADMIN_PORT: '-1' },
      'JUNQI_ADMIN_PORT="-1" cannot be used: write a port number from 0 to 65535.',
    ],
    [
      { JUNQI_RATE_GUESTS: '5 a day' },
      'JUNQI_RATE_GUESTS="5 a day" cannot be used: write a rate such as "100/s burst 400" (or /min, or /h).',
    ],
    [
      { JUNQI_MAX_CONNECTIONS: '0' },
      'JUNQI_MAX_CONNECTIONS="0" cannot be used: write a whole number of at least 1.',
    ],
    [
      { JUNQI_TRUSTED_PROXIES: '10.0.0.0/33' },
      'JUNQI_TRUSTED_PROXIES="10.0.0.0/33" cannot be used: "10.0.0.0/33" is no address; write addresses such as "127.0.0.1, 10.0.0.0/8".',
    ],
    [
      { JUNQI_STORE: 'redis', JUNQI_REDIS_URL: 'redis://a', JUNQI_REDIS_PREFIX: '{a}' },
      'JUNQI_REDIS_PREFIX="{a}" cannot be used: write 1 to 64 letters, digits or any of "_.:-", such as "junqi".',
    ],
    [
      { JUNQI_LOG_LEVEL: 'loud' },
      'JUNQI_LOG_LEVEL="loud" cannot be used: write "fatal" or "error" or "warn" or "info" or "debug" or "trace" or "silent".',
    ],
  ])('%j stops the start with one sentence', (env, sentence) => {
    expect(refusal(env)).toBe(sentence)
  })

  test('every setting that cannot be used is told at once, each on its line', () => {
    expect(
      refusal({ JUNQI_PORT: '80a', JUNQI_PROT: '1', JUNQI_STORE: 'lmbd' }).split('\n'),
    ).toEqual([
      'JUNQI_PORT="80a" cannot be used: write a port number from 0 to 65535.',
      'JUNQI_STORE="lmbd" cannot be used: write "lmdb" or "redis" or "memory".',
      'There is no setting JUNQI_PROT; did you mean JUNQI_PORT? Correct it or take it out.',
    ])
  })

  test.each(['lmbd', 'LMDB', 'Redis', 'redis ', '', 'lmdb '])(
    'F-C5: a misspelt store %j stops the start, and falls back to none',
    (store) => {
      expect(refusal({ JUNQI_STORE: store })).toBe(
        `JUNQI_STORE="${store}" cannot be used: write "lmdb" or "redis" or "memory".`,
      )
    },
  )

  test.each(['True', 'yes', '1', 'on', ''])(
    'F-C5: JUNQI_REQUIRE_DURABLE=%j stops the start, and is not taken for false',
    (value) => {
      expect(refusal({ JUNQI_REQUIRE_DURABLE: value })).toBe(
        `JUNQI_REQUIRE_DURABLE="${value}" cannot be used: write "true" or "false".`,
      )
    },
  )

  test.each([
    [{ JUNQI_STORE: 'redis' }, /^JUNQI_STORE="redis" needs JUNQI_REDIS_URL: write/],
    [
      { JUNQI_STORE: 'redis', JUNQI_REDIS_URL: '' },
      /^JUNQI_STORE="redis" needs JUNQI_REDIS_URL: write/,
    ],
    [
      { JUNQI_REDIS_URL: 'redis://:secret@redis' },
      /^JUNQI_REDIS_URL is set, but the store is "lmdb" .*: write JUNQI_STORE=redis, or take/,
    ],
    [
      { JUNQI_STORE: 'memory', JUNQI_REDIS_URL: 'redis://:secret@redis' },
      /^JUNQI_REDIS_URL is set, but the store is "memory"/,
    ],
    [
      { JUNQI_STORE: 'memory', JUNQI_REQUIRE_DURABLE: 'true' },
      /^JUNQI_REQUIRE_DURABLE="true" cannot go with JUNQI_STORE="memory"/,
    ],
    [
      { JUNQI_PORT: '9000', JUNQI_ADMIN_PORT: '9000' },
      /^JUNQI_PORT and JUNQI_ADMIN_PORT are both 9000, .* write another JUNQI_ADMIN_PORT, or leave it empty for 10000\.$/,
    ],
    [
      { JUNQI_HOST: '0.0.0.0', JUNQI_PORT: '9000', JUNQI_ADMIN_PORT: '9000' },
      /^JUNQI_PORT and JUNQI_ADMIN_PORT are both 9000/,
    ],
    [
      { JUNQI_JWT_ISSUER: 'https://login.example/' },
      /^JUNQI_JWT_ISSUER cannot do without JUNQI_JWT_AUDIENCE and JUNQI_JWT_JWKS_URL: write all/,
    ],
    [
      { ...PROVIDER, JUNQI_JWT_AUDIENCE: ' , ' },
      /^JUNQI_JWT_ISSUER and JUNQI_JWT_JWKS_URL cannot do without JUNQI_JWT_AUDIENCE: write all/,
    ],
    [
      { JUNQI_JWT_LOGIN_URL: 'https://login.example/' },
      /^JUNQI_JWT_LOGIN_URL cannot do without JUNQI_JWT_ISSUER and JUNQI_JWT_AUDIENCE and/,
    ],
    [
      { JUNQI_GUESTS: 'false' },
      /^JUNQI_GUESTS="false" leaves nobody who may come in: write "true", or name an identity/,
    ],
  ])('F-C5: %j contradicts itself and stops the start', (env, sentence) => {
    expect(refusal(env)).toMatch(sentence)
    expect(refusal(env)).not.toContain('secret')
  })

  test('F-C5: a malformed JUNQI_REDIS_URL stops the start, and is not repeated', () => {
    expect(refusal({ JUNQI_STORE: 'redis', JUNQI_REDIS_URL: 'redis://:sec@ret@redis' })).toMatch(
      /^JUNQI_REDIS_URL cannot be used: write redis:\/\/\[user:password@\]host/,
    )
    expect(refusal({ JUNQI_STORE: 'redis', JUNQI_REDIS_URL: 'redis://:s@r@h' })).not.toMatch(/s@r/)
  })

  test.each(['JUNQI_STROE', 'JUNQI_STORES', 'JUNQI_STOR'])(
    'F-C5: a misspelt name %s of the store stops the start, and falls back to none',
    (name) => {
      expect(refusal({ [name]: 'lmdb' })).toBe(
        `There is no setting ${name}; did you mean JUNQI_STORE? Correct it or take it out.`,
      )
    },
  )

  test.each([
    ['https://junqi.example/', 'write "https://junqi.example"'],
    ['https://junqi.example:443', 'write "https://junqi.example"'],
    ['HTTPS://Junqi.example', 'write "https://junqi.example"'],
    ['https://a.example https://b.example', 'write origins such as "https://junqi.example"'],
    ['*', 'write origins such as "https://junqi.example"'],
    ['null', 'write origins such as "https://junqi.example"'],
    ['https://*.example', 'write origins such as "https://junqi.example"'],
    ['junqi.example', 'write origins such as "https://junqi.example"'],
    ['file:///page', 'write origins such as "https://junqi.example"'],
  ])('F-U1: the malformed origin %j stops the start', (origin, advice) => {
    expect(refusal({ JUNQI_ORIGINS: `https://good.example,${origin}` })).toContain(
      `"${origin}" is no origin; ${advice}.`,
    )
  })
})

describe('documents', () => {
  test('.env.example gives every setting its default, and no other', () => {
    const lines = shared('.env.example')
      .split('\n')
      .filter((line) => line.startsWith('JUNQI_'))
    const set = Object.fromEntries(lines.map((line) => line.split(/=(.*)/, 2)))
    expect(Object.keys(set).sort()).toEqual([...SETTINGS].sort())
    expect(config(set)).toEqual(config({}))
  })

  test('the README of the server names every setting', () => {
    const readme = shared('packages/server/README.md')
    for (const name of SETTINGS) expect(readme).toContain(`\`${name}\``)
  })
})
