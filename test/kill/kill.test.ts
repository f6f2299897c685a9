import { expect, onTestFailed, test } from 'vitest'
import { formatReport, killRun, wrongIn } from './kill-run.ts'

test('F-C1 F-R2 F-C7: after a few kills nothing that was acknowledged is lost', async () => {
  const size = { rooms: 10, kills: 6, commands: 2_000, haste: 4, seed: 1 }
  const progress: string[] = []
  onTestFailed(() => console.log(progress.join('\n')))
  const report = await killRun(size, (line) => progress.push(line))
  console.log(formatReport(report))
  expect(wrongIn(report)).toEqual([])
  expect(report.kills).toBe(6)
  expect(report.gamesEnded).toBeGreaterThan(0)
}, 300_000)
