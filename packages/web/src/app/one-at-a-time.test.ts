import { expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

test('what is asked for while something is on its way is let go, and not after it, even if it failed', async () => {
  const run = oneAtATime()
  const done: string[] = []
  let fail = (_: Error): void => {}
  const first = new Promise<void>((_, reject) => {
    fail = reject
  })
  const act = (name: string, ends: Promise<void>) =>
    run(() => {
      done.push(name)
      return ends
    })
  const running = act('first', first)
  await act('second click', Promise.resolve())
  fail(new Error('broken'))
  await expect(running).rejects.toThrow('broken')
  await act('another', Promise.resolve())
  expect(done).toEqual(['first', 'another'])
})
