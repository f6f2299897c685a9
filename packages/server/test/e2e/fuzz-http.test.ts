import { afterEach, test } from 'vitest'
import { fuzzHttp } from '../support/fuzz-http-run.ts'
import { stopApps } from '../support/test-app.ts'

afterEach(stopApps)

test('F-U4, F-H2: whatever is asked over HTTP, at either port, the answer is one that the document tells of', async () => {
  await fuzzHttp(600, 20_261_130)
})
