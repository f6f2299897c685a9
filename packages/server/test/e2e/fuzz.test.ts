import { afterEach, test } from 'vitest'
import { fuzzServer } from '../support/fuzz-server.ts'
import { stopApps } from '../support/test-app.ts'

afterEach(stopApps)

test('F-U4, F-R1, F-H1: whatever anybody sends, in whatever phase, nothing breaks, each message is answered once, and each sees what the log tells it', async () => {
  await fuzzServer(3_000, 20_251_001)
})
