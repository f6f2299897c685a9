import { PRESETS, randomFormation } from '@junqi/engine'
import { roomId } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { describeWithBrowser, type Visitor } from './support/browser.ts'
import { done, makeGuest, startGame } from './support/guests.ts'
import { openHouse } from './support/house.ts'

describeWithBrowser('those who look on', () => {
  const house = openHouse()

  async function arriveAs(name: string): Promise<Visitor> {
    const visitor = await house.arrive({ width: 360, height: 740 })
    await visitor.nameItself(name)
    return visitor
  }

  test('a running game is in the lobby, one tap away', async () => {
    const names = ['小明', '小红']
    const guests = await Promise.all(names.map((name) => makeGuest(house.server.url, name)))
    await startGame(guests, { preset: 'duel' })
    const visitor = await arriveAs('路人')
    const games = visitor.find('running-games')
    await games.locator('li', { hasText: '小明和小红' }).first().waitFor()
    await visitor.expectGoodScreen('the lobby with a running game')
    await games.locator('a', { hasText: '小明和小红' }).first().click()
    await visitor.find('turn').getByText('你在观战').waitFor()
  })

  test('the host says who may look on and how late, when the table is opened and afterwards', async () => {
    const host = await arriveAs('桌主')
    await host.page.locator('#spectators').selectOption('delayed')
    await host.page.locator('#spectators-delay').fill('7')
    await host.page.locator('#spectators-delay').blur()
    const link = await host.openTable('duel')
    const guest = await arriveAs('客人')
    await guest.page.goto(link)
    await guest.find('spectators').getByText('晚 7 步看').waitFor()
    await host.expectGoodScreen('the table of a host on a phone')
    await host.page.locator('#spectators').selectOption('none')
    await guest.find('spectators').getByText('不让看').waitFor()
  })

  test('who comes when nobody may look on is told so; who is some moves behind, how many', async () => {
    const host = await arriveAs('桌主')
    const guest = await makeGuest(house.server.url, '客人')
    const looker = await arriveAs('路人')
    const play = async (mode: 'none' | 'delayed') => {
      await host.page.goto(`${house.server.url}/#/`)
      await host.page.locator('#spectators').selectOption(mode)
      const link = await host.openTable('duel')
      await host.sit('south')
      const room = guest.client.room(roomId.parse(link.split('/').at(-1)))
      await done(room.sit('north'))
      await done(room.ready())
      await host.find('start').click()
      await host.find('submit').click()
      await done(room.submitFormation(randomFormation(PRESETS.duel, Math.random)))
      await host.find('play').waitFor()
      return link
    }
    await looker.page.goto(await play('delayed'))
    await looker.find('turn').getByText('晚 10 步看').waitFor()
    await host.page.getByRole('button', { name: '退出对局' }).click()
    await host.page.getByRole('alertdialog').getByRole('button', { name: '退出对局' }).click()
    await host.find('result').waitFor()
    await looker.find('result').waitFor()
    expect(await looker.find('rematch').count()).toBe(0)
    await looker.page.goto(await play('none'))
    await looker.page.getByText('这一桌开局以后不让人观战。').waitFor()
    expect(await looker.find('play').count()).toBe(0)
  })
})
