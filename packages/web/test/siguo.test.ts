import { isDeepStrictEqual } from 'node:util'
import { SEATS, type Seat } from '@junqi/engine'
import { expect, test } from 'vitest'
import { describeWithBrowser, type Visit, type Visitor } from './support/browser.ts'
import { openHouse } from './support/house.ts'

/** Four browsers take their time on a machine that does much else. */
const LONG = { timeout: 300_000 }

type Table = Readonly<Record<Seat, Visitor>>

const DESK: Visit = { locale: 'zh-CN', width: 1200, height: 820 }
const PHONE: Visit = { locale: 'en-US', width: 360, height: 740 }
/** One of each alliance at a desk, in Chinese, the other on a phone, in English. */
const VISITS: Readonly<Record<Seat, Visit>> = {
  south: DESK,
  east: PHONE,
  north: PHONE,
  west: DESK,
}

/** The four in the order of play, whoever of them begins. */
async function inTurn(table: Table): Promise<readonly [Visitor, Visitor, Visitor, Visitor]> {
  const first = await Promise.any(
    SEATS.map((seat) => table[seat].page.waitForSelector('.turn.mine').then(() => seat)),
  )
  const at = (n: number): Visitor => table[SEATS[(SEATS.indexOf(first) + n) % 4] ?? first]
  return [at(0), at(1), at(2), at(3)]
}

describeWithBrowser('four people at one table', () => {
  const house = openHouse()

  /** Four who typed their names, sat down, and are ready; the first of them is the host. */
  async function gather(): Promise<Table> {
    const [south, ...guests] = await Promise.all(SEATS.map((seat) => house.arrive(VISITS[seat])))
    if (south === undefined) throw new Error('Nobody came.')
    await south.nameItself('south')
    const link = await south.openTable('siguo', { resignFromMove: '4', turnSeconds: '600' })
    await south.sit('south')
    const sitDown = async (guest: Visitor, seat: Seat): Promise<void> => {
      await guest.page.goto(link)
      await guest.nameItself(seat)
      await guest.sit(seat)
    }
    const [east = south, north = south, west = south] = guests
    await Promise.all([sitDown(east, 'east'), sitDown(north, 'north'), sitDown(west, 'west')])
    await south.expectGoodScreen('a table of four')
    return { south, east, north, west }
  }

  test(
    'play a whole game to its result, in Chinese at desks and in English on phones',
    LONG,
    async () => {
      const table = await gather()
      const everyone = Object.values(table)
      const onEach = <T>(look: (player: Visitor) => Promise<T>): Promise<readonly T[]> =>
        Promise.all(everyone.map(look))

      /** Whose piece stands where, as far as one of them sees it. */
      const stand = async (player: Visitor) => {
        const { play, seats } = player.words
        return (await player.spaces()).map((label) =>
          SEATS.find((seat) => label.includes(play.piece(seats[seat], ''))),
        )
      }
      /** A move that one of them has seen may still be on its way to another. */
      const expectOneBoard = () =>
        expect
          .poll(async () => {
            const [first, ...others] = await onEach(stand)
            return others.map((other) => isDeepStrictEqual(other, first))
          })
          .toEqual([true, true, true])
      await table.south.find('start').click()
      await onEach((player) => player.find('submit').click())
      await onEach((player) => player.find('play').waitFor())
      const [one, two, three, four] = await inTurn(table)
      for (const player of [one, two, three, four]) await player.moveAnything()
      await expectOneBoard()
      await three.expectGoodScreen('a game of four')

      // One loads the page anew, in the middle, and in its own turn.
      await one.page.waitForSelector('.turn.mine')
      const before = [await one.spaces(), await one.find('last-line').textContent()]
      await one.page.reload()
      await one.find('play').waitFor()
      expect([await one.spaces(), await one.find('last-line').textContent()]).toEqual(before)
      await one.moveAnything()

      // Another one loses the network; the others play on, until it is its turn again.
      await two.moveAnything()
      await two.context.setOffline(true)
      await two.find('banner').waitFor()
      for (const player of [three, four, one]) await player.moveAnything()
      await two.context.setOffline(false)
      await two.find('banner').waitFor({ state: 'detached' })
      await two.page.waitForSelector('.turn.mine')
      await expectOneBoard()
      for (const player of [two, three]) await player.moveAnything()

      await four.resign()
      await one.moveAnything()
      await two.resign()
      await onEach((player) => player.find('result').waitFor())
      for (const [players, result] of [
        [[one, three], 'won'],
        [[two, four], 'lost'],
      ] as const) {
        for (const player of players) {
          const headline = await player.find('result').locator('h1').textContent()
          expect(headline).toBe(player.words.after[result])
        }
      }
      await expectOneBoard()
      for (const [player, other] of [
        [table.south, table.west],
        [table.east, table.north],
      ] as const) {
        const truth = await player.spaces()
        expect(await other.spaces()).toEqual(truth)
        expect(truth.some((label) => label.includes(player.words.hidden))).toBe(false)
      }
      await three.expectGoodScreen('the result of a game of four')
    },
  )
})
