import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'

/** Plays with bots in Debian's Chromium and takes pictures of every screen: all into a folder, one into the README. */

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const FOLDER = join(ROOT, 'packages/web/dist/screenshots')
const README_PICTURE = join(ROOT, 'docs/images/game.png')
const PORT = 18_790
const URL_OF_PAGE = `http://127.0.0.1:${PORT}/`
const DESK = { width: 1080, height: 740 }
const PHONE = { width: 360, height: 740 }
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking']
/** Own turns that are played before the game is shown. */
const TURNS = 16

await mkdir(FOLDER, { recursive: true })
await mkdir(join(ROOT, 'docs/images'), { recursive: true })
const data = await mkdtemp(join(tmpdir(), 'junqi-pictures-'))
const server = spawn(process.execPath, [join(ROOT, 'packages/cli/bin/junqi.js'), 'serve'], {
  env: {
    PATH: process.env.PATH,
    JUNQI_PORT: String(PORT),
    JUNQI_ADMIN_PORT: String(PORT + 1),
    JUNQI_DATA_DIR: data,
    JUNQI_LOG_LEVEL: 'error',
    JUNQI_BOT_PAUSE_MS: '50',
  },
  stdio: 'inherit',
})
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS })
try {
  await untilServed()
  await atTheDesk(browser)
  await onThePhone(browser)
} finally {
  await browser.close()
  const isGone = once(server, 'exit')
  server.kill('SIGTERM')
  await isGone
  await rm(data, { recursive: true, force: true })
}

async function untilServed(): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(`${URL_OF_PAGE}readyz`).catch(() => null)
    if (answer?.ok === true) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The server does not start.')
}

async function atTheDesk(browser: Browser): Promise<void> {
  const page = await arrive(browser, '小明', DESK)
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
  const page = await arrive(browser, 'Ann', PHONE)
  await picture(page, 'phone-lobby')
  await page.click('[data-test="bots-siguo"]')
  await page.click('[data-test="submit"]')
  await playTurns(page, 3)
  await picture(page, 'phone-game')
}

async function arrive(
  browser: Browser,
  name: string,
  viewport: { readonly width: number; readonly height: number },
): Promise<Page> {
  const locale = name === 'Ann' ? 'en-US' : 'zh-CN'
  const page = await (await browser.newContext({ locale, viewport })).newPage()
  await page.goto(URL_OF_PAGE)
  await page.fill('#name', name)
  await page.click('form button[type="submit"]')
  await page.waitForSelector('.home')
  return page
}

async function picture(page: Page, name: string): Promise<void> {
  // What glides has arrived, what appears is there.
  await page.waitForTimeout(700)
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
}

/** Attacks where it can, and stops in the own turn, with the last fight shown. */
async function playTurns(page: Page, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await page.waitForSelector('.turn.mine', { timeout: 60_000 })
    await playOne(page)
    await page.waitForSelector('.turn:not(.mine)')
  }
  await page.waitForSelector('.turn.mine', { timeout: 60_000 })
}

async function playOne(page: Page): Promise<void> {
  const movable = await page
    .locator('.space.movable')
    .evaluateAll((all) => all.map((space) => space.getAttribute('data-space') ?? ''))
  for (const from of [...movable, ...movable]) {
    await page.click(`[data-space="${from}"]`)
    const target = page.locator('.space.attack, .targets circle').last()
    const box = (await target.count()) === 0 ? null : await target.boundingBox()
    if (box === null) continue
    return page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  }
}
