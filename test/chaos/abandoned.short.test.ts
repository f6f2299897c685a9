import { expect, onTestFailed, test } from 'vitest'
import { describeWithRedis } from '../support/redis-server.ts'
import { abandonRun, formatAbandoned } from './abandoned.ts'

describeWithRedis('two nodes over one Redis', () => {
  test('F-C6: hundreds of rooms that were left leave no keys and no descriptors behind', async () => {
    const progress: string[] = []
    onTestFailed(() => console.log(progress.join('\n')))
    const report = await abandonRun({ waves: 1, groups: 8, isPatient: false }, (line) =>
      progress.push(line),
    )
    console.log(formatAbandoned(report))
    const [rest] = report.after
    expect(rest?.strays).toEqual([])
    expect(rest?.finished).toBeGreaterThan(0)
  }, 600_000)
})
