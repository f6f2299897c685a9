import { defineConfig } from 'vitest/config'
import { tellFailures } from './test/support/tell-failures.ts'
import { shared } from './vitest.config.ts'

/** One run, as long as it is asked for (test/soak/run.mjs). */
export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    include: ['test/soak/*.long.test.ts'],
    testTimeout: 24 * 3_600_000,
    reporters: ['default', tellFailures],
  },
})
