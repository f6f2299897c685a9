import { afterAll, describe, test } from 'vitest'
import { closeSpares } from './socket-site.ts'
import { compareOverSockets } from './whole-form.ts'

const PRESETS = ['siguo', 'siguo-table', 'siguo-ally-open', 'siguo-open', 'siguo-free'] as const

// Each waits for processes most of its time.
describe.concurrent('R-SEE-6, F-H3: over sockets, pairs of runs give an equal viewer the same bytes', () => {
  afterAll(closeSpares)

  test.each(PRESETS)('%s', compareOverSockets)
})
