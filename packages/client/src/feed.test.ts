import { expect, test } from 'vitest'
import { Feed } from './feed.ts'

const push = (feed: Feed<string>, ...items: readonly string[]): void => {
  for (const item of items) feed.push(item, () => `now ${item}`)
}

test('a loop gets the first item, then all that follow, then ends', async () => {
  const feed = new Feed<string>()
  const items = feed.read(['first'])
  push(feed, 'a', 'b')
  feed.end()
  const seen: string[] = []
  for await (const item of items) seen.push(item)
  expect(seen).toEqual(['first', 'a', 'b'])
})

test('a loop that waits gets the next item at once', async () => {
  const feed = new Feed<string>()
  const items = feed.read([])
  const next = items.next()
  push(feed, 'a')
  expect(await next).toEqual({ done: false, value: 'a' })
  const last = items.next()
  feed.end()
  expect(await last).toEqual({ done: true, value: undefined })
})

test('a slow loop is brought up to date in one step, and its queue is bounded', async () => {
  const feed = new Feed<string>()
  const items = feed.read([])
  push(feed, ...Array.from({ length: 256 }, (_, n) => `${n}`), '256', '257')
  expect((await items.next()).value).toBe('now 256')
  expect((await items.next()).value).toBe('257')
})

test('a loop that was left gets nothing more', async () => {
  const feed = new Feed<string>()
  const items = feed.read(['a', 'b'])
  for await (const _ of items) break
  push(feed, 'c')
  expect(await items.next()).toEqual({ done: true, value: undefined })
})

test('a listener hears everything until it is taken away', () => {
  const feed = new Feed<string>()
  const seen: string[] = []
  const stop = feed.listen((item) => seen.push(item))
  push(feed, 'a')
  stop()
  push(feed, 'b')
  expect(seen).toEqual(['a'])
})
