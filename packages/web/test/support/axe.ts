import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe calls serious or worse on a page, with where it is. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  // Through the debugger, for the page's policy lets no other script in.
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: axe.source })
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run().then(({ violations }) => JSON.stringify(violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ target, failureSummary }) => target + ' ' + failureSummary).slice(0, 5).join(' | '))))`,
    awaitPromise: true,
    returnByValue: true,
  })
  await session.detach()
  const found: unknown = JSON.parse(String(result.value))
  return Array.isArray(found) ? found.map(String) : []
}
