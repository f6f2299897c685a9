import type { WebSocketRoute } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeWithBrowser, type Visitor } from './support/browser.ts'
import { done, makeGuest, type PlainGuest, seatAll, startGame } from './support/guests.ts'
import { openHouse } from './support/house.ts'

const ADMIN_TOKEN = 'sixteen-letters-at-least'

describeWithBrowser('who sits before the page', () => {
  const house = openHouse({ JUNQI_ADMIN_TOKEN: ADMIN_TOKEN })

  /** The page of the first of two in a game, whose connections can be cut. */
  async function playing() {
    const { url } = house.server
    const [one, two] = await Promise.all([makeGuest(url, '小明'), makeGuest(url, '小红')])
    const room = await startGame([one, two], { preset: 'flip' })
    const visitor = await house.arrive({ guest: one })
    const cut = await openCuttable(visitor)
    await visitor.page.goto(`${url}/#/t/${room}`)
    await visitor.find('play').waitFor()
    return { visitor, one, two, cut }
  }

  async function openCuttable({ page }: Visitor): Promise<() => Promise<void>> {
    let socket: WebSocketRoute | null = null
    await page.routeWebSocket('**', (route) => {
      route.connectToServer()
      socket = route
    })
    await page.reload()
    await page.waitForSelector('.home')
    return async () => socket?.close({ code: 1001 })
  }

  async function shutOut({ id }: PlainGuest, reason: string): Promise<void> {
    const answer = await fetch(`${house.server.adminUrl}/admin/bans/${id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ reason, seconds: 3 * 86_400 }),
    })
    expect(answer.status).toBe(200)
  }

  test('comes by a link to no table: that is said at once', async () => {
    const guest = await makeGuest(house.server.url, '小明')
    const visitor = await house.arrive({ guest })
    for (const code of ['zzz', 'ilou0000', '%00']) {
      await visitor.page.goto(`${house.server.url}/#/t/${code}`)
      await visitor.find('lost').getByText(visitor.words.errors.room_not_found).waitFor()
      await visitor.page.goto(`${house.server.url}/#/`)
      await visitor.page.waitForSelector('.home')
    }
  })

  test('sits at the table of another: is told what the host does to it', async () => {
    const { url } = house.server
    const [host, guest] = await Promise.all([makeGuest(url, '小明'), makeGuest(url, '小红')])
    const room = await seatAll([host, guest], { preset: 'duel' })
    const visitor = await house.arrive({ guest }, `/#/t/${room}`)
    await visitor.find('ready').waitFor()
    const handle = host.client.room(room)
    await done(handle.setRules('duel', { turnSeconds: 20 }))
    await visitor.page.getByText(visitor.words.table.news.rulesChanged).waitFor()
    await done(handle.removePlayer(guest.id))
    await visitor.page.getByText(visitor.words.table.news.removed).waitFor()
    await visitor.sit('north')
    await done(handle.leave())
    await visitor.page.getByText(visitor.words.table.news.becameHost).waitFor()
  })

  test('is shut out in mid-game: is told so, for how long and why', async () => {
    const { visitor, one } = await playing()
    await shutOut(one, '刷屏')
    await visitor
      .find('shut-out')
      .getByText('你已被本站禁止登录。 还有 3 天。 原因：刷屏')
      .waitFor()
    expect(await visitor.find('banner').count()).toBe(0)
  })

  test('is known no longer in mid-game: is told whom it stops being', async () => {
    const { visitor, cut } = await playing()
    await visitor.context.clearCookies()
    await cut()
    await visitor.find('forgotten').getByText('不再认得你是小明').waitFor()
    await visitor.expectGoodScreen('the welcome of who was forgotten')
  })

  test('is another player all at once: is told who', async () => {
    const { visitor, two, cut } = await playing()
    await visitor.context.addCookies([
      { name: 'junqi_token', value: two.token, url: house.server.url },
    ])
    await cut()
    await visitor.page.getByText('你现在是小红，不再是小明').waitFor()
    expect(await visitor.page.locator('a.me').textContent()).toBe('小红')
  })
})
