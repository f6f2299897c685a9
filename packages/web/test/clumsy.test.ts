import { expect, test } from 'vitest'
import { describeWithBrowser, type Visitor } from './support/browser.ts'
import { done, makeGuest, type PlainGuest, seatAll, startGame } from './support/guests.ts'
import { openHouse } from './support/house.ts'

/** What somebody may be called who wants to see what happens. */
const NAMES = ['<img src=x onerror=1>', 'W'.repeat(24), '赢'.repeat(24), '😀'.repeat(12)]

describeWithBrowser('who is clumsy, or means no good', () => {
  const house = openHouse()

  const gather = (...names: readonly string[]) =>
    Promise.all(names.map((name) => makeGuest(house.server.url, name)))

  /** The page of one of the guests. */
  async function pageOf(guest: PlainGuest | undefined, path: string): Promise<Visitor> {
    if (guest === undefined) throw new Error('nobody')
    return house.arrive({ guest }, path)
  }

  const laidOut = ({ page }: Visitor) =>
    page
      .locator('[data-place]')
      .evaluateAll((all) => all.map((place) => place.getAttribute('aria-label')))

  const shuffle = ({ page }: Visitor) => page.getByRole('button', { name: '随机' }).click()

  /** Two who deploy at a table, and the address of it. */
  async function deploying() {
    const two = await gather('小明', '小红')
    const room = await seatAll(two, { preset: 'duel' })
    await done(two[0]?.client.room(room).start() ?? Promise.reject(new Error('nobody')))
    return { two, path: `/#/t/${room}` }
  }

  test('is called and says what it likes: it is text, and fits into every window', async () => {
    const four = await gather(...NAMES)
    const table = await seatAll(four, { preset: 'siguo' })
    const [host] = four.map(({ client }) => client.room(table))
    if (host === undefined) throw new Error('nobody')
    await done(host.say('room', '<script>document.title = 1</script>'))
    await done(host.say('room', 'W'.repeat(200)))
    const visitor = await pageOf(four[1], `/#/t/${table}`)
    await visitor.find('talk').getByText('WWW').waitFor()
    await visitor.expectToFit('a table of long names')
    await visitor.page.goto(`${house.server.url}/#/player/${four[1]?.id}`)
    await visitor.find('player-page').waitFor()
    await visitor.expectToFit('the page of a long name')
    await visitor.page.goto(`${house.server.url}/#/`)
    await visitor.find('your-tables').getByText('<img').waitFor()
    await visitor.expectToFit('a lobby with long names')
    await visitor.find('language').click()
    await visitor.expectToFit('a lobby with long names, in English')
    await visitor.find('language').click()
    const game = await startGame(four, { preset: 'siguo' })
    await visitor.page.goto(`${house.server.url}/#/t/${game}`)
    await visitor.find('play').waitFor()
    await visitor.expectToFit('a game of long names')
    expect(await visitor.page.title()).toMatch(/军棋$/)
  })

  test('opens a great many tables: the lobby shows some, and the others when they are asked for', async () => {
    for (const { client } of await gather('甲', '乙')) {
      for (let n = 0; n < 7; n++) {
        await done(client.createRoom({ preset: 'duel', options: {}, private: false }))
      }
    }
    const visitor = await pageOf((await gather('路人'))[0], '/')
    const lines = visitor.find('open-tables').locator('li')
    await expect.poll(() => lines.count()).toBe(12)
    await visitor.find('open-tables').getByRole('button', { name: '更多' }).click()
    await expect.poll(() => lines.count()).toBeGreaterThan(13)
  })

  test('clicks everything twice: it happens once', async () => {
    const visitor = await house.arrive()
    const { page } = visitor
    const sockets: string[] = []
    page.on('websocket', (socket) => sockets.push(socket.url()))
    await page.fill('#name', '双击')
    await page.dblclick('form button[type="submit"]')
    await visitor.find('new-table').locator('button[type="submit"]').dblclick()
    await visitor.find('sit-south').dblclick()
    await visitor.find('ready').dblclick()
    await page.getByRole('button', { name: '取消准备' }).waitFor()
    await page.goto(`${house.server.url}/#/`)
    await visitor.find('your-tables').getByRole('link').first().waitFor()
    expect(await visitor.find('your-tables').getByRole('link').count()).toBe(1)
    expect(await page.locator('.notices button').count()).toBe(0)
    expect(sockets).toHaveLength(1)
  })

  test('has the same seat open in two tabs: both go in step', async () => {
    const { two, path } = await deploying()
    const one = await pageOf(two[0], path)
    const other = await pageOf(two[0], path)
    for (const each of [one, other]) await each.page.waitForSelector('.territory-grid')
    const before = await laidOut(other)
    await shuffle(one)
    await expect.poll(() => laidOut(other)).not.toEqual(before)
    expect(await laidOut(one)).toEqual(await laidOut(other))
    await one.find('submit').click()
    await other.find('not-ready').click()
    await one.find('submit').waitFor()
  })

  test('lays out an army without a network: it is kept when there is one again', async () => {
    const { two, path } = await deploying()
    const visitor = await pageOf(two[0], path)
    await visitor.page.waitForSelector('.territory-grid')
    await visitor.context.setOffline(true)
    await visitor.find('banner').waitFor()
    await shuffle(visitor)
    const own = await laidOut(visitor)
    await visitor.context.setOffline(false)
    await visitor.find('banner').waitFor({ state: 'detached' })
    await visitor.find('submit').click()
    await visitor.find('not-ready').waitFor()
    expect(await laidOut(visitor)).toEqual(own)
    await visitor.page.reload()
    await visitor.find('not-ready').waitFor()
    expect(await laidOut(visitor)).toEqual(own)
  })

  test('goes back while deploying, at once after a change: nothing of it is lost', async () => {
    const { two, path } = await deploying()
    const visitor = await pageOf(two[0], '/')
    await visitor.find('your-tables').getByRole('link').click()
    await visitor.page.waitForSelector('.territory-grid')
    expect(visitor.page.url()).toContain(path)
    await shuffle(visitor)
    const own = await laidOut(visitor)
    await visitor.page.goBack()
    await visitor.find('your-tables').getByText('布阵').waitFor()
    await visitor.page.goForward()
    await visitor.page.waitForSelector('.territory-grid')
    expect(await laidOut(visitor)).toEqual(own)
  })

  test('holds a piece down for long with the mouse: that is a click as well', async () => {
    const two = await gather('小明', '小红')
    const room = await startGame(two, { preset: 'flip', options: { firstSeat: 'south' } })
    const visitor = await pageOf(two[0], `/#/t/${room}`)
    await visitor.page.waitForSelector('.turn.mine')
    await visitor.page.clock.install()
    await visitor.page.hover('[data-space="a1"]')
    await visitor.page.mouse.down()
    await visitor.page.clock.runFor(2000)
    await visitor.page.mouse.up()
    await visitor.page.waitForSelector('.turn:not(.mine)')
    expect(await visitor.page.locator('.piece.down').count()).toBe(49)
  })
})
