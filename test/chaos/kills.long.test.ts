import { clientMessage } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { describeWithRedis } from '../support/redis-server.ts'
import { formatKills, killsRun, wrongIn } from './kills.ts'
import { percentile } from './silences.ts'

/** What stands in no log: of a connection, said, looked for. Nodes lose nothing of that either; other tests see to it. */
const IN_NO_LOG = new Set([
  ...['hello', 'ping', 'subscribe', 'unsubscribe', 'watchLobby', 'unwatchLobby'],
  ...['say', 'silence', 'mutePlayer'],
  ...['quickPlay', 'joinPair', 'cancelQuickPlay', 'askQuickPlay'],
])
/** There are no bots here. */
const NOT_HERE = 'addBot'
/** DESIGN 5.4, in milliseconds. */
const HAND_OVER = 2_000

describeWithRedis('three nodes over one Redis', () => {
  test('F-C1 F-R2: nodes and Redis are killed five hundred times, and nothing that was acknowledged is lost, of any kind', async () => {
    const size = { kills: 520, brisk: 6, lingering: 2, seed: 2 }
    const report = await killsRun(size, (line) => console.log(line))
    console.log(formatKills(report))
    expect(wrongIn(report)).toEqual([])
    expect(report.killsOfNodes + report.killsOfRedis).toBeGreaterThanOrEqual(size.kills)
    const types = clientMessage.options.map((option) => option.shape.type.value)
    expect([...report.acknowledged.keys()].sort()).toEqual(
      types.filter((type) => !IN_NO_LOG.has(type) && type !== NOT_HERE).sort(),
    )
    expect(percentile(report.handOvers, 0.99)).toBeLessThanOrEqual(HAND_OVER)
  })
})
