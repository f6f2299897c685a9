import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'

/** A person who plays with bots in Debian's Chromium, for the commands that look at that. */

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const PORT = 18_790
export const URL_OF_PAGE = `http://127.0.0.1:${PORT}/`
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking']

/** Calls `use` with a browser, while a server with bots, which pause that long before they move, is there to visit. */
export async function withBrowser(
  botPauseMs: number,
  use: (browser: Browser) => Promise<void>,
): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'junqi-page-'))
  const server = spawn(process.execPath, [join(ROOT, 'packages/cli/bin/junqi.js'), 'serve'], {
    env: {
      PATH: process.env.PATH,
      JUNQI_PORT: String(PORT),
      JUNQI_ADMIN_PORT: String(PORT + 1),
      JUNQI_DATA_DIR: data,
      JUNQI_LOG_LEVEL: 'error',
      JUNQI_BOT_PAUSE_MS: String(botPauseMs),
    },
    stdio: 'inherit',
  })
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS })
  try {
    await untilServed()
    await use(browser)
  } finally {
    await browser.close()
    const isGone = once(server, 'exit')
    server.kill('SIGTERM')
    await isGone
    await rm(data, { recursive: true, force: true })
  }
}

async function untilServed(): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(`${URL_OF_PAGE}readyz`).catch(() => null)
    if (answer?.ok === true) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The server does not start.')
}

export interface Guest {
  readonly name: string
  readonly locale: 'zh-CN' | 'en-US'
  readonly viewport: { readonly width: number; readonly height: number }
}

/** Somebody who typed a name and is in the lobby. */
export async function arrive(browser: Browser, { name, ...look }: Guest): Promise<Page> {
  const page = await (await browser.newContext(look)).newPage()
  await page.goto(URL_OF_PAGE)
  await page.fill('#name', name)
  await page.click('form button[type="submit"]')
  await page.waitForSelector('.home')
  return page
}

/** Plays that many turns, and stops in the next one, with the last fight shown. */
export async function playTurns(page: Page, turns: number): Promise<void> {
  await ownTurn(page)
  for (let turn = 0; turn < turns; turn++) {
    await playTurn(page)
    await ownTurn(page)
  }
}

export async function ownTurn(page: Page): Promise<void> {
  await page.waitForSelector('.turn.mine', { timeout: 60_000 })
}

/** Attacks if it can, and leaves the others their turns. */
export async function playTurn(page: Page): Promise<void> {
  await makeMove(page)
  await page.waitForSelector('.turn:not(.mine)')
}

async function makeMove(page: Page): Promise<void> {
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
