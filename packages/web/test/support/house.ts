import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import {
  type ServerProcess,
  type Settings,
  startServer,
} from '../../../../test/support/server-process.ts'
import { launchBrowser, type Visit, Visitor } from './browser.ts'

/** What the tests of a file share: a server, and a browser for all who visit it. */
export interface House {
  readonly server: ServerProcess
  /** Somebody new opens the page; after the test it is gone, and its browser must not have complained. */
  arrive(wish?: Partial<Visit>, path?: string): Promise<Visitor>
}

/** To be called inside of `describe`. */
export function openHouse(settings: Settings = {}): House {
  let browser: Browser
  let server: ServerProcess
  const visitors: Visitor[] = []

  beforeAll(async () => {
    server = await startServer({ JUNQI_RATE_GUESTS: '100/s burst 100', ...settings })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })
  afterEach(async () => {
    for (const { problems, context } of visitors.splice(0)) {
      await context.close()
      expect(problems, 'complaints of the console').toEqual([])
    }
  })

  return {
    get server() {
      return server
    },
    async arrive(wish = {}, path = '/') {
      const visitor = await Visitor.arrive(browser, `${server.url}${path}`, wish)
      visitors.push(visitor)
      return visitor
    },
  }
}
