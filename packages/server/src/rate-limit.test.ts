import { describe, expect, test } from 'vitest'
import { charge, RateLimiter, take } from './rate-limit.ts'

const rate = { perSecond: 10, burst: 3 }

function takes(times: readonly number[]): readonly number[] {
  let bucket = 0
  return times.map((now) => {
    const taken = take(bucket, rate, now)
    bucket = taken.bucket
    return taken.waitMs
  })
}

describe('take', () => {
  test.each([
    ['a burst passes, the next must wait for a token', [0, 0, 0, 0], [0, 0, 0, 100]],
    ['a refusal costs nothing', [0, 0, 0, 40, 60, 100], [0, 0, 0, 60, 40, 0]],
    ['a token comes back every tenth of a second', [0, 0, 0, 100, 150, 200], [0, 0, 0, 0, 50, 0]],
    [
      'rest fills the bucket, and no more than fills it',
      [0, 9000, 9000, 9000, 9000],
      [0, 0, 0, 0, 100],
    ],
  ])('%s', (_, times, waits) => {
    expect(takes(times)).toEqual(waits)
  })

  test('what is full gives its whole burst at whatever fraction of a millisecond', () => {
    for (let n = 0; n < 10_000; n++) {
      const now = 1_700_000_000_000 + n * 0.137
      expect(take(0, { perSecond: 7, burst: 1 }, now).waitMs).toBe(0)
    }
  })
})

describe('charge', () => {
  test('takes what is not there, and the next token comes after that', () => {
    const bucket = charge(0, rate, { now: 50, tokens: 7 })
    expect(take(bucket, rate, 50)).toEqual({ bucket, waitMs: 500 })
    expect(take(bucket, rate, 550).waitMs).toBe(0)
    expect(charge(0, rate, { now: 50, tokens: 0 })).toBe(50)
  })
})

describe('RateLimiter', () => {
  test('what is charged to a key is taken from it, and from no other', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 2 }, () => 0)
    limiter.charge('a', 5)
    expect([limiter.take('a'), limiter.take('b')]).toEqual([4000, 0])
  })

  test('keys do not share a bucket', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 1 }, () => 0)
    expect([limiter.take('a'), limiter.take('b'), limiter.take('a')]).toEqual([0, 0, 1000])
  })

  test('what is charged is taken, there or not, and has to come back first', () => {
    let now = 0
    const limiter = new RateLimiter({ perSecond: 1, burst: 3 }, () => now)
    limiter.charge('a', 5)
    expect([limiter.take('a'), limiter.take('b')]).toEqual([3000, 0])
    now = 3000
    expect([limiter.take('a'), limiter.take('a')]).toEqual([0, 1000])
  })

  test('a token that is given back is there again, and no more than the burst ever is', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 2 }, () => 0)
    for (let n = 0; n < 3; n++) {
      limiter.take('a')
      limiter.giveBack('a')
    }
    expect([limiter.take('a'), limiter.take('a'), limiter.take('a')]).toEqual([0, 0, 1000])
  })

  test('F-C6: buckets that are full again are forgotten', () => {
    let now = 0
    const limiter = new RateLimiter({ perSecond: 1, burst: 1 }, () => now)
    for (let key = 0; key < 5000; key++) {
      now += 10
      limiter.take(String(key))
    }
    expect(limiter.size).toBeLessThanOrEqual(1000)
  })

  test('F-M1: it never holds more keys than its limit', () => {
    const limiter = new RateLimiter({ perSecond: 0.001, burst: 1 }, () => 0, 2000)
    let most = 0
    for (let key = 0; key < 10_000; key++) {
      limiter.take(String(key))
      most = Math.max(most, limiter.size)
    }
    expect(most).toBeLessThanOrEqual(2000)
    expect(limiter.take('9999')).toBeGreaterThan(0)
  })
})
