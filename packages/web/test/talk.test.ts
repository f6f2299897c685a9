import { expect, test } from 'vitest'
import { describeWithBrowser, type Visitor } from './support/browser.ts'
import { done, makeGuest, type PlainGuest, seatAll, startGame } from './support/guests.ts'
import { openHouse } from './support/house.ts'

describeWithBrowser('talk at a table', () => {
  const house = openHouse()

  const gather = (...names: readonly string[]) =>
    Promise.all(names.map((name) => makeGuest(house.server.url, name)))

  /** The page of one of the guests, at this table. */
  async function at(room: string, guest: PlainGuest | undefined): Promise<Visitor> {
    if (guest === undefined) throw new Error('nobody')
    const visitor = await house.arrive({ guest, width: 360, height: 740 }, `/#/t/${room}`)
    await visitor.find('talk').waitFor()
    return visitor
  }

  const line = (visitor: Visitor, text: string) =>
    visitor.find('talk').locator('ol li', { hasText: text })

  test('who is muted is heard no more, until it is to be heard again', async () => {
    const guests = await gather('小明', '小红')
    const room = await seatAll(guests, { preset: 'duel' })
    const own = await at(room, guests[0])
    const others = guests[1]?.client.room(room)
    if (others === undefined) throw new Error('nobody else')
    await done(others.say('room', '吵吵吵'))
    await line(own, '吵吵吵').getByRole('button').press('Enter')
    await own.find('talker-menu').getByRole('button', { name: '不听他说' }).press('Enter')
    await line(own, '吵吵吵').waitFor({ state: 'detached' })
    await done(others.say('room', '还在吵'))
    await own.find('muted').waitFor()
    await own.expectGoodScreen('a table with somebody muted')
    await own.page.reload()
    await own.find('muted').getByRole('button', { name: '再听小红说' }).click()
    await own.find('muted').waitFor({ state: 'detached' })
    await done(others.say('room', '对不起'))
    await line(own, '对不起').waitFor()
  })

  test('whom the host silences is told so, until the host lets it talk again', async () => {
    const guests = await gather('小明', '小红')
    const room = await seatAll(guests, { preset: 'duel' })
    const host = await at(room, guests[0])
    const other = await at(room, guests[1])
    const say = async (text: string) => {
      await other.find('say').fill(text)
      await other.page.keyboard.press('Enter')
    }
    await say('第一句')
    const menuOf = async (visitor: Visitor) => {
      await line(visitor, '第一句').getByRole('button').click()
      return visitor.find('talker-menu')
    }
    const offered = async (name: string) =>
      (await menuOf(host)).getByRole('button', { name, exact: true })
    await (await offered('禁言')).click()
    await (await offered('解除禁言')).waitFor()
    await (await offered('禁言')).waitFor({ state: 'detached' })
    await say('第二句')
    await other.page.getByText('桌主让你先别说话。').waitFor()
    // A page that was loaded anew does not know it, and offers both.
    await host.page.reload()
    await (await offered('禁言')).waitFor()
    await (await offered('解除禁言')).click()
    await (await offered('解除禁言')).waitFor({ state: 'detached' })
    await say('第三句')
    await line(host, '第三句').waitFor()
    const menu = await menuOf(other)
    expect(await menu.getByRole('button', { name: '禁言' }).count()).toBe(0)
  })

  test('allies talk by themselves, and say what only they say with one digit', async () => {
    const guests = await gather('小明', '东', '小红', '西')
    const room = await startGame(guests, { preset: 'siguo' })
    const [own, ally, opponent] = await Promise.all([0, 2, 1].map((i) => at(room, guests[i])))
    if (own === undefined || ally === undefined || opponent === undefined) throw new Error('no')
    await own.find('channel-alliance').click()
    await own.find('phrases').press('Enter')
    await own.page.keyboard.press('1')
    await ally.find('channel-alliance').click()
    await line(ally, '打上家。').waitFor()
    expect(await own.find('phrases').evaluate((it) => it === document.activeElement)).toBe(true)
    await own.find('channel-table').click()
    await own.find('phrases').press('Enter')
    await own.expectGoodScreen('quick phrases on a phone')
    await own.page.keyboard.press('2')
    await line(opponent, '祝各位好运！').waitFor()
    await opponent.find('channel-alliance').click()
    expect(await line(opponent, '打上家。').count()).toBe(0)
  })

  test('who looks on is counted, and talks with others who do', async () => {
    const guests = await gather('小明', '小红', '路人', '过客')
    const room = await startGame(guests.slice(0, 2), { preset: 'duel' })
    const player = await at(room, guests[0])
    const [one, other] = [await at(room, guests[2]), await at(room, guests[3])]
    await one.find('say').fill('看得真过瘾')
    await one.page.keyboard.press('Enter')
    await line(other, '看得真过瘾').waitFor()
    await player.find('onlookers').getByText('2 人在观战').waitFor()
    expect(await line(player, '看得真过瘾').count()).toBe(0)
    await other.expectGoodScreen('looking on')
  })
})
