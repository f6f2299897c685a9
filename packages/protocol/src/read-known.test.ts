import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readKnown } from './read-known.ts'

const item = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('moved'), to: z.string() }),
  z.strictObject({ type: z.literal('ended') }),
])
const form = z.strictObject({
  name: z.string(),
  items: z.array(item),
  inner: z.union([z.strictObject({ a: z.number() }), z.strictObject({ b: z.number() })]).nullable(),
})
const KNOWN = {
  name: 'x',
  items: [{ type: 'moved', to: 'b5' }, { type: 'ended' }],
  inner: { b: 1 },
}

describe('what is not known is passed over', () => {
  test.each<[string, unknown]>([
    ['nothing', KNOWN],
    ['a field', { ...KNOWN, weather: 1 }],
    ['several', { ...KNOWN, weather: { sky: 1 }, mood: null }],
    [
      'a field of an item',
      { ...KNOWN, items: [{ type: 'moved', to: 'b5', by: 1 }, KNOWN.items[1]] },
    ],
    ['an item of another type', { ...KNOWN, items: [{ type: 'news' }, ...KNOWN.items] }],
    ['a field in one of several forms', { ...KNOWN, inner: { c: 1, b: 1 } }],
    [
      'all of it at once',
      { ...KNOWN, w: 1, items: [KNOWN.items[0], { type: 'n', to: 1 }, { type: 'ended', at: 1 }] },
    ],
  ])('%s', (_, value) => {
    expect(readKnown(form, value)).toEqual(KNOWN)
  })
})

describe('what is wrong besides is refused', () => {
  test.each<[string, unknown]>([
    ['a field that is missing', { ...KNOWN, name: undefined, weather: 1 }],
    ['a field in another form', { ...KNOWN, name: 1 }],
    ['an item without its field', { ...KNOWN, items: [{ type: 'moved', by: 1 }] }],
    ['none of several forms', { ...KNOWN, inner: { c: 1 } }],
    ['no object', 'x'],
    ['nothing', undefined],
  ])('%s', (_, value) => {
    expect(readKnown(form, value)).toBeNull()
  })

  test('one alone of a type that is not known', () => {
    expect(readKnown(item, { type: 'news' })).toBeNull()
  })
})
