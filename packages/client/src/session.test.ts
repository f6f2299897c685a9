import { err, ok } from '@junqi/engine'
import { expect, test } from 'vitest'
import { readAdmission, readSession } from './session.ts'

const answer = (status: number, body: unknown): typeof fetch => {
  return async () => new Response(JSON.stringify(body), { status })
}
const player = { id: '000000000001', name: 'Ming' }

test('tells whose the token is', async () => {
  const asked: (HeadersInit | undefined)[] = []
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    asked.push(init?.headers)
    return answer(200, { player })('')
  }
  expect(await readSession('http://junqi.example', 'secret', { fetch })).toEqual(ok(player))
  expect(await readSession('http://junqi.example', null, { fetch })).toEqual(ok(player))
  expect(asked).toEqual([{ authorization: 'Bearer secret' }, {}])
})

test('a refusal keeps its code, and no answer is one that may come later', async () => {
  const error = { code: 'unauthorized', message: 'No valid token.', retryable: false }
  const refused = await readSession('http://junqi.example', null, { fetch: answer(401, { error }) })
  expect(refused).toMatchObject(err({ code: 'unauthorized' }))
  const silent: typeof fetch = async () => {
    throw new TypeError('fetch failed')
  }
  const unanswered = await readSession('http://junqi.example', null, { fetch: silent })
  expect(unanswered).toMatchObject(err({ code: 'unavailable' }))
})

test('tells how one comes in, out of all that a server says of itself', async () => {
  const admission = { guests: false, loginUrl: 'https://login.example/' }
  const fetch = answer(200, { protocol: 'junqi.v1', admission, presets: {} })
  expect(await readAdmission('http://junqi.example', { fetch })).toEqual(ok(admission))
  const older = answer(200, { protocol: 'junqi.v1' })
  expect(await readAdmission('http://junqi.example', { fetch: older })).toMatchObject(
    err({ code: 'unavailable' }),
  )
})
