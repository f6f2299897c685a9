import { readFile } from 'node:fs/promises'
import { gamesOf } from '@junqi/client'
import { type GameRecord, readJgs } from '@junqi/engine'
import { expect, test } from 'vitest'
import { describeWithBrowser, type Visitor } from './support/browser.ts'
import { agreeOnDraw, becomeGuest, done, makeGuest, playFlip, startGame } from './support/guests.ts'
import { openHouse } from './support/house.ts'

describeWithBrowser('finished games that are passed on', () => {
  const house = openHouse()
  const { arrive } = house

  const guests = () =>
    Promise.all([makeGuest(house.server.url, '小明'), makeGuest(house.server.url, '小红')])

  async function copied(visitor: Visitor): Promise<string> {
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await visitor.find('share').click()
    await visitor.page.locator('.notices button').waitFor()
    return visitor.page.evaluate(() => navigator.clipboard.readText())
  }

  test('a member of a private game copies a link that opens its replay for a stranger', async () => {
    const two = await guests()
    const room = await playFlip(two, { isPrivate: true })
    const member = await arrive({}, `/#/replay/${room}`)
    await member.page.getByText('没有这局棋的记录。').waitFor()
    await becomeGuest(member, two[0])
    await member.find('replay-viewer').waitFor()
    const link = await copied(member)
    expect(link).toMatch(new RegExp(`/#/replay/${room}/[A-Za-z0-9_-]{22}$`))
    const stranger = await arrive({ locale: 'en-US' }, new URL(link).hash)
    await stranger.find('replay-viewer').waitFor()
    await stranger.find('about').getByText('小红').waitFor()
    expect(await copied(stranger)).toBe(link)
    await stranger.expectGoodScreen('a replay that was passed on')
  })

  test('a game goes home as .jgs; of one that such a file cannot tell that is said', async () => {
    const names = ['小明', '小红', '小刚', '小丽']
    const four = await Promise.all(names.map((name) => makeGuest(house.server.url, name)))
    const room = await startGame(four, { preset: 'siguo', options: { firstSeat: 'south' } })
    await agreeOnDraw(four.map(({ client }) => client.room(room)))
    const visitor = await arrive({}, `/g/${room}`)
    const started = visitor.page.waitForEvent('download')
    await visitor.find('download-jgs').click()
    const file = await started
    expect(file.suggestedFilename()).toBe(`junqi-${room}.jgs`)
    expect(readJgs(await readFile(await file.path()))).toMatchObject({
      ok: true,
    })
    const other = await playFlip(await guests())
    await visitor.page.goto(`${house.server.url}/g/${other}`)
    await visitor.find('about').getByText('翻棋').waitFor()
    expect(await visitor.find('download-jgs').isDisabled()).toBe(true)
    await visitor.page.getByText('.jgs 文件记不下这样的对局。').waitFor()
  })

  test('the link that the server tells leads to the same, and a wrong one to nothing', async () => {
    const two = await guests()
    const room = await playFlip(two, { isPrivate: true })
    const access = { url: house.server.url, token: two[1].token }
    const { path } = await done(gamesOf(access).share(room))
    const stranger = await arrive({}, path)
    await stranger.find('replay-viewer').waitFor()
    const other = await arrive({}, `/g/${room}?share=0123456789abcdefghijAB`)
    await other.page.getByText('没有这局棋的记录。').waitFor()
  })

  test('a public game is passed on by its address alone', async () => {
    const room = await playFlip(await guests())
    const stranger = await arrive({ width: 360, height: 740 }, `/g/${room}`)
    await stranger.find('replay-viewer').waitFor()
    expect(await copied(stranger)).toBe(`${house.server.url}/#/replay/${room}`)
    await stranger.expectGoodScreen('a replay on a phone')
  })

  /** Opens a record from disk in the replay viewer. */
  const openFile = (visitor: Visitor, record: GameRecord) =>
    visitor.find('record-file').setInputFiles({
      name: 'game.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(record)),
    })

  test('R-SEAL-3: a game that is not the one that was sealed is said to be so, from a file and at the table', async () => {
    const two = await guests()
    const room = await playFlip(two)
    const access = { url: house.server.url, token: two[0].token }
    const record = await done(gamesOf(access).record(room))
    const visitor = await arrive({ width: 360, height: 740 })
    await visitor.page.waitForSelector('#name')
    await openFile(visitor, record)
    await visitor.find('seal-agrees').waitFor()
    if (record.layout === undefined) throw new Error('a flip game has a layout')
    await openFile(visitor, { ...record, layout: record.layout.toReversed() })
    await visitor.find('seal-broken').getByText('棋子的摆法不是开局时封存的。').waitFor()
    await visitor.expectGoodScreen('a record that is not what was sealed')

    const told = [[room, { ...record.seal?.commitments, layout: '0'.repeat(64) }]]
    await visitor.page.evaluate(
      (seals) => localStorage.setItem('junqi:seals', seals),
      JSON.stringify(told),
    )
    await becomeGuest(visitor, two[0])
    await visitor.find('language').click()
    await visitor.page.goto(`${house.server.url}/#/t/${room}`)
    await visitor
      .find('result')
      .getByRole('alert')
      .getByText('This is not the game that was played.')
      .waitFor()
    await visitor.page.getByText('The layout of the pieces has another seal now').waitFor()
    await visitor.find('replay').click()
    await visitor.find('seal').getByRole('alert').waitFor()
  })
})
