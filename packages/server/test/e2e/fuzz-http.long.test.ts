import { afterEach, test } from 'vitest'
import { fuzzHttp } from '../support/fuzz-http-run.ts'
import { stopApps } from '../support/test-app.ts'

afterEach(stopApps)

/** `FUZZ_SEED=8`: others. */
test('F-U4, F-H2: 20,000 requests of every kind, at either port', async () => {
  await fuzzHttp(20_000, Number(process.env.FUZZ_SEED ?? 7))
})
