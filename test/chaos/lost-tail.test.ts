import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BySeat, bySeat, SEATS, type Seat } from '@junqi/engine'
import { expect, onTestFinished, test, vi } from 'vitest'
import { brokenLog, lostCommands, roomsOf, strangeView } from '../support/audit.ts'
import { Crowd } from '../support/crowd.ts'
import { FaultyLine } from '../support/faulty-line.ts'
import { Ledger } from '../support/ledger.ts'
import { makePlayer, type Player } from '../support/make-player.ts'
import { describeWithRedis, type RedisServer } from '../support/redis-server.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { good, moveIn, startGame, until } from './game.ts'
import { readRooms } from './records.ts'
import { Site } from './site.ts'
import { longTables } from './tables.ts'
import { readMetric } from './vitals.ts'

const TABLES = 4
/** Acknowledged at all tables together, and then lost. */
const LOST = 100

const waitFor = (holds: () => boolean): Promise<unknown> =>
  vi.waitUntil(holds, { timeout: 60_000, interval: 20 })

describeWithRedis('F-C4: Redis comes back without what it acknowledged last', () => {
  test('nodes drop their copies, bring everyone back to what there is, and games go on', async () => {
    const site = await Site.start(3)
    onTestFinished(() => site.stop())
    const ledger = new Ledger()
    const crowd = await Crowd.gather(
      { url: site.balancer.url, ledger, random: seededRandom(1) },
      longTables(TABLES),
    )
    onTestFinished(() => crowd.close())
    const played = crowd.play()
    played.catch(() => {})
    const seen = () => crowd.tables.flatMap((table) => table.seen())
    const players = crowd.players.length
    await waitFor(() => seen().filter(({ state }) => state.view.game !== null).length === players)
    crowd.finish()

    const kept = ledger.acknowledged.length
    const copy = await copyOf(site.redis)
    await waitFor(() => ledger.acknowledged.length >= kept + LOST)
    await site.redis.kill()
    await putBack(copy, site.redis)
    // What was answered before the kill has come by now.
    const resumed = ledger.acknowledged.length
    await site.redis.restart()
    await played

    const { acknowledged, faults, unanswered } = ledger
    const rooms = await readRooms(site.records, roomsOf(acknowledged))
    const logs = new Map([...rooms].map(([room, { log }]) => [room, log]))
    const remaining = [...acknowledged.slice(0, kept), ...acknowledged.slice(resumed)]
    expect(lostCommands(remaining, logs)).toEqual([])
    // Else nothing was lost, and nothing shown.
    expect(lostCommands(acknowledged.slice(kept, resumed), logs)).not.toEqual([])
    expect([...logs.values()].flatMap(brokenLog)).toEqual([])
    const strange = seen().map(({ player, state }) =>
      strangeView(logs.get(state.room) ?? [], player, state),
    )
    expect(strange).toEqual(strange.map(() => null))
    expect(await crowd.differing()).toEqual([])
    expect([faults, unanswered]).toEqual([[], []])
    const resyncs = await Promise.all(
      site.nodes.map(({ server }) => readMetric(server, 'junqi_resyncs_total')),
    )
    expect(resyncs.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(TABLES)
    expect(site.complaints()).toEqual([])
  }, 300_000)

  test('a player who was away meanwhile is brought back as well', async () => {
    const site = await Site.start(2)
    onTestFinished(() => site.stop())
    const way = await FaultyLine.to(Number(new URL(site.balancer.url).port))
    onTestFinished(() => way.close())
    const ledger = new Ledger()
    const random = seededRandom(1)
    const wayOf = (seat: Seat): string =>
      seat === AWAY ? `http://127.0.0.1:${way.port}` : site.balancer.url
    const made = await Promise.all(
      SEATS.map((seat) => makePlayer(seat, { url: wayOf(seat), ledger, random })),
    )
    const [south, east, north, west] = made
    if (!south || !east || !north || !west) throw new Error('not four')
    const players: BySeat<Player> = { south, east, north, west }
    onTestFinished(() => {
      for (const { client } of made) client.close()
    })
    const game = await startGame(
      bySeat((seat) => players[seat].client),
      { firstSeat: 'south', turnSeconds: 600 },
    )

    const copy = await copyOf(site.redis)
    const start = game.south.state?.version ?? 0
    for (const seat of OTHERS) await moveIn(game[seat], 0)
    const away = await until(game[AWAY], ({ version }) => version === start + OTHERS.length)
    await way.refuse()
    await site.redis.kill()
    await putBack(copy, site.redis)
    await site.redis.restart()
    // The others play on, another game, to beyond what the one who is away has seen.
    await until(game.south, ({ version }) => version === start)
    for (const seat of OTHERS) await moveIn(game[seat], 1)
    good(await game.south.offerDraw())
    await way.admit()

    const back = await until(game[AWAY], ({ version }) => version > away.version)
    const { log } = await site.records.room(back.room)
    expect(strangeView(log, players[AWAY].id, back)).toBeNull()
  })
})

/** In the order of their turns. */
const OTHERS = ['south', 'east', 'north'] as const
const AWAY = 'west'

/** What is on the disk now, while more is written. */
async function copyOf({ folder }: RedisServer): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'junqi-redis-copy-'))
  onTestFinished(() => rm(copy, { recursive: true }))
  await cp(folder, copy, { recursive: true })
  return copy
}

/** Of a server that does not run. */
async function putBack(copy: string, { folder }: RedisServer): Promise<void> {
  await rm(folder, { recursive: true })
  await cp(copy, folder, { recursive: true })
}
