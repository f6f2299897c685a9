import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import {
  arrive,
  type Guest,
  ownTurn,
  playTurns,
  ROOT,
  URL_OF_PAGE,
  withBrowser,
} from './playing.ts'

/** Takes pictures of every screen: all into a folder, one into the README. */

const FOLDER = join(ROOT, 'packages/web/dist/screenshots')
const README_PICTURE = join(ROOT, 'docs/images/game.png')
const AT_A_DESK: Guest = {
  name: '小明',
  locale: 'zh-CN',
  viewport: { width: 1080, height: 740 },
}
const ON_THE_PHONE: Guest = {
  name: 'Ann',
  locale: 'en-US',
  viewport: { width: 360, height: 740 },
}
/** Own turns that are played before the game is shown. */
const TURNS = 16

await mkdir(FOLDER, { recursive: true })
await mkdir(join(ROOT, 'docs/images'), { recursive: true })
await withBrowser(50, async (browser) => {
  await expectChinese(browser)
  await atTheDesk(browser)
  await aFlipGame(browser)
  const phone = await onThePhone(browser)
  await afterAGame(browser, phone)
})

/** Without a font for it each word is drawn as the same boxes, which nobody wants in the README. */
async function expectChinese(browser: Browser): Promise<void> {
  const page = await browser.newPage()
  const [one, other] = await page.evaluate(() =>
    ['军', '棋'].map((word) => {
      const canvas = document.createElement('canvas')
      const pen = canvas.getContext('2d')
      if (pen === null) throw new Error('The browser does not draw.')
      pen.font = '48px sans-serif'
      pen.fillText(word, 0, 48)
      return canvas.toDataURL()
    }),
  )
  if (one === other) throw new Error('Install a Chinese font first, such as fonts-wqy-microhei.')
  await page.close()
}

async function atTheDesk(browser: Browser): Promise<void> {
  const page = await arrive(browser, AT_A_DESK)
  await picture(page, 'lobby')
  await page.click('[data-test="bots-siguo"]')
  await page.waitForSelector('.territory-grid')
  for (const name of ['铁桶阵', '两翼齐飞']) await keepFormation(page, name)
  await picture(page, 'deployment')
  await page.click('[data-test="submit"]')
  await playTurns(page, TURNS)
  await untilFought(page)
  await picture(page, 'game')
  await copyFile(join(FOLDER, 'game.png'), README_PICTURE)
  await page.locator('.piece:not(.face)').last().click({ force: true })
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture(page, 'game-dark')
}

/** Plays on until the last move before one's own turn was an attack. */
async function untilFought(page: Page): Promise<void> {
  while ((await page.locator('.badge').count()) === 0) await playTurns(page, 1)
}

/** With many pieces turned up. */
async function aFlipGame(browser: Browser): Promise<void> {
  const page = await arrive(browser, { ...AT_A_DESK, name: '小刚' })
  await page.click('[data-test="bots-flip"]')
  for (let turn = 0; turn < 12; turn++) {
    await ownTurn(page)
    const down = page.locator('.piece.down')
    const last = down.nth((await down.count()) - 1)
    await down.first().click({ force: true })
    await last.waitFor({ state: 'detached' })
  }
  await ownTurn(page)
  await picture(page, 'flip')
}

async function keepFormation(page: Page, name: string): Promise<void> {
  await page.fill('[data-test="formation-name"]', name)
  await page.click('[data-test="keep"]')
  await page.waitForSelector(`.shelf li:has-text("${name}")`)
}

async function onThePhone(browser: Browser): Promise<Page> {
  const page = await arrive(browser, ON_THE_PHONE)
  await picture(page, 'phone-lobby')
  await page.click('[data-test="bots-siguo"]')
  await page.waitForSelector('.territory-grid')
  await picture(page, 'phone-deployment')
  await page.click('[data-test="submit"]')
  await playTurns(page, 3)
  await picture(page, 'phone-game')
  await page.click('[data-test="language"]')
  await picture(page, 'phone-game-chinese')
  await page.click('[data-test="language"]')
  await page.click('[data-test="phrases"]')
  await page.locator('[data-test="talk"]').scrollIntoViewIfNeeded()
  await picture(page, 'phone-talk', { isScrolled: true })
  return page
}

/** Two people meet in a short game that counts, and look at what has become of it. */
async function afterAGame(browser: Browser, phone: Page): Promise<void> {
  const desk = await arrive(browser, { ...AT_A_DESK, name: '小红' })
  await phone.goto(`${URL_OF_PAGE}#/`)
  for (const page of [desk, phone]) await page.click('[data-test="people-flip"]')
  for (const page of [desk, phone]) await page.waitForSelector('[data-test="play"]')
  const isDesks = (await desk.locator('.turn.mine').count()) > 0
  await resign(isDesks ? desk : phone)
  await desk.waitForSelector('[data-test="scores"]')
  await picture(desk, 'result')
  await desk.click('[data-test="replay"]')
  await desk.waitForSelector('[data-test="about"] .who-played')
  await picture(desk, 'replay')
  for (const page of [desk, phone]) {
    const prefix = page === phone ? 'phone-' : ''
    await page.goto(`${URL_OF_PAGE}#/leaderboard/flip`)
    await page.waitForSelector('.figures')
    await picture(page, `${prefix}leaderboard`)
    await page.locator('.figures a').first().click()
    await page.waitForSelector('[data-test="player-page"]')
    await picture(page, `${prefix}player`)
  }
  await desk.goto(`${URL_OF_PAGE}#/`)
  await desk.check('[data-test="quick-pair"]')
  await desk.click('[data-test="quick-join"]')
  await desk.waitForSelector('[data-test="pair-code"]')
  await picture(desk, 'waiting')
}

/** Says so twice, as the page asks. */
async function resign(page: Page): Promise<void> {
  const words = /投降|Resign/
  await page.getByRole('button', { name: words }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: words }).click()
}

async function picture(page: Page, name: string, { isScrolled = false } = {}): Promise<void> {
  if (!isScrolled) await page.evaluate(() => scrollTo(0, 0))
  // What glides has arrived, what appears is there.
  await page.waitForTimeout(700)
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
}
