import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { seriousFindings } from './axe.ts'

/** Debian's; another one is named in JUNQI_TEST_CHROMIUM. */
const CHROMIUM = process.env.JUNQI_TEST_CHROMIUM || '/usr/bin/chromium'

/** It asks nothing of any network but the pages that the tests open. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Tests that need a browser. Where there is none it is said loudly what is left out, and in CI it is a failure. */
export function describeWithBrowser(name: string, body: () => void): void {
  if (existsSync(CHROMIUM)) return void describe(name, body)
  const sentence = `There is no Chromium at ${CHROMIUM}, so this is left out: ${name}. Install the package chromium, or name another one in JUNQI_TEST_CHROMIUM.`
  if (process.env.CI === 'true') {
    return void test(name, () => {
      throw new Error(sentence)
    })
  }
  process.stderr.write(`\n*** ${sentence}\n\n`)
  describe.skip(name, body)
}

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: FLAGS })

export interface Visit {
  readonly locale: 'zh-CN' | 'en-US'
  readonly width: number
  readonly height: number
}

const DESKTOP: Visit = { locale: 'zh-CN', width: 1200, height: 820 }

/** Somebody with a browser of their own; what goes wrong in it is remembered. */
export class Visitor {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of scripts, violations of the page's policy, and whatever else the console complains of. */
  readonly problems: string[] = []

  private constructor(context: BrowserContext, page: Page) {
    this.context = context
    this.page = page
    page.setDefaultTimeout(30_000)
    page.on('pageerror', (error) => this.problems.push(error.message))
    page.on('console', (message) => {
      const isComplaint = message.type() === 'error' || message.type() === 'warning'
      if (isComplaint && !isExpected(message.text())) this.problems.push(message.text())
    })
  }

  static async arrive(browser: Browser, url: string, wish: Partial<Visit> = {}): Promise<Visitor> {
    const { locale, width, height } = { ...DESKTOP, ...wish }
    // What glides and fades costs most of the time of a browser that draws without help.
    const context = await browser.newContext({
      locale,
      viewport: { width, height },
      reducedMotion: 'reduce',
    })
    const visitor = new Visitor(context, await context.newPage())
    await visitor.page.goto(url)
    return visitor
  }

  /** By the attribute that tests go by, whatever the language is. */
  find(test: string) {
    return this.page.locator(`[data-test="${test}"]`)
  }

  async nameItself(name: string): Promise<void> {
    await this.page.fill('#name', name)
    await this.page.click('form button[type="submit"]')
    await this.page.waitForSelector('.home, [data-test="seats"]')
  }

  /** Opens a table of this preset with the form of the lobby, with other rules in some fields. */
  async openTable(preset: string, options: Readonly<Record<string, string>> = {}): Promise<string> {
    const form = this.find('new-table')
    await form.locator(`input[value="${preset}"]`).check()
    if (Object.keys(options).length > 0) await form.locator('summary').click()
    for (const [field, value] of Object.entries(options)) {
      const input = form.locator(`#option-${field}`)
      const isList = (await input.evaluate((element) => element.tagName)) === 'SELECT'
      if (isList) await input.selectOption(value)
      else {
        await input.fill(value)
        await input.blur()
      }
    }
    await form.locator('button[type="submit"]').click()
    return this.page.locator('#invitation').inputValue()
  }

  async sit(seat: string): Promise<void> {
    await this.find(`sit-${seat}`).click()
    await this.find('ready').click()
  }

  async tap(space: string): Promise<void> {
    await this.page.click(`[data-space="${space}"]`)
  }

  /** Waits for the own turn and makes the first move there is. */
  async moveAnything(): Promise<void> {
    await this.page.waitForSelector('.turn.mine')
    const before = await this.find('last-line').textContent()
    for (const from of await this.movable()) {
      await this.tap(from)
      const target = this.page.locator('.targets circle, .space.attack').first()
      if ((await target.count()) === 0) continue
      const box = await target.boundingBox()
      if (box === null) continue
      await this.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
      // Whoever is next may have moved before this is looked at.
      await expect
        .poll(() => this.find('last-line').textContent(), { timeout: 30_000 })
        .not.toBe(before)
      return
    }
    throw new Error('There is nothing to move.')
  }

  async movable(): Promise<readonly string[]> {
    const spaces = await this.page.locator('.space.movable').all()
    return Promise.all(spaces.map(async (space) => (await space.getAttribute('data-space')) ?? ''))
  }

  /** What is read aloud of each space, in the order of the board. */
  spaces(): Promise<readonly string[]> {
    return this.page
      .locator('[data-space]')
      .evaluateAll((all) => all.map((space) => space.getAttribute('aria-label') ?? ''))
  }

  /** axe finds nothing serious on the screen, and nothing is wider than the window. */
  async expectGoodScreen(name: string): Promise<void> {
    const serious = await seriousFindings(this.page)
    expect(serious, `axe on ${name}`).toEqual([])
    const overflow = await this.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow, `how much ${name} is wider than its window`).toBeLessThanOrEqual(0)
  }
}

/** Refusals over HTTP are answers: of strangers, games that are not there, what cannot be done. A server that is down has none. */
const isExpected = (complaint: string): boolean =>
  /status of 40[149]|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INTERNET_DISCONNECTED/.test(
    complaint,
  )
