import { readFileSync } from 'node:fs'
import { formationsOf } from '@junqi/client'
import { checkFormation, mirrorFormation, PRESETS, readJql, writeJql } from '@junqi/engine'
import { httpError } from '@junqi/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { command, seatedRoom, startRoom } from '../support/socket-table.ts'
import {
  eventually,
  makeGuest,
  startApp,
  startRealApp,
  stopApps,
  TestClient,
} from '../support/test-app.ts'

afterEach(stopApps)

const ATTACK = '963175358137B246L2LB4FL21'
const BOMBS_IN_FRONT = '9B3175358137624BL2L64FL21'
const SAMPLE = new Uint8Array(
  readFileSync(new URL('../../../engine/test/data/samples/formation.jql', import.meta.url)),
)

async function player(url: string, name = 'Ann') {
  const { token } = await makeGuest(url, name)
  const headers = { authorization: `Bearer ${token}` }
  return { token, headers, formations: formationsOf({ url, token }) }
}

describe('a player’s formations', () => {
  test('are kept by name, replaced, listed in order and dropped', async () => {
    const { url } = await startApp()
    const { formations } = await player(url)
    expect(await formations.list()).toEqual({ ok: true, value: { formations: [], last: {} } })
    const kept = { name: '进攻/1', formation: ATTACK }
    expect(await formations.put('进攻/1', ATTACK)).toEqual({ ok: true, value: kept })
    const mirrored = mirrorFormation(ATTACK)
    await formations.put('a', ATTACK)
    await formations.put(
      'a',
      `${mirrored.slice(0, 5)}/${mirrored.slice(5, 8)}/${mirrored.slice(8)}`,
    )
    expect(await formations.get('进攻/1')).toEqual({ ok: true, value: kept })
    expect(await formations.list()).toMatchObject({
      value: { formations: [{ name: 'a', formation: mirrored }, kept] },
    })
    expect(await formations.remove('a')).toEqual({ ok: true, value: null })
    expect(await formations.remove('a')).toMatchObject({ error: { code: 'not_found' } })
    expect(await formations.get('a')).toMatchObject({ error: { code: 'not_found' } })
  })

  test('are twenty at most', async () => {
    const { url } = await startApp()
    const { formations } = await player(url)
    for (let n = 0; n < 20; n++) expect((await formations.put(`${n}`, ATTACK)).ok).toBe(true)
    expect(await formations.put('more', ATTACK)).toMatchObject({
      error: { code: 'too_many_formations' },
    })
    expect((await formations.put('7', mirrorFormation(ATTACK))).ok).toBe(true)
    await formations.remove('3')
    expect((await formations.put('more', ATTACK)).ok).toBe(true)
  })

  test('come and go as .jql', async () => {
    const { url } = await startApp()
    const { formations, headers } = await player(url)
    expect(await formations.putJql('阵', SAMPLE)).toMatchObject({ value: { name: '阵' } })
    expect(await formations.getJql('阵')).toEqual({ ok: true, value: SAMPLE })
    const path = `${url}/v1/formations/${encodeURIComponent('阵')}/jql`
    const response = await fetch(path, { headers })
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="_.jql"; filename*=UTF-8''%E9%98%B5.jql`,
    )
    expect(readJql(new Uint8Array(await response.arrayBuffer()))).toMatchObject({ ok: true })
  })

  test.each(['application/x-www-form-urlencoded', 'application/json'])(
    'a .jql sent as %s is told how it is sent',
    async (type) => {
      const { url } = await startApp()
      const { headers } = await player(url)
      const answer = await fetch(`${url}/v1/formations/a/jql`, {
        method: 'PUT',
        headers: { ...headers, 'content-type': type },
        body: SAMPLE,
      })
      const { error } = httpError.parse(await answer.json())
      expect(error.message).toBe(
        'The body is the file as it is, sent as content-type: application/octet-stream.',
      )
    },
  )

  test.each([
    ['a file cut short', SAMPLE.subarray(0, 40), 'bad_formation', 'At 0x28: '],
    [
      'something else',
      new Uint8Array(50),
      'bad_formation',
      'At 0x0: expected the header of a .jql file',
    ],
    ['a flag out of place', misplaced(), 'bad_formation', 'The flag is in a headquarters'],
  ])('%s is no .jql to keep', async (_, bytes, code, message) => {
    const { url } = await startApp()
    const { formations } = await player(url)
    const refused = await formations.putJql('x', bytes)
    expect(refused).toMatchObject({ error: { code, message: expect.stringContaining(message) } })
    expect(await formations.list()).toMatchObject({ value: { formations: [] } })
  })

  test('bombs in the front row may be kept: the room says whether they may be handed in', async () => {
    const { url } = await startApp()
    const { formations } = await player(url)
    expect(checkFormation(PRESETS.siguo, BOMBS_IN_FRONT)).not.toBeNull()
    expect((await formations.put('x', BOMBS_IN_FRONT)).ok).toBe(true)
  })

  test.each([
    ['of 24 symbols', 'PUT', 'x', { formation: ATTACK.slice(1) }, 400, 'bad_message'],
    ['of the wrong pieces', 'PUT', 'x', { formation: '9'.repeat(25) }, 400, 'bad_formation'],
    ['without a name that can be seen', 'PUT', '%20', { formation: ATTACK }, 400, 'bad_message'],
    ['of a name too long', 'PUT', 'x'.repeat(25), { formation: ATTACK }, 400, 'bad_message'],
    ['by another method', 'POST', 'x', { formation: ATTACK }, 405, 'not_found'],
    ['as bytes', 'PUT', 'x', new Uint8Array(3), 400, 'bad_message'],
  ])('one %s is refused', async (_, method, name, body, status, code) => {
    const { url } = await startApp()
    const { headers } = await player(url)
    const isBytes = body instanceof Uint8Array
    const type = isBytes ? 'application/octet-stream' : 'application/json'
    const response = await fetch(`${url}/v1/formations/${name}`, {
      method,
      headers: { ...headers, 'content-type': type },
      body: isBytes ? Uint8Array.from(body) : JSON.stringify(body),
    })
    expect(response.status).toBe(status)
    expect(httpError.parse(await response.json()).error.code).toBe(code)
  })

  test('F-H12: nobody is shown another’s, and whoever has no token none at all', async () => {
    const { url } = await startApp()
    const ann = await player(url)
    await ann.formations.put('x', ATTACK)
    const bob = await player(url, 'Bob')
    expect(await bob.formations.list()).toMatchObject({ value: { formations: [], last: {} } })
    expect(await bob.formations.get('x')).toMatchObject({ error: { code: 'not_found' } })
    expect(await bob.formations.remove('x')).toMatchObject({ error: { code: 'not_found' } })
    const stranger = formationsOf({ url, token: null })
    for (const refused of [
      await stranger.list(),
      await stranger.get('x'),
      await stranger.put('x', ATTACK),
      await stranger.remove('x'),
      await stranger.getJql('x'),
      await stranger.putJql('x', SAMPLE),
    ]) {
      expect(refused).toMatchObject({ ok: false, error: { code: 'unauthorized' } })
    }
    expect(await ann.formations.list()).toMatchObject({
      value: { formations: [{ name: 'x', formation: ATTACK }] },
    })
  })

  test('can be mirrored, and one by chance is valid', async () => {
    const { url } = await startApp()
    const { formations, headers } = await player(url)
    await formations.put('x', ATTACK)
    const mirrored = await fetch(`${url}/v1/formations/x/mirror`, { headers })
    expect(await mirrored.json()).toEqual({ formation: mirrorFormation(ATTACK) })
    const made = await formations.random()
    expect(made.ok && checkFormation(PRESETS.duel, made.value)).toBeNull()
    expect(await fetch(`${url}/v1/random-formation?x=1`)).toMatchObject({ status: 400 })
    expect(await fetch(`${url}/v1/random-formation?bombFrontRow=2`)).toMatchObject({ status: 400 })
  })

  test('a page of an allowed origin may ask with every method, and without a cookie', async () => {
    const { url } = await startApp({ JUNQI_ORIGINS: 'https://page.example' })
    const asked = await fetch(`${url}/v1/formations/x`, {
      method: 'OPTIONS',
      headers: { origin: 'https://page.example', 'access-control-request-method': 'PUT' },
    })
    expect(asked.headers.get('access-control-allow-methods')).toBe('GET, PUT, DELETE')
    const { token } = await player(url)
    const refused = await fetch(`${url}/v1/formations/x`, {
      method: 'DELETE',
      headers: { origin: 'https://page.example', cookie: `junqi_token=${token}` },
    })
    expect(refused.status).toBe(403)
  })
})

test('R-DEPLOY-6: what a player last handed in is kept by preset, for that player alone', async () => {
  const { url } = await startRealApp()
  const guests = [await makeGuest(url, 'Ann'), await makeGuest(url, 'Bob')]
  const clients = await Promise.all(guests.map(({ token }) => TestClient.hello(url, token)))
  const room = await seatedRoom(clients, 'duel')
  await startRoom(clients, room)
  const [ann, bob] = guests.map(({ token }) => formationsOf({ url, token }))
  const [first] = clients
  if (ann === undefined || bob === undefined || first === undefined) throw new Error('nobody')
  await command(first, { type: 'saveDraft', room, formation: mirrorFormation(ATTACK) })
  expect(await ann.list()).toMatchObject({ value: { last: {} } })
  await command(first, { type: 'submitFormation', room, formation: ATTACK })
  let last: object = {}
  await eventually(() => {
    void ann.list().then((listed) => {
      last = listed.ok ? listed.value.last : {}
    })
    return Object.keys(last).length > 0
  })
  expect(last).toEqual({ duel: ATTACK })
  expect(await bob.list()).toMatchObject({ value: { formations: [], last: {} } })
})

/** An army whose flag is on a post. */
function misplaced(): Uint8Array {
  return writeJql(ATTACK.replace('F', '?').replace('9', 'F').replace('?', '9'))
}
