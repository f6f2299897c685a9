import { expect, onTestFailed, test } from 'vitest'
import { describeWithRedis } from '../support/redis-server.ts'
import { formatKills, killsRun, wrongIn } from './kills.ts'

describeWithRedis('three nodes over one Redis', () => {
  test('F-C1 F-R2: nodes and Redis are killed a few times, and nothing that was acknowledged is lost', async () => {
    const progress: string[] = []
    onTestFailed(() => console.log(progress.join('\n')))
    const size = { kills: 6, brisk: 4, lingering: 1, seed: 1 }
    const report = await killsRun(size, (line) => progress.push(line))
    console.log(formatKills(report))
    expect(wrongIn(report)).toEqual([])
    expect(report.killsOfNodes + report.killsOfRedis).toBeGreaterThanOrEqual(size.kills)
    expect(report.handOvers.length).toBeGreaterThan(0)
  }, 600_000)
})
