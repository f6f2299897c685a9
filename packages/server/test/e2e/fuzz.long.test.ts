import { afterEach, test } from 'vitest'
import { fuzzServer } from '../support/fuzz-server.ts'
import { stopApps } from '../support/test-app.ts'

afterEach(stopApps)

test('F-U4, F-R1: 50,000 frames of every kind, each answered once', async () => {
  await fuzzServer(50_000, 7)
})
