import { expect, test } from 'vitest'
import { describeWithRedis } from '../support/redis-server.ts'
import { formatTour, grownHeaps, tour, wrongIn } from './tour.ts'

describeWithRedis('three nodes over one Redis, under load', () => {
  test('F-C1 F-C2 F-C3 F-D1 F-T1: each fault often, and nothing is lost, twice or otherwise than told', async () => {
    const size = { brisk: 6, lingering: 3, rounds: 10, seed: 2 }
    const report = await tour(size, (line) => console.log(line))
    console.log(formatTour(report))
    expect(wrongIn(report)).toEqual([])
    expect(report.timeouts).toBeGreaterThan(0)
    expect(grownHeaps(report)).toEqual([])
  })
})
