import { readFile } from 'node:fs/promises'
import { PRESETS, randomFormation, readJql, writeJql } from '@junqi/engine'
import { expect, test } from 'vitest'
import { describeWithBrowser, type Visitor } from './support/browser.ts'
import { done, makeGuest, type PlainGuest, seatAll } from './support/guests.ts'
import { openHouse } from './support/house.ts'

describeWithBrowser('formations that a player keeps', () => {
  const house = openHouse()

  /** Two guests at a table of two, deploying; the visitor is the first of them. */
  async function deploying(): Promise<{ visitor: Visitor; two: readonly PlainGuest[] }> {
    const two = await Promise.all([
      makeGuest(house.server.url, '小明'),
      makeGuest(house.server.url, '小红'),
    ])
    const visitor = await house.arrive({ guest: two[0], width: 360, height: 740 })
    await deployAgain(visitor, two)
    return { visitor, two }
  }

  async function deployAgain(visitor: Visitor, two: readonly PlainGuest[]): Promise<void> {
    const room = await seatAll(two, { preset: 'duel' })
    await done(two[0]?.client.room(room).start() ?? Promise.reject(new Error('nobody')))
    await visitor.page.goto(`${house.server.url}/#/t/${room}`)
    await visitor.find('shelf').waitFor()
  }

  const laidOut = ({ page }: Visitor) =>
    page
      .locator('[data-place]')
      .evaluateAll((all) => all.map((place) => place.getAttribute('aria-label')))

  const shuffle = ({ page }: Visitor) => page.getByRole('button', { name: '随机' }).click()

  test('are kept by name on the server, used at another table, and taken away', async () => {
    const { visitor, two } = await deploying()
    const kept = await laidOut(visitor)
    await visitor.find('formation-name').fill('铁桶阵')
    await visitor.find('keep').click()
    const use = visitor.page.getByRole('button', { name: '铁桶阵', exact: true })
    await use.waitFor()
    await visitor.expectGoodScreen('the shelf on a phone')
    await deployAgain(visitor, two)
    expect(await laidOut(visitor)).not.toEqual(kept)
    await use.click()
    expect(await laidOut(visitor)).toEqual(kept)
    await visitor.page.getByRole('button', { name: '删除: 铁桶阵' }).click()
    await use.waitFor({ state: 'detached' })
  })

  test('the one that was last handed in is at hand the next time', async () => {
    const { visitor, two } = await deploying()
    expect(await visitor.find('last-used').count()).toBe(0)
    await shuffle(visitor)
    const handedIn = await laidOut(visitor)
    await visitor.find('submit').click()
    await visitor.find('not-ready').waitFor()
    await deployAgain(visitor, two)
    await visitor.find('last-used').click()
    expect(await laidOut(visitor)).toEqual(handedIn)
  })

  test('come from .jql files and go into them, with nothing sent', async () => {
    const { visitor } = await deploying()
    const formation = randomFormation(PRESETS.duel, Math.random)
    const buffer = Buffer.from(writeJql(formation))
    await visitor
      .find('import')
      .setInputFiles({ name: 'a.jql', mimeType: 'application/octet-stream', buffer })
    const started = visitor.page.waitForEvent('download')
    await visitor.find('export').click()
    expect(readJql(await readFile(await (await started).path()))).toEqual({
      ok: true,
      value: formation,
    })
    const bad = { name: 'b.jql', mimeType: 'application/octet-stream', buffer: Buffer.from('x') }
    await visitor.find('import').setInputFiles(bad)
    await visitor.page.getByText('这个文件不是军棋阵型。').waitFor()
  })
})
