import { afterEach, beforeEach, expect, test, vi } from 'vitest'
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
