import { clientMessage } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { formatReport, killRun, wrongIn } from './kill-run.ts'

const OF_A_CONNECTION = new Set(['hello', 'ping', 'subscribe', 'unsubscribe'])

test('F-C1 F-R2 F-C7: after fifty kills nothing that was acknowledged is lost, of any kind', async () => {
  const report = await killRun(
    { rooms: 24, kills: 60, commands: 24_000, haste: 1, seed: 2 },
    (line) => console.log(line),
  )
  console.log(formatReport(report))
  expect(wrongIn(report)).toEqual([])
  expect(report.kills).toBe(60)
  const types = clientMessage.options.map((option) => option.shape.type.value)
  expect([...report.acknowledged.keys()].sort()).toEqual(
    types.filter((type) => !OF_A_CONNECTION.has(type)).sort(),
  )
})
