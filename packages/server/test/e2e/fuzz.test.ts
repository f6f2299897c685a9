import { afterEach, test } from 'vitest'
import { fuzzServer } from '../support/fuzz-server.ts'
import { stopApps } from '../support/test-app.ts'

afterEach(stopApps)

test('F-U4, F-R1: whatever bytes come, nothing breaks, and each message is answered once', async () => {
  await fuzzServer(5_000, 20_251_001)
})
