import { defineConfig } from 'vitest/config'
import { tellFailures } from './test/support/tell-failures.ts'
import { shared } from './vitest.config.ts'

/** What takes longer than CI has: the full kill run, a million decodes, 2,000 pairs a preset. */
export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    reporters: ['default', tellFailures],
    include: ['packages/*/test/**/*.long.test.ts', 'test/**/*.long.test.ts'],
    // Those have runs of their own.
    exclude: ['**/node_modules/**', '**/dist/**', 'test/chaos/**', 'test/soak/**'],
    testTimeout: 3_600_000,
    maxConcurrency: 3,
  },
})
