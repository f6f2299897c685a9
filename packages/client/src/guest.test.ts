import { expect, test } from 'vitest'
import { createGuest } from './guest.ts'

const answering = (body: unknown, status: number) => ({
  fetch: () => Promise.resolve(Response.json(body, { status })),
})

test('a guest is asked for with its name, and comes with its token', async () => {
  const asked: unknown[] = []
  const made = { id: '2w9h4t7kz0pm', name: 'Ming', token: 'secret' }
  const fetch: typeof globalThis.fetch = (url, init) => {
    asked.push(url, init?.method, init?.body)
    return Promise.resolve(Response.json(made, { status: 201 }))
  }
  expect(await createGuest('ws://junqi.test', 'Ming', { fetch })).toEqual({ ok: true, value: made })
  expect(asked).toEqual(['http://junqi.test/v1/guests', 'POST', '{"name":"Ming"}'])
})

test.each([
  [
    'what the server refuses',
    answering({ error: { code: 'bad_message', message: 'name: No.', retryable: false } }, 400),
    'bad_message',
  ],
  ['the answer of something else', answering(['<h1>'], 502), 'unavailable'],
  ['no JSON', { fetch: () => Promise.resolve(new Response('<h1>')) }, 'unavailable'],
  ['no answer', { fetch: () => Promise.reject(new TypeError('fetch failed')) }, 'unavailable'],
])('%s is a refusal, not an exception', async (_, network, code) => {
  expect(await createGuest('http://junqi.test', '', network)).toMatchObject({
    ok: false,
    error: { code },
  })
})
