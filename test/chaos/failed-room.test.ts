import { expect, onTestFinished, test, vi } from 'vitest'
import { Crowd } from '../support/crowd.ts'
import { Ledger } from '../support/ledger.ts'
import { describeWithRedis } from '../support/redis-server.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { Site } from './site.ts'
import { briskTables, lingeringTables } from './tables.ts'

const PATIENCE = { timeout: 60_000, interval: 50 }
/** Service time after a room's deadline in which it would have been tried again several times. */
const AFTER_MS = 4_000

describeWithRedis('a room that cannot be replayed', () => {
  test('F-C7: fails on every node, once, and takes no other down', async () => {
    const site = await Site.start(2)
    onTestFinished(() => site.stop())
    const ledger = new Ledger()
    const options = { url: site.balancer.url, ledger, random: seededRandom(1) }
    const crowd = await Crowd.gather(options, [...lingeringTables(1), ...briskTables(1)])
    onTestFinished(() => crowd.close())
    const [failing, other] = crowd.tables
    if (failing === undefined || other === undefined) throw new Error('no tables')
    const played = failing.play()
    const playedOn = other.play()
    playedOn.catch(() => {})
    const isInPlay = (): boolean =>
      failing.seen().every(({ state }) => state.view.phase === 'playing')
    await vi.waitUntil(() => failing.seen().length > 0 && isInPlay(), PATIENCE)
    const { room } = failing
    if (room === null) throw new Error('no room')

    const { deadline } = await site.records.standing(room)
    await site.records.plant(
      room,
      '{"at":1,"player":null,"command":null,"events":[{"type":"new"}]}',
    )
    await expect(played).rejects.toThrow('room_failed')

    const marked = { deadline: null, line: null, isFailed: true }
    await vi.waitFor(async () => {
      expect(await site.records.standing(room)).toMatchObject(marked)
    }, PATIENCE)
    for (const { client } of failing.players) {
      await vi.waitUntil(async () => {
        const opened = await client.room(room).opened()
        return !opened.ok && opened.error.code === 'room_failed'
      }, PATIENCE)
    }

    // The others play on, long after something was due in the room that failed.
    await vi.waitUntil(async () => {
      const next = other.room
      const { log } = next === null ? { log: [] } : await site.records.room(next)
      return (log.at(-1)?.at ?? 0) > (deadline ?? 0) + AFTER_MS
    }, PATIENCE)
    const times = failuresIn(site).length
    expect(times).toBeGreaterThan(0)
    expect(times).toBeLessThanOrEqual(site.nodes.length)
    other.finish()
    await playedOn
    expect(ledger.faults).toEqual([])
  })
})

/** Lines of the nodes that say that a room failed. */
const failuresIn = (site: Site): readonly string[] =>
  site.complaints().filter((line) => line.includes('"room failed"'))
