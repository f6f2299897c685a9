import { describe, expect, test } from 'vitest'
import { describeRedis, parseRedisUrl } from './redis-url.ts'

const refusal = (url: string): string => {
  const parsed = parseRedisUrl(url)
  if (parsed.ok) throw new Error('the URL was accepted')
  return parsed.error
}
const target = (url: string) => {
  const parsed = parseRedisUrl(url)
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.value
}

const single = { kind: 'single', login: null, tls: false, database: 0 }
const at = (host: string, port: number) => ({ host, port })

describe('a Redis URL', () => {
  test.each([
    ['redis://127.0.0.1:6380', { ...single, endpoint: at('127.0.0.1', 6380) }],
    ['redis://redis', { ...single, endpoint: at('redis', 6379) }],
    ['redis://redis/', { ...single, endpoint: at('redis', 6379) }],
    ['redis://redis/3', { ...single, endpoint: at('redis', 6379), database: 3 }],
    ['redis://[::1]:6380', { ...single, endpoint: at('::1', 6380) }],
    ['rediss://redis.example:6390', { ...single, tls: true, endpoint: at('redis.example', 6390) }],
    [
      'redis://:p%40ss%2F1@redis',
      { ...single, login: { username: null, password: 'p@ss/1' }, endpoint: at('redis', 6379) },
    ],
    [
      'redis://junqi:a:b@redis',
      { ...single, login: { username: 'junqi', password: 'a:b' }, endpoint: at('redis', 6379) },
    ],
    [
      'redis-sentinel://a:1,b,c:3/my-master',
      {
        kind: 'sentinel',
        login: null,
        tls: false,
        sentinels: [at('a', 1), at('b', 26_379), at('c', 3)],
        master: 'my-master',
      },
    ],
    [
      'rediss-cluster://junqi:secret@a:1,b',
      {
        kind: 'cluster',
        login: { username: 'junqi', password: 'secret' },
        tls: true,
        nodes: [at('a', 1), at('b', 6379)],
      },
    ],
  ])('%s is understood', (url, expected) => {
    expect(target(url)).toEqual(expected)
  })

  test.each([
    ['', /^write redis:\/\//],
    ['127.0.0.1:6379', /^write redis:\/\//],
    ['http://redis', /^write redis:\/\//],
    ['Redis://redis', /^write redis:\/\//],
    ['redis:redis', /^write redis:\/\//],
    ['redis://redis?db=1', /^write redis:\/\//],
    ['redis://:sec@ret@redis', /percent-encoded/],
    ['redis://:sec/ret@redis', /percent-encoded/],
    ['redis://', /^a host is missing or malformed; write redis/],
    ['redis://:secret@', /^a host is missing or malformed/],
    ['redis://red is', /^a host is missing or malformed/],
    ['redis://redis:0', /^a host is missing or malformed/],
    ['redis://redis:70000', /^a host is missing or malformed/],
    ['redis://redis:63x', /^a host is missing or malformed/],
    ['redis-cluster://a:1,,b:2', /^a host is missing or malformed/],
    ['redis://secret@redis', /^a password is missing; write user:password@/],
    ['redis://secret:@redis', /^a password is missing/],
    ['redis://:secret%4@redis', /^a % in the login/],
    ['redis://redis/zero', /^the database is a number/],
    ['redis://a:1,b:2', /^several hosts are a cluster or sentinels/],
    ['redis-sentinel://a:1', /^the name of the master is missing/],
    ['redis-cluster://a:1/0', /^a cluster has no databases/],
  ])(
    'F-C5: %j is refused with what to write, and its password is not repeated',
    (url, sentence) => {
      expect(refusal(url)).toMatch(sentence)
      expect(refusal(url)).not.toMatch(/sec|ret@/)
    },
  )

  test.each([
    ['redis://u:secret@redis/3', 'redis:6379'],
    ['rediss://:secret@[::1]:1', '[::1]:1'],
    ['redis-sentinel://:secret@a,b:2/main', 'main of the sentinels a:26379, b:2'],
    ['redis-cluster://:secret@a:1,b:2', 'the cluster of a:1, b:2'],
  ])('%s is described without its login', (url, words) => {
    expect(describeRedis(target(url))).toBe(words)
  })
})
