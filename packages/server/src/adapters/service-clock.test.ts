import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ServiceClock } from './service-clock.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('F-T4: service time goes on from where the store stopped', () => {
  const clock = new ServiceClock(5_000)
  expect(clock.now()).toBe(5_000)
  vi.advanceTimersByTime(250)
  expect(clock.now()).toBe(5_250)
})

test('F-T3: a jump of the wall clock changes nothing', () => {
  const clock = new ServiceClock(0)
  const woken: number[] = []
  clock.schedule(1_000, () => woken.push(clock.now()))
  vi.setSystemTime(Date.now() + 86_400_000)
  expect(clock.now()).toBe(0)
  vi.setSystemTime(0)
  vi.advanceTimersByTime(999)
  expect(woken).toEqual([])
  vi.advanceTimersByTime(1)
  expect(woken).toEqual([1_000])
})

test('service time is a whole number that never goes back', () => {
  let monotonic = 0.25
  const clock = new ServiceClock(7, () => monotonic)
  const seen = Array.from({ length: 100 }, () => {
    monotonic += 0.3
    return clock.now()
  })
  expect(seen.every(Number.isSafeInteger)).toBe(true)
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
})

test('wake-ups come in the order of their times, whatever the order they were asked for', () => {
  const clock = new ServiceClock(0)
  const woken: string[] = []
  clock.schedule(30, () => woken.push('c'))
  clock.schedule(10, () => woken.push('a'))
  clock.schedule(10, () => woken.push('b'))
  const cancel = clock.schedule(20, () => woken.push('cancelled'))
  cancel()
  clock.schedule(-5, () => woken.push('past'))
  vi.advanceTimersByTime(0)
  expect(woken).toEqual(['past'])
  vi.advanceTimersByTime(30)
  expect(woken).toEqual(['past', 'a', 'b', 'c'])
  cancel()
})

test('one timer serves all wake-ups', () => {
  const clock = new ServiceClock(0)
  for (let at = 1_000; at > 0; at--) clock.schedule(at, () => {})
  expect(vi.getTimerCount()).toBe(1)
})

test('a wake-up beyond the longest timer comes at its time and not before', () => {
  const clock = new ServiceClock(0)
  const woken: number[] = []
  clock.schedule(2 ** 31 + 5_000, () => woken.push(clock.now()))
  vi.advanceTimersByTime(2 ** 31 + 4_999)
  expect(woken).toEqual([])
  vi.advanceTimersByTime(1)
  expect(woken).toEqual([2 ** 31 + 5_000])
})

test('a wake-up that throws does not cost the others theirs', () => {
  const clock = new ServiceClock(0)
  const woken: string[] = []
  clock.schedule(10, () => {
    throw new Error('a bug')
  })
  clock.schedule(10, () => woken.push('other'))
  expect(() => vi.advanceTimersByTime(10)).toThrow('a bug')
  vi.advanceTimersByTime(1)
  expect(woken).toEqual(['other'])
})

test('F-T4: while the store takes no writes the time stands still and wakes nobody', () => {
  const clock = new ServiceClock(0)
  const woken: number[] = []
  clock.schedule(100, () => woken.push(clock.now()))
  vi.advanceTimersByTime(40)
  clock.stop()
  clock.stop()
  vi.advanceTimersByTime(10_000)
  expect(clock.now()).toBe(40)
  expect(woken).toEqual([])
  clock.resume()
  clock.resume()
  vi.advanceTimersByTime(59)
  expect(woken).toEqual([])
  vi.advanceTimersByTime(1)
  expect(woken).toEqual([100])
})

describe('a clock that follows the store’s', () => {
  const woken: number[] = []
  let clock: ServiceClock
  beforeEach(() => {
    woken.length = 0
    clock = new ServiceClock(0)
    clock.follow(1_000, performance.now(), 2_000)
  })

  test('runs on from the answer, and wakes then', () => {
    clock.schedule(1_300, () => woken.push(clock.now()))
    vi.advanceTimersByTime(299)
    expect(clock.now()).toBe(1_299)
    expect(woken).toEqual([])
    vi.advanceTimersByTime(1)
    expect(woken).toEqual([1_300])
  })

  test('reckons from when the answer was right, not from when it came', () => {
    vi.advanceTimersByTime(100)
    clock.follow(1_500, performance.now() - 40, 3_000)
    expect(clock.now()).toBe(1_540)
  })

  test('F-T4: runs no further than it may, and wakes nobody beyond', () => {
    clock.schedule(2_000, () => woken.push(clock.now()))
    clock.schedule(2_001, () => woken.push(clock.now()))
    vi.advanceTimersByTime(60_000)
    expect(clock.now()).toBe(2_000)
    expect(clock.stands).toBe(true)
    expect(woken).toEqual([2_000])
    clock.follow(2_000, performance.now(), 3_000)
    expect(clock.stands).toBe(false)
    vi.advanceTimersByTime(1)
    expect(woken).toEqual([2_000, 2_001])
  })

  test('never goes back: where it is ahead it waits', () => {
    vi.advanceTimersByTime(500)
    clock.follow(1_200, performance.now(), 2_200)
    clock.schedule(1_501, () => woken.push(clock.now()))
    expect(clock.now()).toBe(1_500)
    vi.advanceTimersByTime(300)
    expect(clock.now()).toBe(1_500)
    expect(woken).toEqual([])
    vi.advanceTimersByTime(1)
    expect(woken).toEqual([1_501])
  })

  test('wakes at once for what an answer shows to be past', () => {
    clock.schedule(1_800, () => woken.push(clock.now()))
    clock.follow(1_900, performance.now(), 2_900)
    vi.advanceTimersByTime(0)
    expect(woken).toEqual([1_900])
  })

  test('F-T4: stands where it was stopped until there is an answer', () => {
    vi.advanceTimersByTime(100)
    clock.stop()
    vi.advanceTimersByTime(5_000)
    expect(clock.now()).toBe(1_100)
    clock.follow(1_150, performance.now(), 2_150)
    vi.advanceTimersByTime(10)
    expect(clock.now()).toBe(1_160)
  })
})
