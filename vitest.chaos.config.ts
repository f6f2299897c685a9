import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** Everything goes wrong, often: one file at a time, so that what is measured is not of two. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/chaos/*.test.ts'],
    exclude: ['**/*.short.test.ts'],
    maxWorkers: 1,
    testTimeout: 7_200_000,
  },
})
