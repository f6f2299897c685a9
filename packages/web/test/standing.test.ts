import { expect, test } from 'vitest'
import { describeWithBrowser } from './support/browser.ts'
import { done, makeGuest, playFlip, seatAll, startGame } from './support/guests.ts'
import { openHouse } from './support/house.ts'

describeWithBrowser('what players have come to', () => {
  const house = openHouse()

  async function afterOneGame() {
    const two = await Promise.all([
      makeGuest(house.server.url, '小明'),
      makeGuest(house.server.url, '小红'),
    ])
    const room = await playFlip(two)
    return { two, room }
  }

  test('a finished game is in the lobby, and its players lead to their pages and from there to the game', async () => {
    const { two, room } = await afterOneGame()
    const visitor = await house.arrive({ guest: two[0], width: 360, height: 740 })
    const line = visitor.find('recent-games').locator('li').first()
    await line.getByRole('link', { name: '小红' }).click()
    const page = visitor.find('player-page')
    await page.getByRole('heading', { name: '小红' }).waitFor()
    await page.getByText('小兵').first().waitFor()
    await page.getByRole('link', { name: '小明' }).waitFor()
    await visitor.expectGoodScreen('a player’s page on a phone')
    await page.getByRole('link', { name: '回放' }).click()
    await visitor.find('replay-viewer').waitFor()
    expect(visitor.page.url()).toContain(room)
  })

  test('games that were finished before are shown when they are asked for', async () => {
    const { two } = await afterOneGame()
    for (let n = 0; n < 6; n++) await playFlip(two)
    const visitor = await house.arrive()
    await visitor.nameItself('路人')
    const lines = visitor.find('recent-games').locator('li')
    await expect.poll(() => lines.count()).toBe(6)
    await visitor.find('recent-games').getByRole('button', { name: '更多' }).click()
    await expect.poll(() => lines.count()).toBeGreaterThan(6)
  })

  test('the leaderboards tell who has which score, and which rating in a preset', async () => {
    const { two } = await afterOneGame()
    const visitor = await house.arrive({ guest: two[0], locale: 'en-US', width: 360, height: 740 })
    await visitor.page.getByRole('link', { name: 'Leaderboard' }).click()
    const board = visitor.find('leaderboard')
    await expect.poll(() => board.locator('tbody tr').count()).toBeGreaterThan(1)
    await board.getByText('Soldier').first().waitFor()
    await visitor.expectGoodScreen('the leaderboard on a phone')
    await visitor.find('board').selectOption('flip')
    await board.locator('tr[aria-current]').waitFor()
    await visitor.find('board').selectOption('duel')
    await board.getByText('Nobody is on this board yet.').waitFor()
  })

  test('anyone may look, without a name, and is told who is nobody', async () => {
    const { two } = await afterOneGame()
    const stranger = await house.arrive({}, `/#/player/${two[1].id}`)
    await stranger.find('player-page').getByRole('heading', { name: '小红' }).waitFor()
    await stranger.page.goto(`${house.server.url}/#/player/0123456789ab`)
    await stranger.page.getByText('没有这个玩家。').waitFor()
    await stranger.page.goto(`${house.server.url}/#/player/nobody`)
    await stranger.page.getByText('没有这个玩家。').waitFor()
  })

  test('the result tells what the game did to everybody’s score', async () => {
    const { two, room } = await afterOneGame()
    const visitor = await house.arrive({ guest: two[0], width: 360, height: 740 }, `/#/t/${room}`)
    const scores = visitor.find('scores')
    await scores.locator('tbody tr').nth(1).waitFor()
    expect(await scores.locator('.down').allTextContents()).toContain('−1')
    await scores.locator('tr[aria-current]').getByRole('link', { name: '小明' }).waitFor()
    await visitor.expectGoodScreen('a result with scores on a phone')
  })

  test('titles stand beside the names at the table and in the game, and who is the ally', async () => {
    const guestOf = (name: string) => makeGuest(house.server.url, name)
    const four = await Promise.all([guestOf('小明'), guestOf('东'), guestOf('小红'), guestOf('西')])
    const table = await seatAll(four, { preset: 'siguo' })
    const wish = { guest: four[0], width: 360, height: 740 }
    const visitor = await house.arrive(wish, `/#/t/${table}`)
    await expect.poll(() => visitor.find('title').count()).toBe(4)
    const room = await startGame(four, { preset: 'siguo' })
    await visitor.page.goto(`${house.server.url}/#/t/${room}`)
    await visitor.find('play').waitFor()
    await expect.poll(() => visitor.find('title').allTextContents()).toEqual(Array(4).fill('小兵'))
    await visitor.page.locator('.player.north').getByText('盟友').waitFor()
    expect(await visitor.page.locator('.player').getByText('盟友').count()).toBe(1)
    await visitor.expectGoodScreen('a game with titles on a phone')
  })

  test('the tables where one sits tell how they stand, and go when their game ends in another tab', async () => {
    const two = await Promise.all([
      makeGuest(house.server.url, '小明'),
      makeGuest(house.server.url, '小红'),
    ])
    const room = await seatAll(two, { preset: 'flip', options: { firstSeat: 'south' } })
    const visitor = await house.arrive({ guest: two[0], width: 360, height: 740 })
    const tables = visitor.find('your-tables')
    await tables.getByText('小明和小红').waitFor()
    const [own, other] = two.map(({ client }) => client.room(room))
    if (own === undefined || other === undefined) throw new Error('nobody plays')
    await done(own.start())
    await tables.getByText('轮到你走').waitFor()
    await visitor.expectGoodScreen('a lobby with a table of one’s own')
    await done(own.resign())
    await tables.waitFor({ state: 'detached' })
  })
})
