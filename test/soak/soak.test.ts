import { expect, onTestFailed, test } from 'vitest'
import { formatSoak, soak } from './soak.ts'

/** So short that it shows that all of it works, and that everything goes when everyone has gone, and no trend. */
const SIZE = {
  store: 'lmdb',
  minutes: 0.05,
  samples: 2,
  restarts: 1,
  restless: 1,
  seed: 1,
} as const

test('F-C6: for seconds rooms come and go, players lose their lines, the node is restarted, and nothing is wrong', async () => {
  const progress: string[] = []
  onTestFailed(() => console.log(progress.join('\n')))
  const report = await soak(SIZE, (line) => progress.push(line))
  console.log(formatSoak(report))
  expect(report.wrong).toEqual([])
  expect(report.restarts).toBeGreaterThan(0)
  expect(report.cuts).toBeGreaterThan(0)
})
