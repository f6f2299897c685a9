import { expect, test } from 'vitest'
import { describeWithRedis } from '../support/redis-server.ts'
import { abandonRun, formatAbandoned } from './abandoned.ts'

/** Caches fill and code is compiled in the first wave; after it nothing more stays. */
const HEAP_SLACK = 4 * 2 ** 20

describeWithRedis('two nodes over one Redis', () => {
  test('F-C6: ten thousand rooms that were left leave no keys, no descriptors and no memory behind', async () => {
    const report = await abandonRun({ waves: 5, groups: 63, isPatient: true }, (line) =>
      console.log(line),
    )
    console.log(formatAbandoned(report))
    const [first] = report.after
    const last = report.after.at(-1)
    expect(last?.made).toBeGreaterThanOrEqual(10_000)
    expect(report.after.flatMap(({ strays }) => strays)).toEqual([])
    for (const [n, { heapBytes }] of report.end.entries()) {
      expect(heapBytes).toBeLessThan((first?.vitals[n]?.heapBytes ?? 0) + HEAP_SLACK)
    }
  })
})
