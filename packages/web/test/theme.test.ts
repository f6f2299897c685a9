import { expect, test } from 'vitest'
import { describeWithBrowser } from './support/browser.ts'
import { makeGuest, playFlip } from './support/guests.ts'
import { openHouse } from './support/house.ts'

const DAY = 'rgb(243, 236, 221)'
const NIGHT = 'rgb(19, 28, 23)'

describeWithBrowser('day and night', () => {
  const house = openHouse()

  test.each([
    ['light', 0, DAY],
    ['dark', 0, NIGHT],
    ['dark', 1, DAY],
    ['light', 2, NIGHT],
  ] as const)('where the system is %s, after %i presses', async (colorScheme, presses, colour) => {
    const visitor = await house.arrive({ locale: 'en-US' })
    await visitor.page.emulateMedia({ colorScheme })
    for (let n = 0; n < presses; n++) {
      await visitor.page.getByRole('button', { name: /^Look:/ }).click()
    }
    const shown = () => visitor.page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(await shown()).toBe(colour)
    await visitor.page.reload()
    expect(await shown()).toBe(colour)
  })

  test('everything can be read by night too', async () => {
    const two = await Promise.all([
      makeGuest(house.server.url, '小明'),
      makeGuest(house.server.url, '小红'),
    ])
    const room = await playFlip(two)
    const visitor = await house.arrive({ guest: two[0], width: 360, height: 740 })
    await visitor.page.emulateMedia({ colorScheme: 'dark' })
    for (const [path, test] of [
      ['', 'recent-games'],
      ['leaderboard', 'leaderboard'],
      [`player/${two[1].id}`, 'player-page'],
      [`replay/${room}`, 'about'],
      [`t/${room}`, 'scores'],
    ] as const) {
      await visitor.page.goto(`${house.server.url}/#/${path}`)
      await visitor.find(test).waitFor()
      await visitor.expectGoodScreen(`${test} by night`)
    }
  })
})
