import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { en } from '../../src/i18n/en.ts'
import { type Catalogue, zh } from '../../src/i18n/zh.ts'
import { seriousFindings } from './axe.ts'

/** Debian's without windows, which does the same in two thirds of the time. */
const SHELL = '/usr/bin/chromium-headless-shell'
const CHROMIUM =
  process.env.JUNQI_TEST_CHROMIUM || (existsSync(SHELL) ? SHELL : '/usr/bin/chromium')

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

let launched: Browser | null = null

/** One for all files of tests that share a process; it ends with that. */
export async function theBrowser(): Promise<Browser> {
  if (launched?.isConnected() !== true) {
    launched = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  }
  return launched
}

export interface Visit {
  readonly locale: 'zh-CN' | 'en-US'
  readonly width: number
  readonly height: number
}

/** How somebody comes, where it is not as usual. */
export interface Wish extends Partial<Visit> {
  /** Who it is already; else it has no name yet. */
  readonly guest?: { readonly token: string }
}

/** After which a page that says nothing of itself hangs. */
const SILENT_MS = 10_000

const DESKTOP: Visit = { locale: 'zh-CN', width: 1200, height: 820 }

/** Somebody with a browser of their own; what goes wrong in it is remembered. */
export class Visitor {
  readonly page: Page
  readonly context: BrowserContext
  /** What the page says to it. */
  readonly words: Catalogue
  /** Errors of scripts, violations of the page's policy, and whatever else the console complains of. */
  readonly problems: string[] = []

  private constructor(context: BrowserContext, page: Page, words: Catalogue) {
    this.context = context
    this.page = page
    this.words = words
    page.setDefaultTimeout(30_000)
    page.on('pageerror', (error) => this.problems.push(error.message))
    page.on('console', (message) => {
      const isComplaint = message.type() === 'error' || message.type() === 'warning'
      if (isComplaint && !isExpected(message.text())) this.problems.push(message.text())
    })
  }

  static async arrive(browser: Browser, url: string, { guest, ...wish }: Wish): Promise<Visitor> {
    const { locale, width, height } = { ...DESKTOP, ...wish }
    // What glides and fades costs most of the time of a browser that draws without help.
    const context = await browser.newContext({
      locale,
      viewport: { width, height },
      reducedMotion: 'reduce',
    })
    if (guest !== undefined) {
      const { origin } = new URL(url)
      await context.addCookies([{ name: 'junqi_token', value: guest.token, url: origin }])
    }
    const visitor = new Visitor(context, await context.newPage(), locale === 'zh-CN' ? zh : en)
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
      await setOption(
        form.locator('.option', { has: this.page.locator(`#option-${field}`) }),
        value,
      )
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

  movable(): Promise<readonly string[]> {
    return this.page
      .locator('.space.movable')
      .evaluateAll((all) => all.map((space) => space.getAttribute('data-space') ?? ''))
  }

  /** Gives up, and says so once more, in its turn. */
  async resign(): Promise<void> {
    const { resign, resignSure } = this.words.play
    await this.page.waitForSelector('.turn.mine')
    await this.page.getByRole('button', { name: resign }).click()
    const question = this.page.getByRole('alertdialog', { name: resignSure })
    await question.getByRole('button', { name: resign }).click()
    await this.page.waitForSelector('.turn:not(.mine)')
  }

  /** Presses the tabulator until the focus is there. */
  async tabTo(selector: string): Promise<void> {
    for (let presses = 0; presses < 99; presses++) {
      if (await this.page.locator(`${selector}:focus`).count()) return
      await this.page.keyboard.press('Tab')
    }
    throw new Error(`The tabulator does not lead to ${selector}.`)
  }

  /** Presses arrow keys from where the focus is on a board. */
  async walkTo(space: string): Promise<void> {
    for (let presses = 0; presses < 60; presses++) {
      const key = await this.page.evaluate((goal) => {
        const here = document.activeElement?.getBoundingClientRect()
        const there = document.querySelector(`[data-space="${goal}"]`)?.getBoundingClientRect()
        if (here === undefined || there === undefined) return null
        const [dx, dy] = [there.x - here.x, there.y - here.y]
        if (Math.hypot(dx, dy) < 1) return ''
        if (Math.abs(dx) > Math.abs(dy)) return dx > 0 ? 'ArrowRight' : 'ArrowLeft'
        return dy > 0 ? 'ArrowDown' : 'ArrowUp'
      }, space)
      if (key === '') return
      if (key !== null) await this.page.keyboard.press(key)
    }
    throw new Error(`The arrow keys do not lead to ${space}.`)
  }

  /** Where the selected piece may go, as it is read aloud. */
  async targets(): Promise<readonly string[]> {
    const { target, attackable } = this.words.play
    const spaces = await this.page
      .locator('[data-space]')
      .evaluateAll((all) =>
        all.map((space) => [space.getAttribute('data-space'), space.getAttribute('aria-label')]),
      )
    return spaces.flatMap(([space, label]) =>
      label?.endsWith(target) || label?.endsWith(attackable) ? (space ?? []) : [],
    )
  }

  /** What is read aloud of each space, in the order of the board. */
  spaces(): Promise<readonly string[]> {
    return this.page
      .locator('[data-space]')
      .evaluateAll((all) => all.map((space) => space.getAttribute('aria-label') ?? ''))
  }

  /** For who looks into a failure: whether the page still answers, and still draws. */
  async condition(): Promise<string> {
    const answered = this.page.evaluate(async (seconds) => {
      let frames = 0
      const count = (): void => {
        frames += 1
        requestAnimationFrame(count)
      }
      requestAnimationFrame(count)
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
      const { visibilityState, readyState } = document
      return `${frames} frames in ${seconds} s, ${visibilityState}, ${readyState}, ${location.hash}`
    }, 2)
    const silent = delay(SILENT_MS, `no answer in ${SILENT_MS} ms`, { ref: false })
    const state = await Promise.race([answered.catch(String), silent])
    return `A page of the failed test: ${state}`
  }

  /** axe finds nothing serious on the screen, and nothing is wider than the window. */
  async expectGoodScreen(name: string): Promise<void> {
    const serious = await seriousFindings(this.page)
    expect(serious, `axe on ${name}`).toEqual([])
    await this.#expectNoOverflow(name)
  }

  /** Nothing is wider than the window, be that of a watch, a phone or a desk at which all is twice as large. */
  async expectToFit(name: string): Promise<void> {
    for (const width of [280, 360, 600, 900, 1200]) {
      await this.page.setViewportSize({ width, height: 640 })
      await this.#expectNoOverflow(`${name}, ${width} pixels wide,`)
    }
  }

  /** What is written on the pieces stays within their rims. */
  async expectWordsOnPieces(): Promise<void> {
    const outside = await this.page.locator('.piece.face').evaluateAll((all) =>
      all.flatMap((piece) => {
        const width = (part: string): number =>
          piece.querySelector(part)?.getBoundingClientRect().width ?? 0
        return width('.word') > width('.rim') ? (piece.textContent ?? '') : []
      }),
    )
    expect(outside, 'words that are wider than their pieces').toEqual([])
  }

  async #expectNoOverflow(name: string): Promise<void> {
    const overflow = await this.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow, `how much ${name} is wider than its window`).toBeLessThanOrEqual(0)
  }
}

/** Chooses a value of a rule in its line of the form. */
async function setOption(line: Locator, value: string): Promise<void> {
  const choices = line.locator('select')
  if ((await choices.count()) > 0) return void (await choices.selectOption(value))
  const number = line.locator('input[type="number"]')
  const unlimited = line.getByRole('checkbox')
  if ((await unlimited.count()) > 0) await unlimited.setChecked(value === 'null')
  if (value === 'null') return
  await number.fill(value)
  await number.blur()
}

/**
 * Refusals over HTTP are answers: of strangers, who is shut out, games that are not there, what cannot be done. A server that is down has
 * none, and without a network a handshake is given up.
 */
const isExpected = (complaint: string): boolean =>
  /status of 40[1349]|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INTERNET_DISCONNECTED|closed before the connection is established|HTTP Authentication failed/.test(
    complaint,
  )
