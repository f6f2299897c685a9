import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  DURABLE,
  describeWithRedis,
  RedisCluster,
  RedisServer,
  type Settings,
  until,
} from '../../../../test/support/redis-server.ts'
import { examineServer } from '../../src/doctor/examine.ts'
import type { Finding } from '../../src/doctor/finding.ts'
import { startProcess, stopProcesses } from '../support/server-process.ts'

afterEach(stopProcesses)

type Env = Readonly<Record<string, string>>

/** What is found about the store alone. */
async function examine(JUNQI_REDIS_URL: string, env: Env = {}): Promise<readonly Finding[]> {
  const findings = await examineServer({
    JUNQI_PORT: '0',
    JUNQI_STORE: 'redis',
    JUNQI_REDIS_URL,
    ...env,
  })
  return findings.filter(({ about }) => !/^(settings|JUNQI_|open files)/.test(about))
}

const notGood = (findings: readonly Finding[]) =>
  findings.filter(({ health }) => health !== 'good').map(({ about, health }) => [about, health])

const found = (findings: readonly Finding[], about: string): Finding | undefined =>
  findings.find((finding) => finding.about === about)

describeWithRedis('junqi doctor: one Redis', () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await RedisServer.start(DURABLE)
  })
  afterEach(async () => {
    const usual = {
      appendonly: 'yes',
      maxmemory: '0',
      'maxmemory-policy': 'noeviction',
      ...DURABLE,
    }
    await set(usual)
  })
  afterAll(() => redis.stop())

  async function set(settings: Settings): Promise<void> {
    for (const [name, value] of Object.entries(settings))
      await redis.command('CONFIG', 'SET', name, value)
  }

  test('that is well: each thing is said, and nothing of it stays', async () => {
    const findings = await examine(redis.url)
    expect(notGood(findings)).toEqual([])
    expect(findings.map(({ about }) => about)).toEqual([
      'redis',
      'durability',
      'redis memory',
      'round trip',
      'nodes',
    ])
    expect(found(findings, 'round trip')?.says).toMatch(
      /^an answer takes [\d.]+ ms as a rule, .* a write [\d.]+ ms as a rule, /,
    )
    await until(async () => (await redis.command('DBSIZE')) === 0)
  })

  test('how many nodes are running is told, and the doctor is none of them', async () => {
    const nodes = async () => found(await examine(redis.url), 'nodes')?.says
    expect(await nodes()).toMatch(/^0 are running/)
    await startProcess({ JUNQI_STORE: 'redis', JUNQI_REDIS_URL: redis.url })
    expect([await nodes(), await nodes()]).toEqual([
      '1 are running with this prefix',
      '1 are running with this prefix',
    ])
  })

  test.each<[Settings, string]>([
    [{ appendfsync: 'everysec' }, 'appendfsync'],
    [{ appendfsync: 'no' }, 'appendfsync'],
    [{ appendonly: 'no' }, 'appendonly'],
    [{ 'maxmemory-policy': 'allkeys-lru' }, 'maxmemory-policy'],
  ])('F-C5: %j is doubtful, and wrong where it must be durable', async (settings, mend) => {
    await set(settings)
    const doubted = await examine(redis.url)
    expect(notGood(doubted)).toEqual([['durability', 'doubtful']])
    expect(found(doubted, 'durability')?.mend).toContain(mend)
    const refused = await examine(redis.url, { JUNQI_REQUIRE_DURABLE: 'true' })
    expect(notGood(refused)).toEqual([['durability', 'bad']])
  })

  test('a Redis whose memory is full is wrong', async () => {
    await set({ maxmemory: '1mb' })
    const findings = await examine(redis.url)
    expect(notGood(findings)).toEqual([
      ['redis', 'bad'],
      ['redis memory', 'bad'],
    ])
    expect(findings.some(({ says }) => says.includes('OOM'))).toBe(true)
  })

  describe('a user', () => {
    const url = (user: string) => redis.url.replace('redis://', `redis://${user}:tops3cret@`)
    const make = (user: string, ...rules: readonly string[]) =>
      redis.command('ACL', 'SETUSER', user, 'on', '>tops3cret', ...rules)

    test('with the rights that docs/deploy.md lists has all that it needs, and can be a node', async () => {
      const rights = ['~{junqi:*', '&{junqi:*', '+@all', '-@dangerous', '+info', '+config|get']
      await make('junqi', ...rights)
      expect(notGood(await examine(url('junqi')))).toEqual([])
      await startProcess({ JUNQI_STORE: 'redis', JUNQI_REDIS_URL: url('junqi') })
    })

    test.each([
      ['without keys', ['~other:*', '&*', '+@all']],
      ['without channels', ['~*', 'resetchannels', '+@all']],
      ['without scripts', ['~*', '&*', '+@all', '-eval', '-evalsha']],
    ])('%s is wrong', async (name, rights) => {
      const user = name.replace(' ', '-')
      await make(user, ...rights)
      const [first] = (await examine(url(user))).filter(({ health }) => health === 'bad')
      expect(first?.says).toMatch(/NOPERM|can't publish/)
    })

    test('who may not read settings makes durability unknown', async () => {
      await make('blind', '~*', '&*', '+@all', '-config')
      const findings = await examine(url('blind'))
      expect(notGood(findings)).toEqual([['durability', 'doubtful']])
      expect(found(findings, 'durability')?.says).toContain('unknown')
    })

    test('with a wrong password is wrong, and no password is repeated', async () => {
      await make('junqi', '~*', '&*', '+@all')
      const findings = await examine(url('junqi').replace('tops3cret', 'wr0ngone'))
      expect(findings).toMatchObject([{ health: 'bad', says: expect.stringContaining('login') }])
      expect(JSON.stringify(findings)).not.toMatch(/tops3cret|wr0ngone/)
    })
  })

  test.each([
    ['another database than there is', '/99', /database/],
    ['a cluster that is none', 'redis-cluster', /no cluster/],
    ['sentinels that are none', 'redis-sentinel', /sentinel/],
  ])('%s is wrong', async (_, change, says) => {
    const url = change.startsWith('/')
      ? redis.url + change
      : `${redis.url.replace('redis', change)}${change === 'redis-sentinel' ? '/main' : ''}`
    expect(await examine(url)).toMatchObject([{ health: 'bad', says: expect.stringMatching(says) }])
  })

  test('a Redis that does not answer is wrong, and is not waited for', async () => {
    redis.pause()
    try {
      expect(await examine(redis.url)).toMatchObject([{ about: 'redis', health: 'bad' }])
    } finally {
      redis.resume()
    }
  })

  test('a replica is wrong, and its master is named', async () => {
    const replica = await RedisServer.start()
    try {
      await replica.command('REPLICAOF', '127.0.0.1', redis.port)
      const findings = await examine(replica.url)
      expect(findings).toMatchObject([{ about: 'redis', health: 'bad' }])
      expect(findings[0]?.says).toContain(`127.0.0.1:${redis.port}`)
    } finally {
      await replica.stop()
    }
  })

  test('a sentinel is asked whether it could replace the master', async () => {
    const sentinel = await RedisServer.startSentinel('main', redis)
    const url = `redis-sentinel://127.0.0.1:${sentinel.port}`
    try {
      await until(async () => found(await examine(`${url}/main`), 'sentinel')?.health === 'good')
      expect(found(await examine(`${url}/main`), 'durability')?.says).toContain('failover')
      const withAnother = await examine(`${url},127.0.0.1:1/main`)
      expect(notGood(withAnother)).toEqual([['sentinel', 'doubtful']])
      expect(await examine(`${url}/other`)).toMatchObject([{ about: 'redis', health: 'bad' }])
    } finally {
      await sentinel.stop()
    }
  })
})

describeWithRedis('junqi doctor: a cluster', () => {
  let cluster: RedisCluster
  beforeAll(async () => {
    cluster = await RedisCluster.start(DURABLE)
  })
  afterAll(() => cluster.stop())

  test('that is whole is good, at each master', async () => {
    const findings = await examine(cluster.url)
    expect(notGood(findings)).toEqual([])
    expect(findings.filter(({ about }) => about === 'redis')).toHaveLength(3)
    expect(found(findings, 'cluster')?.says).toBe('every slot is served')
  })

  test('one weak master makes it weak', async () => {
    await cluster.masters[1]?.command('CONFIG', 'SET', 'appendfsync', 'everysec')
    expect(notGood(await examine(cluster.url))).toEqual([['durability', 'doubtful']])
    await cluster.masters[1]?.command('CONFIG', 'SET', 'appendfsync', 'always')
  })

  test('one of its nodes alone is wrong', async () => {
    const [first] = cluster.masters
    expect(await examine(first?.url ?? '')).toMatchObject([
      { health: 'bad', says: expect.stringContaining('redis-cluster://') },
    ])
  })

  test('without one of its masters it is wrong', async () => {
    await cluster.masters[2]?.kill()
    const [first] = cluster.masters
    await until(async () =>
      String(await first?.command('CLUSTER', 'INFO')).includes('cluster_state:fail'),
    )
    expect((await examine(cluster.url)).some(({ health }) => health === 'bad')).toBe(true)
  })
})
