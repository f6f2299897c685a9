import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServerProcess, startServer } from '../../../test/support/server-process.ts'
import { TestProvider } from '../../server/test/support/identity-provider.ts'
import { describeWithBrowser } from './support/browser.ts'
import { openDoor } from './support/house.ts'

describeWithBrowser('the page of a server without guests', () => {
  const loginUrl = 'https://login.example/junqi'
  let provider: TestProvider
  let server: ServerProcess
  beforeAll(async () => {
    provider = await TestProvider.start(Date.now)
    const env = { ...provider.env, JUNQI_GUESTS: 'false', JUNQI_JWT_LOGIN_URL: loginUrl }
    server = await startServer(env)
  })
  afterAll(async () => {
    await server.stop()
    await provider.stop()
  })
  const arrive = openDoor(() => server.url)

  test('asks strangers for no name, but leads them to where they sign in; who has is at home', async () => {
    const { page, context } = await arrive()
    const signIn = page.locator('[data-test="sign-in"]')
    await signIn.waitFor()
    expect(await signIn.locator('a').getAttribute('href')).toBe(loginUrl)
    expect(await page.locator('#name').count()).toBe(0)
    const value = await provider.token({ claims: { name: '李雷' } })
    await context.addCookies([
      { name: 'junqi_token', value, url: server.url, httpOnly: true, sameSite: 'Strict' },
    ])
    await page.reload()
    await page.waitForSelector('.home')
    expect(await page.locator('a.me').textContent()).toBe('李雷')
  })
})
