import type { Browser, Page } from 'playwright-core'
import { arrive, ownTurn, playTurn, playTurns, withBrowser } from './playing.ts'

/**
 * Plays siguo with bots and prints how much of the page's own script a move of another costs, from the message to the
 * board that shows it: processor time, so that what else the machine does counts little.
 */

/** Own turns that are not measured: in them the script is compiled and the history grows. */
const WARM_UP = 8
const MEASURED = 9
const BUDGET_MS = 4
/** Long enough for each move to be drawn alone. */
const BOT_PAUSE_MS = 300

await withBrowser(BOT_PAUSE_MS, async (browser) => {
  const viewport = { width: 1200, height: 820 }
  const page = await arrive(browser, { name: '小明', locale: 'zh-CN', viewport })
  await page.click('[data-test="bots-siguo"]')
  await page.click('[data-test="submit"]')
  await playTurns(page, WARM_UP)
  const costs: number[] = []
  while (costs.length < MEASURED) costs.push(await costOfAMove(browser, page))
  costs.sort((one, other) => one - other)
  const [median, worst] = [costs[MEASURED >> 1] ?? 0, costs.at(-1) ?? 0]
  console.log(
    `A move on the siguo board costs ${median.toFixed(1)} ms of the page's script (median of ${MEASURED} rounds; the worst round ${worst.toFixed(1)} ms); the budget is ${BUDGET_MS} ms.`,
  )
})

/** The mean of the others' moves between two of one's own. */
async function costOfAMove(browser: Browser, page: Page): Promise<number> {
  await playTurn(page)
  const before = await movesOf(page)
  await browser.startTracing(page, { categories: ['devtools.timeline'] })
  await ownTurn(page)
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString())
  return scriptMilliseconds(traceEvents) / ((await movesOf(page)) - before)
}

/** How many moves were made, as the page says. */
async function movesOf(page: Page): Promise<number> {
  const text = (await page.locator('.limits').textContent()) ?? ''
  return Number(/\d+/.exec(text)?.[0])
}

/** Something that the browser did, in microseconds. */
interface TraceEvent {
  readonly name: string
  readonly ts: number
  readonly dur?: number
  /** Of the processor. */
  readonly tdur?: number
  readonly args?: { readonly data?: { readonly url?: string } }
}

/** What the page's own functions took. What timers call is left out: those are the clock's ticks. */
function scriptMilliseconds(events: readonly TraceEvent[]): number {
  const calls = events.filter((event) => event.name === 'TimerFire' || isOwnCall(event))
  calls.sort((one, other) => one.ts - other.ts)
  let microseconds = 0
  let end = 0
  for (const { name, ts, dur = 0, tdur = 0 } of calls) {
    if (ts < end) continue
    end = ts + dur
    if (name === 'FunctionCall') microseconds += tdur
  }
  return microseconds / 1000
}

function isOwnCall({ name, args }: TraceEvent): boolean {
  return name === 'FunctionCall' && args?.data?.url?.includes('/assets/') === true
}
