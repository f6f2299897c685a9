import { expect, test } from 'vitest'
import { FakeClock } from '../test/support/fake-clock.ts'
import { Alarm } from './alarm.ts'

function setUp() {
  const clock = new FakeClock()
  const woken: number[] = []
  const alarm = new Alarm(clock, () => woken.push(clock.now() - start))
  const start = clock.now()
  return { clock, woken, at: (time: number) => alarm.set(start + time), alarm }
}

test('of several that are asked for the earliest comes, once', async () => {
  const { clock, woken, at } = setUp()
  at(300)
  at(100)
  at(200)
  await clock.advance(1_000)
  expect(woken).toEqual([100])
})

test('after one came the next can be asked for', async () => {
  const { clock, woken, at } = setUp()
  at(100)
  await clock.advance(150)
  at(400)
  await clock.advance(1_000)
  expect(woken).toEqual([100, 400])
})

test('what was cancelled does not come, and stands in the way of none that is later', async () => {
  const { clock, woken, at, alarm } = setUp()
  at(100)
  alarm.cancel()
  at(200)
  await clock.advance(1_000)
  expect(woken).toEqual([200])
})
