import axe, { type RunOptions } from 'axe-core'
import type { CDPSession, Page } from 'playwright-core'

const LOOKS = [
  { colorScheme: 'light', options: { resultTypes: ['violations'] } },
  // Only the colours are others.
  { colorScheme: 'dark', options: { runOnly: ['color-contrast'] } },
] satisfies readonly { colorScheme: 'light' | 'dark'; options: RunOptions }[]

/** What axe calls serious or worse on a page, light and dark, with where it is. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  // Through the debugger, for the page's policy lets no other script in.
  const session = await page.context().newCDPSession(page)
  // It is large, and stays until the page is loaded anew.
  const { result } = await session.send('Runtime.evaluate', { expression: 'typeof axe' })
  if (result.value === 'undefined') {
    await session.send('Runtime.evaluate', { expression: axe.source })
  }
  const found: string[] = []
  for (const { colorScheme, options } of LOOKS) {
    await page.emulateMedia({ colorScheme })
    for (const finding of await findingsOf(session, options))
      found.push(`${colorScheme}: ${finding}`)
  }
  await session.detach()
  return found
}

async function findingsOf(session: CDPSession, options: RunOptions): Promise<readonly string[]> {
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(${JSON.stringify(options)}).then(({ violations }) => JSON.stringify(violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ target, failureSummary }) => target + ' ' + failureSummary).slice(0, 5).join(' | '))))`,
    awaitPromise: true,
    returnByValue: true,
  })
  const found: unknown = JSON.parse(String(result.value))
  return Array.isArray(found) ? found.map(String) : []
}
