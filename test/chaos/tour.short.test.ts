import { expect, onTestFailed, test } from 'vitest'
import { describeWithRedis } from '../support/redis-server.ts'
import { formatTour, grownHeaps, tour, wrongIn } from './tour.ts'

describeWithRedis('three nodes over one Redis, under load', () => {
  test('F-C1 F-C2 F-C3 F-D1 F-T1: each fault once, and nothing is lost, twice or otherwise than told', async () => {
    const progress: string[] = []
    onTestFailed(() => console.log(progress.join('\n')))
    const size = { brisk: 4, lingering: 2, rounds: 1, seed: 1 }
    const report = await tour(size, (line) => progress.push(line))
    console.log(formatTour(report))
    expect(wrongIn(report)).toEqual([])
    expect(report.timeouts).toBeGreaterThan(0)
    expect(grownHeaps(report)).toEqual([])
  }, 600_000)
})
