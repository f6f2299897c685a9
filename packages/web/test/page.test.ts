import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { describeWithBrowser } from './support/browser.ts'
import { makeGuest, startGame } from './support/guests.ts'
import { openHouse } from './support/house.ts'

const SAMPLE = fileURLToPath(new URL('../../engine/test/data/samples/game-6.jgs', import.meta.url))

describeWithBrowser('the page in a browser', () => {
  const house = openHouse()
  const { arrive } = house

  /** Two people who sit at a table of two and have deployed. */
  async function startDuel(options: Readonly<Record<string, string>> = {}) {
    const south = await arrive()
    await south.nameItself('小明')
    const link = await south.openTable('duel', { firstSeat: 'south', ...options })
    await south.sit('south')
    const north = await arrive({ locale: 'en-US', width: 360, height: 740 })
    await north.page.goto(link)
    await north.nameItself('Ann')
    await north.sit('north')
    await south.find('start').click()
    return { south, north, link }
  }

  /** Two people in a running game, who came to it without the page. */
  async function startPlay() {
    const guests = await Promise.all([
      makeGuest(house.server.url, '小明'),
      makeGuest(house.server.url, 'Ann'),
    ])
    const room = await startGame(guests, { preset: 'duel', options: { firstSeat: 'south' } })
    const [south, north] = await Promise.all([
      arrive({ guest: guests[0] }, `/#/t/${room}`),
      arrive({ guest: guests[1], locale: 'en-US', width: 360, height: 740 }, `/#/t/${room}`),
    ])
    await Promise.all([south, north].map((each) => each.find('play').waitFor()))
    return { south, north }
  }

  test('two people play a duel from their names to the result, on screens that are good to everyone', async () => {
    const stranger = await arrive({ width: 360, height: 640 })
    await stranger.page.waitForSelector('#name')
    await stranger.expectGoodScreen('the name form')
    await stranger.nameItself('陌生人')
    await stranger.find('new-table').locator('summary').click()
    await stranger.expectGoodScreen('the lobby on a phone')
    await stranger.page.locator('#option-flyingBomb').selectOption('true')
    await stranger.find('new-table').getByText('改了 1 项 · 不计分：规则有改动').waitFor()
    const { south, north } = await startDuel({ resignFromMove: '2' })
    const both = [south, north]
    for (const each of both) {
      await each.page.waitForSelector('.territory-grid')
      await each.expectGoodScreen('deployment')
      const heading = await each.page.locator('.deploy-screen h1').boundingBox()
      expect(heading?.height, 'the heading has one line').toBeLessThan(40)
    }
    for (const each of both) await each.find('submit').click()
    for (const each of both) {
      await each.find('play').waitFor()
      await each.expectGoodScreen('the game')
    }
    expect(await south.find('turn').textContent()).toContain('轮到你走')
    expect(await south.page.title()).toBe('轮到你走 · 军棋')
    expect(await north.find('turn').textContent()).toContain('South 小明 to move')
    expect(await north.page.title()).toBe(north.words.title)
    await south.moveAnything()
    await north.moveAnything()
    await south.page.getByRole('button', { name: '投降' }).click()
    await south.expectGoodScreen('the question whether to resign')
    await south.page.getByRole('alertdialog').getByRole('button', { name: '投降' }).click()
    await south.find('result').waitFor()
    expect(await south.find('result').textContent()).toContain('你输了')
    expect(await north.find('result').textContent()).toContain('You won!')
    expect(await north.page.title()).toBe(`You won! · ${north.words.title}`)
    for (const each of both) await each.find('seal-kept').waitFor()
    await south.expectGoodScreen('the result')
    await north.find('replay').click()
    await north.find('replay-viewer').waitFor()
    await north.find('seal-kept').waitFor()
    await north.find('last').click()
    expect(await north.page.locator('.turn').textContent()).toBe('Action 3 of 3')
    await north.expectGoodScreen('the replay')
    await north.page.goto(`${house.server.url}/#/`)
    await north.find('open-tables').waitFor()
    expect(await north.page.getByText(north.words.lobby.yourTables).count()).toBe(0)
    await south.find('rematch').click()
    await south.find('seats').waitFor()
  })

  test('a refused place is explained, by tap and by drag, and a good one is kept', async () => {
    const { south } = await startDuel()
    await south.page.waitForSelector('.territory-grid')
    const place = (name: string) => south.page.locator(`[data-place="${name}"]`)
    const kindOn = async (name: string) => (await place(name).getAttribute('aria-label')) ?? ''
    const all = await south.page.locator('[data-place]').all()
    const labels = await Promise.all(all.map((each) => each.getAttribute('aria-label')))
    const flag =
      (await all[labels.findIndex((label) => label?.includes('军旗'))]?.getAttribute(
        'data-place',
      )) ?? ''
    await place(flag).click()
    await place('3,1').click()
    await south.page.getByText('军旗必须放在大本营里。').waitFor()
    expect(await kindOn(flag)).toContain('军旗')
    await south.page.locator('.notices button').click()
    await place(flag).dragTo(place('3,1'))
    await south.page.getByText('军旗必须放在大本营里。').waitFor()
    const before = await kindOn('3,1')
    const other = await kindOn('3,2')
    await place('3,1').dragTo(place('3,2'))
    expect((await kindOn('3,1')).split(' · ')[0]).toBe(other.split(' · ')[0])
    expect((await kindOn('3,2')).split(' · ')[0]).toBe(before.split(' · ')[0])
    const formation = await Promise.all(all.map((each) => each.getAttribute('aria-label')))
    await south.find('submit').click()
    await south.find('not-ready').waitFor()
    await south.page.reload()
    await south.page.waitForSelector('.territory-grid')
    const again = await south.page.locator('[data-place]').all()
    expect(await Promise.all(again.map((each) => each.getAttribute('aria-label')))).toEqual(
      formation,
    )
  })

  test('a page holds of the enemy only where it stands, and after a reload all it held, private marks too', async () => {
    const { south, north } = await startPlay()
    const enemies = (await south.spaces()).filter((label) => label.includes('北家'))
    expect(enemies).toHaveLength(25)
    expect(enemies.every((label) => label.endsWith('北家暗子'))).toBe(true)
    await south.moveAnything()
    await north.moveAnything()
    await south.tap('b12')
    await south.expectGoodScreen('the marks for a piece')
    await south.page.keyboard.press('Escape')
    await south.page.locator('[data-space="b12"]:focus').waitFor()
    await south.page.keyboard.press('m')
    await south.find('marks').getByRole('button', { name: '军旗' }).click()
    const seen = () => south.spaces()
    const before = await seen()
    expect(before.filter((label) => label.includes('你猜是'))).toEqual([
      'b12 大本营, 北家暗子, 你猜是军旗',
    ])
    const line = await south.find('last-line').textContent()
    await south.page.reload()
    await south.find('play').waitFor()
    expect(await seen()).toEqual(before)
    expect(await south.find('last-line').textContent()).toBe(line)
    await south.moveAnything()
  })

  test('what the policy of the page forbids is not done, and these tests hear of it', async () => {
    const { page, problems } = await arrive()
    await page.waitForSelector('#name')
    const isRun = await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'document.title = "planted"'
      document.head.append(script)
      return document.title === 'planted'
    })
    expect(isRun).toBe(false)
    expect(problems.splice(0)).toEqual([expect.stringContaining('Content Security Policy')])
  })

  test('the language is the browser’s, and can be switched at any time', async () => {
    const visitor = await arrive({ locale: 'en-US' })
    await visitor.page.getByText('What shall we call you?').waitFor()
    await visitor.find('language').click()
    await visitor.page.getByText('怎么称呼你？').waitFor()
    await visitor.page.reload()
    await visitor.page.getByText('怎么称呼你？').waitFor()
    expect(await visitor.page.evaluate(() => document.documentElement.lang)).toBe('zh-CN')
  })

  test('an address that leads nowhere becomes the lobby’s, and what was said on one screen is not said on the next', async () => {
    const visitor = await arrive({}, '/#/nowhere')
    await visitor.nameItself('小明')
    expect(new URL(visitor.page.url()).hash).toBe('#/')
    await visitor.openTable('duel')
    await visitor.page.locator('.invite button').click()
    const notice = visitor.page.locator('.notices button')
    await notice.waitFor()
    // What comes just as the screen changes is still read on the next.
    await visitor.page.waitForTimeout(600)
    await visitor.page.goBack()
    await visitor.page.waitForSelector('.home')
    expect(await notice.count()).toBe(0)
  })

  test('a private table is entered by its link alone, and who looks on sees no kinds', async () => {
    const host = await arrive()
    await host.nameItself('桌主')
    await host.find('new-table').getByRole('checkbox').last().check()
    const link = await host.openTable('duel', { firstSeat: 'south' })
    await host.sit('south')
    const lost = await arrive()
    await lost.nameItself('路人')
    await lost.page.goto(link.split('/').slice(0, -1).join('/'))
    await lost.page.getByText('这张桌子打不开。').waitFor()
    await lost.expectGoodScreen('a table that cannot be opened')
    const guest = await arrive()
    await guest.page.goto(link)
    await guest.nameItself('朋友')
    await guest.sit('north')
    const watcher = await arrive({ locale: 'en-US' })
    await watcher.page.goto(link)
    await watcher.nameItself('Watcher')
    await host.find('start').click()
    for (const each of [host, guest]) await each.find('submit').click()
    await watcher.find('play').waitFor()
    // R-CHAT-1.
    await watcher.find('apart').getByText(watcher.words.talk.apart).waitFor()
    const labels = await watcher.page
      .locator('[data-space]')
      .evaluateAll((all) => all.flatMap((space) => space.getAttribute('aria-label') ?? []))
    expect(labels.filter((label) => label.includes('hidden piece'))).toHaveLength(50)
    expect(await watcher.page.locator('.piece.face').count()).toBe(0)
  })

  test('players talk in words and in phrases, each of whom reads those in their own language', async () => {
    const { south, north } = await startPlay()
    await south.find('say').fill('你好 <b>Ann</b>')
    await south.page.keyboard.press('Enter')
    await north.find('talk').getByText('你好 <b>Ann</b>').waitFor()
    await north.find('phrases').click()
    await north.find('phrase-wellPlayed').click()
    await south.find('talk').locator('li', { hasText: '好棋！' }).waitFor()
    await north.find('talk').locator('li', { hasText: 'Well played!' }).waitFor()
    await south.expectGoodScreen('a game with talk')
  })

  test('a flip game begins without deployment, and pieces are turned up', async () => {
    const south = await arrive()
    await south.nameItself('小明')
    const link = await south.openTable('flip', { firstSeat: 'south' })
    await south.sit('south')
    const north = await arrive({ locale: 'en-US' })
    await north.page.goto(link)
    await north.nameItself('Ann')
    await north.sit('north')
    await south.find('start').click()
    await south.page.waitForSelector('.turn.mine')
    expect(await south.page.locator('.piece.down').count()).toBe(50)
    await south.expectGoodScreen('a flip game')
    await south.tap('a1')
    await north.page.waitForSelector('.turn.mine')
    expect(await north.page.locator('.piece.down').count()).toBe(49)
    await north.page.locator('.log summary').click()
    await north.page.locator('.log li', { hasText: /^South turns up a1: / }).waitFor()
  })

  test('a record file is opened without any upload, stepped through, and seen as a seat saw it', async () => {
    const visitor = await arrive()
    const requests: string[] = []
    await visitor.page.waitForSelector('#name')
    visitor.page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`))
    const broken = { name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{"a":') }
    await visitor.find('record-file').setInputFiles(broken)
    await visitor.page.getByRole('alert').getByText('这个文件读不了').waitFor()
    await visitor.find('record-file').setInputFiles(SAMPLE)
    await visitor.find('replay-viewer').waitFor()
    await visitor.find('seal-unsealed').waitFor()
    expect(await visitor.page.locator('.piece.face').count()).toBe(100)
    await visitor.find('viewer').selectOption('east')
    expect(await visitor.page.locator('.piece.face').count()).toBe(25)
    await visitor.find('next').click()
    expect(await visitor.page.locator('.turn').textContent()).toMatch(/^第 1 /)
    // From anywhere, on the board after a click too.
    await visitor.page.click('[data-space="a8"]')
    await visitor.page.keyboard.press('ArrowRight')
    expect(await visitor.page.locator('.turn').textContent()).toMatch(/^第 2 /)
    await visitor.page.keyboard.press('End')
    await visitor.find('ending').getByText('获胜').waitFor()
    await visitor.expectGoodScreen('the replay of a file')
    expect(requests.filter((request) => !/^(?:GET|HEAD) .*\/assets\//.test(request))).toEqual([])
  })

  test('how to play stands on one page, in both languages, for who has no name yet', async () => {
    const visitor = await arrive({ width: 360, height: 740 })
    await visitor.page.locator('.welcome .help-link').click()
    await visitor.find('help').getByText('司令 FM').waitFor()
    await visitor.expectGoodScreen('how to play')
    await visitor.find('language').click()
    await visitor.find('help').getByText('Field Marshal', { exact: true }).waitFor()
    await visitor.expectToFit('how to play, in English')
    await visitor.page.getByRole('link', { name: 'All the rules' }).click()
    await visitor.page.getByRole('heading', { name: 'The rules of Junqi' }).waitFor()
  })

  test('a restart of the server shows a banner, and then the game goes on', async () => {
    const { south, north } = await startPlay()
    await house.server.kill('SIGKILL')
    await south.find('banner').waitFor()
    await south.expectGoodScreen('a game without a server')
    house.server.spawn()
    await house.server.ready()
    await south.find('banner').waitFor({ state: 'detached' })
    await south.moveAnything()
    await north.moveAnything()
  })
})
