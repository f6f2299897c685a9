import { expect, test } from 'vitest'
import { describeWithBrowser, type Visit, type Visitor } from './support/browser.ts'
import { done, makeGuest } from './support/guests.ts'
import { openHouse } from './support/house.ts'

describeWithBrowser('quick play', () => {
  const house = openHouse()

  async function arriveAs(name: string, wish: Partial<Visit> = {}): Promise<Visitor> {
    const visitor = await house.arrive({ width: 360, height: 740, ...wish })
    await visitor.nameItself(name)
    return visitor
  }

  async function joinWithPeople(visitor: Visitor, preset: string): Promise<void> {
    await visitor.find('quick-preset').selectOption(preset)
    await visitor.find('quick-bots').selectOption('null')
    await visitor.find('quick-join').click()
    await visitor.find('waiting').waitFor()
  }

  test('a pair comes together by a link, waits as one, and sits opposite each other', async () => {
    const one = await arriveAs('小明')
    await one.find('quick-pair').check()
    await joinWithPeople(one, 'siguo')
    await one.expectGoodScreen('the lobby while a partner is waited for')
    const code = (await one.find('pair-code').textContent()) ?? ''
    const other = await house.arrive({ locale: 'en-US' }, `/#/pair/${code}`)
    await other.page.fill('#name', 'Ann')
    await other.page.keyboard.press('Enter')
    await other.find('join-pair').waitFor()
    await other.expectGoodScreen('the invitation to a pair')
    await other.find('join-pair').click()
    await one.find('waiting').getByText('和Ann一起').waitFor()
    await other.find('waiting').getByText('together with 小明').waitFor()
    for (const name of ['东', '西']) {
      const { client } = await makeGuest(house.server.url, name)
      await done(client.quickPlay.join({ preset: 'siguo', bots: 'never' }))
    }
    await one.page.waitForSelector('.territory-grid')
    await other.page.waitForSelector('.territory-grid')
    await one.find('channel-alliance').waitFor()
    const seated = await one.page.locator('.others').textContent()
    const opposite = { south: '北家', north: '南家', east: '西家', west: '东家' } as const
    const own = await one.page.locator('.territory-grid').getAttribute('class')
    const seat = (['south', 'north', 'east', 'west'] as const).find((each) => own?.includes(each))
    expect(seated).toContain(`${opposite[seat ?? 'south']} Ann`)
  })

  test('the wait goes on when the page is loaded anew, and ends at the table wherever one looks', async () => {
    const visitor = await arriveAs('小明')
    await joinWithPeople(visitor, 'flip')
    await visitor.page.reload()
    await visitor.find('waiting').getByRole('timer').waitFor()
    await visitor.page.getByRole('link', { name: '排行榜' }).click()
    await visitor.find('leaderboard').waitFor()
    await visitor.expectGoodScreen('a leaderboard looked at while waiting')
    const { client } = await makeGuest(house.server.url, '小红')
    await done(client.quickPlay.join({ preset: 'flip', bots: 'never' }))
    await visitor.find('play').waitFor()
    expect(await visitor.find('waiting').count()).toBe(0)
  })

  test('who waits no longer is in the lobby as before; a code that is nobody’s is told so', async () => {
    const visitor = await arriveAs('小明')
    await joinWithPeople(visitor, 'duel')
    expect(await visitor.find('quick-play').count()).toBe(0)
    await visitor.find('waiting').getByRole('button', { name: '不等了' }).click()
    await visitor.find('quick-play').waitFor()
    await visitor.page.fill('#pair-code', 'K7W2-M9QX')
    await visitor.page.keyboard.press('Enter')
    await visitor.page.getByText('没有这个邀请，或者它已经过期。').waitFor()
    await visitor.find('quick-preset').selectOption('duel')
    expect(await visitor.find('quick-pair').isDisabled()).toBe(true)
  })
})
