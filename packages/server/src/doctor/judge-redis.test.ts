import { expect, test } from 'vitest'
import type { RedisSurvey } from '../adapters/redis/survey.ts'
import { judgeRedis } from './judge-redis.ts'

const MIB = 2 ** 20
const MASTER_INFO = {
  redis_version: '7.0.15',
  aof_last_write_status: 'ok',
  aof_last_bgrewrite_status: 'ok',
  used_memory: String(100 * MIB),
  maxmemory: String(1000 * MIB),
}
const MASTER = new Map(Object.entries(MASTER_INFO))
const DURABLE = { isDurable: true, promise: 'nothing is lost', problems: [] }
const WEAK = {
  isDurable: false,
  promise: 'a second can be lost',
  problems: ['Set this.', 'And that.'],
}
const WELL: RedisSurvey = {
  masters: [MASTER],
  durability: DURABLE,
  cluster: null,
  sentinels: [],
  refused: null,
  pings: [0.2, 0.3, 0.4],
  writes: [1, 2, 3],
  nodes: 2,
}

const judge = (changes: Partial<RedisSurvey>, requireDurable = false) =>
  judgeRedis({ ...WELL, ...changes }, { requireDurable })

const info = (entries: Record<string, string>) => new Map(Object.entries(entries))

const master = (changes: Record<string, string>): Partial<RedisSurvey> => ({
  masters: [info({ ...MASTER_INFO, ...changes })],
})

test('a Redis that is well has nothing to be mended', () => {
  expect(judge({}).map(({ about, health, says }) => `${health} ${about}: ${says}`)).toEqual([
    'good redis: version 7.0.15, and it takes writes',
    'good durability: nothing is lost',
    'good redis memory: 100 MiB used of 1000 MiB',
    'good round trip: an answer takes 0.30 ms as a rule, 0.40 ms at most of 3, a write 2.00 ms as a rule, 3.00 ms at most of 3',
    'good nodes: 2 are running with this prefix',
  ])
})

const SLOTS = '16384'

test.each<[string, Partial<RedisSurvey>, 'bad' | 'doubtful' | 'good', RegExp, RegExp]>([
  [
    'a disk that fails',
    master({ aof_last_write_status: 'err' }),
    'bad',
    /last write of its log failed/,
    /make room/,
  ],
  [
    'a rewrite that failed',
    master({ aof_last_bgrewrite_status: 'err' }),
    'bad',
    /last rewrite of its log/,
    /make room/,
  ],
  [
    'a full memory',
    master({ used_memory: String(980 * MIB) }),
    'bad',
    /^980 MiB used of 1000 MiB$/,
    /maxmemory/,
  ],
  [
    'a memory soon full',
    master({ used_memory: String(800 * MIB) }),
    'doubtful',
    /^800 MiB/,
    /maxmemory/,
  ],
  ['a memory without limit', master({ maxmemory: '0' }), 'good', /no limit is set/, /^$/],
  [
    'weak settings',
    { durability: WEAK },
    'doubtful',
    /^a second can be lost$/,
    /^Set this\. And that$/,
  ],
  [
    'a slow disk',
    { writes: [10, 80, 90] },
    'doubtful',
    /a write 80 ms as a rule, 90 ms at most/,
    /faster disk/,
  ],
  ['one slow write', { writes: [1, 1, 90] }, 'good', /90 ms at most/, /^$/],
  [
    'a cluster that is whole',
    { cluster: info({ cluster_state: 'ok', cluster_slots_ok: SLOTS }) },
    'good',
    /every slot/,
    /^$/,
  ],
  [
    'a cluster with a hole',
    { cluster: info({ cluster_state: 'fail', cluster_slots_ok: '10923' }) },
    'bad',
    /fail, and 10923 of 16384/,
    /masters back/,
  ],
  [
    'a cluster half set up',
    { cluster: info({ cluster_state: 'ok', cluster_slots_ok: '5' }) },
    'bad',
    /5 of 16384/,
    /masters back/,
  ],
  [
    'a sentinel that agrees',
    { sentinels: [{ at: 's:1', fault: null }] },
    'good',
    /^s:1 could replace/,
    /^$/,
  ],
  [
    'a sentinel alone',
    { sentinels: [{ at: 's:1', fault: 'NOQUORUM' }] },
    'doubtful',
    /^s:1: NOQUORUM$/,
    /start the sentinels/,
  ],
  [
    'a user without rights',
    { refused: 'NOPERM this user' },
    'bad',
    /^NOPERM this user$/,
    /deploy\.md/,
  ],
  [
    'a user without a channel',
    { refused: "ERR The user executing the script can't publish to the channel" },
    'bad',
    /can't publish/,
    /deploy\.md/,
  ],
  [
    'a Redis that is full',
    { refused: 'OOM used memory' },
    'bad',
    /refuses a write: OOM/,
    /what it says/,
  ],
])('%s', (_, changes, health, says, mend) => {
  const found = judge(changes).find((finding) => says.test(finding.says))
  expect(found).toMatchObject({ health })
  expect(found?.mend ?? '').toMatch(mend)
})

test('F-C5: weak settings are wrong where durable ones are required', () => {
  const found = judge({ durability: WEAK }, true).find(({ about }) => about === 'durability')
  expect(found).toMatchObject({
    health: 'bad',
    says: 'a second can be lost, which JUNQI_REQUIRE_DURABLE does not allow',
    mend: 'Set this. And that',
  })
})

test('where writes are refused, how long they take is not told', () => {
  expect(judge({ refused: 'OOM', writes: [] }).some(({ about }) => about === 'round trip')).toBe(
    false,
  )
})

test('each master of a cluster is judged', () => {
  const found = judge({ masters: [MASTER, info({ ...MASTER_INFO, aof_last_write_status: 'err' })] })
  expect(found.filter(({ about }) => about === 'redis').map(({ health }) => health)).toEqual([
    'good',
    'bad',
  ])
})
