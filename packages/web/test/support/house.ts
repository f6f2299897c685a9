import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import {
  type ServerProcess,
  type Settings,
  startServer,
} from '../../../../test/support/server-process.ts'
import { theBrowser, Visitor, type Wish } from './browser.ts'

/** Somebody new opens the page; after the test it is gone, and its browser must not have complained. */
export type Arrive = (wish?: Wish, path?: string) => Promise<Visitor>

/** One browser for all who visit a server in the tests of a file. To be called inside of `describe`. */
export function openDoor(url: () => string): Arrive {
  let browser: Browser
  const visitors: Visitor[] = []
  beforeAll(async () => {
    browser = await theBrowser()
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') {
      for (const visitor of visitors) process.stderr.write(`${await visitor.condition()}\n`)
    }
    for (const { problems, context } of visitors.splice(0)) {
      await context.close()
      expect(problems, 'complaints of the console').toEqual([])
    }
  })
  return async (wish = {}, path = '/') => {
    const visitor = await Visitor.arrive(browser, `${url()}${path}`, wish)
    visitors.push(visitor)
    return visitor
  }
}

/** What the tests of a file share: a server, and a browser for all who visit it. */
export interface House {
  readonly server: ServerProcess
  readonly arrive: Arrive
}

/** To be called inside of `describe`. */
export function openHouse(settings: Settings = {}): House {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({ JUNQI_RATE_GUESTS: '100/s burst 100', ...settings })
  })
  afterAll(() => server.stop())
  return {
    get server() {
      return server
    },
    arrive: openDoor(() => server.url),
  }
}
