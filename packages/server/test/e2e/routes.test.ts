import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROUTES } from '@junqi/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startApp, stopApps } from '../support/test-app.ts'
import { pathsOf, problemOf } from '../support/told-routes.ts'

afterEach(stopApps)

const PAGE = fileURLToPath(new URL('../../../web/dist/page/', import.meta.url))
const DOCUMENT = new URL('../../../../docs/protocol/openapi.json', import.meta.url)
const { paths } = z
  .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
  .parse(JSON.parse(readFileSync(DOCUMENT, 'utf8')))
/** The methods that the OpenAPI document has, by path as the server writes it. */
const told = new Map(
  Object.entries(paths).map(([path, on]) => [
    path.replace(/\{(\w+)\}/g, ':$1'),
    Object.keys(on).map((method) => method.toUpperCase()),
  ]),
)

describe('the OpenAPI document and the server that runs', () => {
  test('have the same paths, the page and its files apart', async () => {
    const { app } = await startApp()
    const real = [...pathsOf(app.http)].filter((path) => !existsSync(join(PAGE, path)))
    expect(real.sort()).toEqual([...told.keys()].sort())
  })

  test('have the same methods at each', async () => {
    const { url } = await startApp()
    for (const [path, methods] of told) {
      const response = await fetch(url + path.replace(/:\w+/g, '0'), { method: 'OPTIONS' })
      const allowed = response.headers.get('allow')?.split(', ')
      // Outside the door there is GET and nothing else.
      expect([path, allowed ?? ['GET']]).toEqual([path, methods])
    }
  })
})

describe('HEAD', () => {
  const TOKEN = 'sixteen-letters-at-least'

  test.each(['public', 'admin'] as const)(
    'is answered at every path of the %s port as GET is, without the body',
    async (port) => {
      const { app, url, adminUrl } = await startApp({ JUNQI_ADMIN_TOKEN: TOKEN })
      const [http, base] = port === 'public' ? [app.http, url] : [app.admin, adminUrl]
      const ask = async (method: string, path: string) => {
        const headers = { authorization: `Bearer ${port === 'admin' ? TOKEN : ''}` }
        const response = await fetch(base + path, { method, headers, redirect: 'manual' })
        const type = response.headers.get('content-type')
        return { path, status: response.status, type, body: await response.text() }
      }
      const paths = [...pathsOf(http)].map((path) => path.replace(/:\w+/g, 'k7w2m9qx'))
      expect(paths).toContain(port === 'public' ? '/g/k7w2m9qx' : '/metrics')
      for (const path of paths) {
        expect(await ask('HEAD', path)).toEqual({ ...(await ask('GET', path)), body: '' })
      }
    },
  )
})

describe('what every answer of these tests is held against', () => {
  const json = (payload: unknown) => ({
    type: 'application/json',
    payload: JSON.stringify(payload),
  })
  const refused = (code: string) => json({ error: { code, message: 'No.', retryable: false } })

  test.each([
    ['what the route tells', 'GET', { status: 200, ...json({ rooms: [] }) }, null],
    ['a field more', 'GET', { status: 200, ...json({ rooms: [], secret: 1 }) }, /secret/],
    ['another status', 'GET', { status: 204, ...json({ rooms: [] }) }, /204, not 200/],
    ['a refusal of its own', 'POST', { status: 409, ...refused('too_many_rooms') }, null],
    ['a refusal with another status', 'POST', { status: 400, ...refused('too_many_rooms') }, /400/],
    ['a refusal that is not told', 'GET', { status: 409, ...refused('seat_taken') }, /seat_taken/],
    ['another method', 'PUT', { status: 405, ...refused('not_found') }, null],
    ['another method that does something', 'PUT', { status: 200, ...json({}) }, /200/],
  ])('%s', (_, method, answer, problem) => {
    const found = problemOf(ROUTES['/v1/rooms'], method, answer)
    if (problem === null) expect(found).toBeNull()
    else expect(found).toMatch(problem)
  })
})
