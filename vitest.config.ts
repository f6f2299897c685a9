import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const source = ['junqi-source']

/** What takes minutes although its file is short: vitest, which begins with the longest file, would leave it to the end. */
const SLOW = ['test/chaos/', 'test/kill/', 'packages/web/test/', 'packages/cli/test/']

/** Slow files first, so that no worker waits for one alone at the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = SLOW.findIndex((folder) => moduleId.includes(`/${folder}`))
      return found === -1 ? SLOW.length : found
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

const NEVER = ['**/node_modules/**', '**/dist/**', '**/*.long.test.ts']
/** It mocks a module, so it loads all of its own. */
const MOCKS = 'packages/server/src/players/accounts.test.ts'
/** Tests of code that keeps nothing between calls: they share a process, and so what they load. */
const PURE_TESTS = 'packages/{engine,protocol}/test/**/*.test.ts'
/** Tests in a browser: each waits for a page most of the time, and all load the same. */
const PAGE_TESTS = 'packages/web/test/**/*.test.ts'
/**
 * A click that never began: it waits until its button has stood still for two frames, and for half a minute Chromium has drawn
 * none. On a busy machine that happens once in some thousand page tests, to no page in particular; nothing else is tried twice.
 */
const NOTHING_IS_DRAWN = /enabled and stable(?:\W+22m)?\W*$/
const PURE = ['packages/*/src/**/*.test.ts', PURE_TESTS, 'bench/*.test.ts']

/** What every run of tests has. */
export const shared = {
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source } },
  test: {
    pool: 'forks',
    // More than two cores: tests of processes, disks and timers mostly wait.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
} as const

export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    projects: [
      {
        extends: true,
        test: { name: 'pure', include: PURE, exclude: [...NEVER, MOCKS], isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts', MOCKS],
          exclude: [...NEVER, PURE_TESTS, PAGE_TESTS],
        },
      },
      {
        extends: true,
        test: {
          name: 'page',
          include: [PAGE_TESTS],
          exclude: NEVER,
          isolate: false,
          retry: { count: 1, condition: NOTHING_IS_DRAWN },
        },
      },
    ],
  },
})
