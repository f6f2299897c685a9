import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Served, serve } from '../../cli/test/serve-process.ts'
import { describeWithBrowser } from './support/browser.ts'
import { openDoor } from './support/house.ts'

describeWithBrowser('who runs `npm start` and opens the address that it prints', () => {
  let served: Served
  beforeAll(async () => {
    served = await serve({ JUNQI_ADMIN_PORT: '0' })
    await served.junqi.says(/12 online/)
  })
  afterAll(() => served.stop())
  const arrive = openDoor(() => served.url)

  test('is in a running game against bots within three clicks', async () => {
    const { page } = await arrive()
    await page.fill('#name', '新来的')
    const clicks = [
      'form button[type="submit"]',
      '[data-test="bots-siguo"]',
      '[data-test="submit"]',
    ]
    for (const click of clicks) await page.click(click)
    await page.waitForSelector('.turn.mine')
    await page.getByText('不计分：有电脑参加').waitFor()
  })

  test.each([
    ['zh-CN', '和棋'],
    ['en-US', 'A draw'],
  ] as const)('plays a duel against a bot to its end (%s)', async (locale, headline) => {
    const visitor = await arrive({ locale })
    // Whatever it calls itself, a person is not taken for a bot.
    await visitor.nameItself(visitor.words.table.botLevels.easy)
    await visitor.openTable('duel', { firstSeat: 'south', maxMoves: '20' })
    await visitor.find('bot-north').selectOption('easy')
    await visitor.sit('south')
    await visitor.page.locator('[data-seat="north"] .tag.bot').waitFor()
    expect(await visitor.page.locator('[data-seat="south"] .tag.bot').count()).toBe(0)
    // R-SCORE-5: whatever the preset says of scores.
    const { friendly } = visitor.words.rules
    const scoring = visitor.page.locator('[data-rule="scoring"] dd')
    expect(await scoring.textContent()).toBe(friendly.rules)
    await visitor.find('start').click()
    await visitor.find('submit').click()
    await visitor.find('play').waitFor()
    expect(await visitor.find('limits').textContent()).toContain(friendly.rules)
    await visitor.expectWordsOnPieces()
    for (let move = 0; move < 20; move += 2) await visitor.moveAnything()
    await visitor.find('result').waitFor()
    expect(await visitor.find('result').locator('h1').textContent()).toBe(headline)
    await visitor.find('result').getByText(visitor.words.after.friendly(friendly.rules)).waitFor()
  })

  test('needs no mouse from the name to a move', async () => {
    const visitor = await arrive()
    const { keyboard } = visitor.page
    await visitor.tabTo('#name')
    await keyboard.type('键盘')
    await keyboard.press('Enter')
    await visitor.page.waitForSelector('.home')
    await visitor.tabTo('[data-test="bots-duel"]')
    await keyboard.press('Enter')
    await visitor.page.waitForSelector('.arrival:focus .territory-grid')
    expect(await visitor.page.locator('[data-place][tabindex="0"]').count()).toBe(1)
    // Two pieces of the front row change places.
    const front = () =>
      visitor.page
        .locator('[data-place^="1,"]')
        .evaluateAll((all) => all.map((place) => place.textContent))
    const [one, two, ...others] = await front()
    await visitor.tabTo('[data-place="1,1"]')
    for (const key of ['Enter', 'ArrowRight', 'Enter']) await keyboard.press(key)
    expect(await front()).toEqual([two, one, ...others])
    await visitor.tabTo('[data-test="submit"]')
    await keyboard.press('Enter')
    await visitor.page.waitForSelector('.arrival:focus .turn.mine')
    // What asks takes the focus; Escape answers it and gives the focus back.
    await visitor.page.getByRole('button', { name: '退出对局' }).press('Enter')
    await visitor.page.locator('[role="alertdialog"] :focus').waitFor()
    await keyboard.press('Escape')
    await visitor.page.getByRole('alertdialog').waitFor({ state: 'hidden' })
    expect(await visitor.page.locator(':focus').textContent()).toBe('退出对局')
    await visitor.tabTo('[data-space]')
    const [from = ''] = await visitor.movable()
    await visitor.walkTo(from)
    await keyboard.press('Enter')
    const [to = ''] = await visitor.targets()
    await visitor.walkTo(to)
    await keyboard.press('Enter')
    // The bot may have answered already.
    await visitor.tabTo('.log summary')
    await keyboard.press('Enter')
    await visitor.page.locator('.log li', { hasText: `${from} → ${to}` }).waitFor()
  })
})
