import { defineConfig } from 'vitest/config'
import { tellFailures } from './test/support/tell-failures.ts'
import { shared } from './vitest.config.ts'

/** Everything goes wrong, often: one file at a time, so that what is measured is not of two. */
export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    reporters: ['default', tellFailures],
    include: ['test/chaos/*.test.ts'],
    exclude: ['**/*.short.test.ts'],
    maxWorkers: 1,
    testTimeout: 7_200_000,
  },
})
