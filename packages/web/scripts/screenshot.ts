import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { arrive, type Guest, playTurns, ROOT, withBrowser } from './playing.ts'

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
  await atTheDesk(browser)
  await onThePhone(browser)
})

async function atTheDesk(browser: Browser): Promise<void> {
  const page = await arrive(browser, AT_A_DESK)
  await picture(page, 'lobby')
  await page.click('[data-test="bots-siguo"]')
  await page.waitForSelector('.territory-grid')
  await picture(page, 'deployment')
  await page.click('[data-test="submit"]')
  await playTurns(page, TURNS)
  await picture(page, 'game')
  await copyFile(join(FOLDER, 'game.png'), README_PICTURE)
}

async function onThePhone(browser: Browser): Promise<void> {
  const page = await arrive(browser, ON_THE_PHONE)
  await picture(page, 'phone-lobby')
  await page.click('[data-test="bots-siguo"]')
  await page.click('[data-test="submit"]')
  await playTurns(page, 3)
  await picture(page, 'phone-game')
}

async function picture(page: Page, name: string): Promise<void> {
  // What glides has arrived, what appears is there.
  await page.waitForTimeout(700)
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
}
