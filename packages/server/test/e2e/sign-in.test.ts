import { httpError } from '@junqi/protocol'
import { SignJWT, UnsecuredJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AUDIENCE, ISSUER, TestProvider, type Wish } from '../support/identity-provider.ts'
import {
  DATE,
  makeGuest,
  refusedHandshake,
  startApp,
  stopApps,
  type TestApp,
  TestClient,
} from '../support/test-app.ts'

let now = () => DATE
let provider: TestProvider

beforeEach(async () => {
  now = () => DATE
  provider = await TestProvider.start(() => now())
})
afterEach(async () => {
  await stopApps()
  await provider.stop()
})

async function start(env: Readonly<Record<string, string>> = {}): Promise<TestApp> {
  const started = await startApp({ ...provider.env, ...env })
  now = () => DATE + started.clock.now()
  return started
}

const ask = (url: string, token: string) =>
  fetch(`${url}/v1/session`, { headers: { authorization: `Bearer ${token}` } })

async function playerOf(url: string, token: string) {
  const response = await ask(url, token)
  const body = await response.json()
  if (!response.ok) throw new Error(JSON.stringify(body))
  return body.player
}

async function refusalOf(url: string, token: string) {
  const response = await ask(url, token)
  const { error } = httpError.parse(await response.json())
  return { status: response.status, ...error, retryAfter: response.headers.get('retry-after') }
}

describe('a token of the identity provider', () => {
  test('counts wherever a guest’s does: header, subprotocol and cookie', async () => {
    const { url } = await start()
    const token = await provider.token()
    const player = await playerOf(url, token)
    expect(player).toMatchObject({ name: 'Ann' })
    const byCookie = await fetch(`${url}/v1/session`, {
      headers: { cookie: `junqi_token=${token}` },
    })
    expect(await byCookie.json()).toEqual({ player })
    const client = await TestClient.dial(url, null, { protocols: ['junqi.v1', `bearer.${token}`] })
    client.send({ type: 'hello', id: 'hello', client: 'test' })
    expect(await client.reply('hello')).toMatchObject({ type: 'welcome', player })
  })

  test('is the same player at every node, after a restart, and under a new name', async () => {
    const one = await start()
    const two = await startApp(provider.env, undefined, one.store)
    const player = await playerOf(one.url, await provider.token())
    expect(await playerOf(two.url, await provider.token({ ends: 60 }))).toEqual(player)
    const renamed = await provider.token({ claims: { name: 'Annie' } })
    expect(await playerOf(two.url, renamed)).toEqual({ ...player, name: 'Annie' })
    expect((await one.store.findPlayer(player.id))?.name).toBe('Annie')
    const other = await playerOf(one.url, await provider.token({ claims: { sub: 'ann ' } }))
    expect(other.id).not.toBe(player.id)
  })

  test('F-R5: of another store is another player there: ids cannot be worked out outside', async () => {
    const [one, two] = [await start(), await start()]
    const token = await provider.token()
    expect((await playerOf(one.url, token)).id).not.toBe((await playerOf(two.url, token)).id)
  })

  test.each<[string, Wish, string]>([
    ['of another issuer', { claims: { iss: 'https://login.example' } }, 'is none'],
    ['for another audience', { claims: { aud: 'somebody-else' } }, 'is none'],
    ['for no audience', { claims: { aud: [] } }, 'is none'],
    ['without a subject', { claims: { sub: '' } }, 'is none'],
    ['whose subject is no text', { claims: { sub: 7 as never } }, 'is none'],
    ['that tells of a logout', { typ: 'logout+jwt' }, 'is none'],
    ['whose kind is no text', { typ: 5 }, 'is none'],
    ['that never ends', { ends: null }, 'is none'],
    ['that has ended', { ends: -31 }, 'has ended'],
    ['that does not count yet', { starts: 31 }, 'is none'],
  ])('F-R5: %s lets nobody in', async (_, wish, why) => {
    const { url, store } = await start()
    const token = await provider.token(wish)
    expect(await refusalOf(url, token)).toMatchObject({
      status: 401,
      code: 'unauthorized',
      message: expect.stringContaining(why),
    })
    expect((await refusedHandshake(TestClient.dial(url, token))).status).toBe(401)
    expect(await store.bots()).toEqual([])
  })

  test.each<[string, Wish]>([
    ['that ended within the leeway', { ends: -29 }],
    ['that begins within it', { starts: 29 }],
    ['that calls itself a JWT', { typ: 'JWT' }],
    ['that gives access', { typ: 'at+jwt' }],
    ['for several audiences, ours among them', { claims: { aud: ['x', AUDIENCE] } }],
  ])('%s is good', async (_, wish) => {
    const { url } = await start()
    expect(await playerOf(url, await provider.token(wish))).toMatchObject({ name: 'Ann' })
  })

  test('F-R5: that somebody else made is refused, whatever it says of itself', async () => {
    const { url } = await start()
    const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'ann' }
    const end = Math.floor(now() / 1000) + 300
    const stranger = await TestProvider.start(() => now())
    await stranger.addKey('two')
    const [head, body, signature] = (await provider.token()).split('.')
    const other = (await provider.token({ claims: { sub: 'bob' } })).split('.')[1]
    // With what everybody knows of the key as the secret, as if the algorithm were for shared secrets.
    const secret = new TextEncoder().encode(JSON.stringify(await provider.publicKey('one')))
    const forged = [
      await stranger.token(),
      await stranger.token({ kid: 'two' }),
      new UnsecuredJWT(claims).setExpirationTime(end).encode(),
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`,
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: 'one' })
        .setExpirationTime(end)
        .sign(secret),
      `${head}.${other}.${signature}`,
      `${head}.${body}.`,
      '..',
      'a.b.c',
    ]
    for (const token of forged) {
      expect(await refusalOf(url, token), token).toMatchObject({ code: 'unauthorized' })
    }
    expect(await playerOf(url, await provider.token())).toMatchObject({ name: 'Ann' })
    await stranger.stop()
  })

  test('where no provider is named, is nobody’s', async () => {
    const { url } = await startApp()
    expect(await refusalOf(url, await provider.token())).toMatchObject({ code: 'unauthorized' })
    expect(provider.asked).toBe(0)
  })

  test('that ends while its socket is open leaves that open, and opens no other', async () => {
    const { url, clock } = await start()
    const token = await provider.token({ ends: 60 })
    const client = await TestClient.hello(url, token)
    await clock.advance(95_000)
    client.send({ type: 'ping', id: 'still' })
    expect(await client.reply('still')).toMatchObject({ type: 'pong' })
    expect(JSON.parse((await refusedHandshake(TestClient.dial(url, token))).body)).toMatchObject({
      error: { code: 'unauthorized', message: expect.stringContaining('has ended') },
    })
  })

  test('stands in no log line', async () => {
    const { url, logs } = await start()
    const tokens = [await provider.token(), await provider.token({ ends: -60 })]
    for (const token of tokens) await ask(url, token)
    for (const token of tokens) {
      for (const part of token.split('.')) expect(logs.join('')).not.toContain(part)
    }
    expect(logs.join('')).toContain('ERR_JWT_EXPIRED')
  })
})

describe('the keys of the provider', () => {
  test('are asked for once, by however many who come at a time', async () => {
    const { url } = await start()
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, n) => provider.token({ claims: { sub: `player ${n}` } })),
    )
    await Promise.all(tokens.map((token) => playerOf(url, token)))
    expect(provider.asked).toBe(1)
  })

  test('that are new are asked for, but not by every token that names one', async () => {
    const { url, clock } = await start()
    await playerOf(url, await provider.token())
    await provider.addKey('two')
    const token = await provider.token({ kid: 'two' })
    await clock.advance(10_000)
    expect(await playerOf(url, token)).toMatchObject({ name: 'Ann' })
    expect(provider.asked).toBe(2)
    await provider.addKey('never published')
    const unknown = await provider.token({ kid: 'never published' })
    provider.dropKey('never published')
    for (let n = 0; n < 5; n++) {
      expect(await refusalOf(url, unknown)).toMatchObject({ code: 'unauthorized' })
    }
    expect(provider.asked).toBe(2)
  })

  test('F-U4: that cannot be used let nobody in, are told of once, and are no fault of the server', async () => {
    await provider.addKey('spoilt')
    provider.spoilKey('spoilt')
    const { url, logs } = await start()
    const token = await provider.token({ kid: 'spoilt' })
    for (let n = 0; n < 3; n++) {
      expect(await refusalOf(url, token)).toMatchObject({ status: 401, code: 'unauthorized' })
    }
    expect((await refusedHandshake(TestClient.dial(url, token))).status).toBe(401)
    const levels = logs.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40)
    expect(levels).toMatchObject([{ level: 40, cause: expect.any(String) }])
    expect(await playerOf(url, await provider.token())).toMatchObject({ name: 'Ann' })
  })

  test('that could not be looked for yet, since another was just now, may be tried again', async () => {
    const { url, clock } = await start()
    await playerOf(url, await provider.token())
    await clock.advance(10_000)
    await provider.addKey('never published')
    const unknown = await provider.token({ kid: 'never published' })
    provider.dropKey('never published')
    expect(await refusalOf(url, unknown)).toMatchObject({ code: 'unauthorized' })
    await provider.addKey('two')
    await clock.advance(3_000)
    const token = await provider.token({ kid: 'two' })
    expect(await refusalOf(url, token)).toMatchObject({
      status: 503,
      code: 'unavailable',
      retryAfter: '7',
    })
    await clock.advance(7_000)
    expect(await playerOf(url, token)).toMatchObject({ name: 'Ann' })
    expect(await refusalOf(url, unknown)).toMatchObject({ code: 'unauthorized' })
    expect(provider.asked).toBe(3)
  })

  test('that the provider withdraws are believed for ten minutes at most', async () => {
    const { url, clock } = await start()
    await provider.addKey('two')
    await playerOf(url, await provider.token({ kid: 'two' }))
    const token = await provider.token({ kid: 'two', ends: 3600 })
    provider.dropKey('two')
    await clock.advance(599_000)
    expect(await playerOf(url, token)).toMatchObject({ name: 'Ann' })
    await clock.advance(1_000)
    expect(await refusalOf(url, token)).toMatchObject({ code: 'unauthorized' })
  })

  test.each(['error', 'nonsense'] as const)(
    'that are known go on to count while it answers with %s; a new one is not accepted, and may be tried again',
    async (answers) => {
      const { url, clock } = await start()
      await playerOf(url, await provider.token())
      await provider.addKey('two')
      provider.answers = answers
      const [known, unknown] = [
        await provider.token({ ends: 3600 }),
        await provider.token({ kid: 'two', ends: 3600 }),
      ]
      await clock.advance(700_000)
      for (let n = 0; n < 5; n++) {
        expect(await playerOf(url, known)).toMatchObject({ name: 'Ann' })
        expect(await refusalOf(url, unknown)).toMatchObject({
          status: 503,
          code: 'unavailable',
          retryable: true,
          retryAfter: '10',
        })
      }
      expect(provider.asked).toBe(2)
      provider.answers = 'keys'
      await clock.advance(10_000)
      expect(await playerOf(url, unknown)).toMatchObject({ name: 'Ann' })
    },
  )

  test('that were never had let nobody in, and leave guests and the rest of the server alone', async () => {
    provider.answers = 'error'
    const { url, clock, logs } = await start()
    const token = await provider.token()
    for (let n = 0; n < 5; n++) {
      expect(await refusalOf(url, token)).toMatchObject({ status: 503, code: 'unavailable' })
    }
    expect((await refusedHandshake(TestClient.dial(url, token))).status).toBe(503)
    expect(provider.asked).toBe(1)
    expect(logs.filter((line) => line.includes('does not give its keys'))).toHaveLength(1)
    const guest = await makeGuest(url)
    expect(await playerOf(url, guest.token)).toMatchObject({ id: guest.id })
    provider.answers = 'keys'
    await clock.advance(10_000)
    expect(await playerOf(url, token)).toMatchObject({ name: 'Ann' })
  })
})

describe('a server without guests', () => {
  const KEY = 'sixteen-letters-at-least'

  test('makes none, and says so beforehand', async () => {
    const loginUrl = 'https://login.example/junqi'
    const { url } = await start({ JUNQI_GUESTS: 'false', JUNQI_JWT_LOGIN_URL: loginUrl })
    const meta = await (await fetch(`${url}/v1/meta`)).json()
    expect(meta.admission).toEqual({ guests: false, loginUrl })
    const refused = await fetch(`${url}/v1/guests`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ann' }),
    })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('set-cookie')).toBeNull()
    expect(httpError.parse(await refused.json()).error).toMatchObject({ code: 'no_guests' })
    expect(await playerOf(url, await provider.token())).toMatchObject({ name: 'Ann' })
  })

  test('takes those no more whom it made before, and bots as ever', async () => {
    const before = await start()
    const guest = await makeGuest(before.url)
    const env = { ...provider.env, JUNQI_GUESTS: 'false', JUNQI_BOT_KEY: KEY }
    const { url } = await startApp(env, undefined, before.store)
    expect(await refusalOf(url, guest.token)).toMatchObject({ status: 403, code: 'no_guests' })
    expect((await refusedHandshake(TestClient.dial(url, guest.token))).status).toBe(403)
    expect(await refusalOf(url, `${guest.id}.${'A'.repeat(43)}`)).toMatchObject({
      code: 'unauthorized',
    })
    const made = await fetch(`${url}/v1/guests`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
      body: JSON.stringify({ name: 'easy-1', bot: 'easy' }),
    })
    const bot = await made.json()
    expect(await playerOf(url, bot.token)).toMatchObject({ bot: 'easy' })
  })
})
