import { expect, test } from 'vitest'
import { Draining } from './draining.ts'

function setUp() {
  const seen: string[] = []
  let gone = (): void => {}
  const draining = new Draining({
    door: { close: () => void seen.push('closed'), open: () => void seen.push('open') },
    gateway: {
      drain: () => {
        seen.push('leaving')
        return new Promise((resolve) => {
          gone = resolve
        })
      },
    },
    requests: { settled: async () => {} },
  })
  return { draining, seen, leave: () => gone() }
}

test('F-D1: the door is closed before anyone is sent away, and opens when all have gone', async () => {
  const { draining, seen, leave } = setUp()
  const begun = draining.begin()
  expect([draining.isOn, seen]).toEqual([true, ['closed', 'leaving']])
  const ended = draining.end()
  await Promise.resolve()
  expect(seen).toEqual(['closed', 'leaving'])
  leave()
  await Promise.all([begun, ended])
  expect([draining.isOn, seen]).toEqual([false, ['closed', 'leaving', 'open']])
})

test('F-D1: asked for twice it is one, and it can be asked for again', async () => {
  const { draining, seen, leave } = setUp()
  const both = Promise.all([draining.begin(), draining.begin()])
  leave()
  await both
  await draining.end()
  void draining.begin()
  expect(seen).toEqual(['closed', 'leaving', 'open', 'closed', 'leaving'])
})

test.each(['before', 'after'])(
  'F-D1: a node that is about to stop takes nobody again, asked for %s',
  async (when) => {
    const { draining, seen, leave } = setUp()
    if (when === 'after') void draining.begin()
    const stopped = draining.stop()
    const ended = draining.end()
    leave()
    await Promise.all([stopped, ended])
    expect([draining.isOn, seen]).toEqual([true, ['closed', 'leaving']])
  },
)
