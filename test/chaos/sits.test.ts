import { connect, type RoomHandle } from '@junqi/client'
import { SEATS, type Seat } from '@junqi/engine'
import type { RoomId } from '@junqi/protocol'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { brokenLog, type Log, stateAt } from '../support/audit.ts'
import { Ledger } from '../support/ledger.ts'
import { ledgerSocket } from '../support/ledger-socket.ts'
import { makePlayer, type Player } from '../support/make-player.ts'
import { describeWithRedis } from '../support/redis-server.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { good, makeRoom } from './game.ts'
import { Site } from './site.ts'

const CROWD = 100
const NODES = 2

let site: Site
let ledger: Ledger

const random = seededRandom(1)

async function guest(n: number): Promise<Player> {
  const { url } = nodeFor(n)
  const player = await makePlayer(`player ${n}`, { url, ledger, random })
  onTestFinished(() => player.client.close())
  return player
}

const nodeFor = (n: number) => site.nodes[n % NODES] ?? site.busiest

async function open({ client }: Pick<Player, 'client'>, room: RoomId): Promise<RoomHandle> {
  const handle = client.room(room)
  good(await handle.opened())
  return handle
}

const seatAt = (n: number): Seat => SEATS[n % SEATS.length] ?? 'south'

/** Who sat where after each entry. */
const sittings = (log: Log): readonly (readonly string[])[] =>
  log.map(({ version }) => {
    const seats = stateAt(log, version)?.seats
    return SEATS.flatMap((seat) => seats?.[seat]?.player.id ?? [])
  })

describeWithRedis('who sits down at once on two nodes', () => {
  beforeAll(async () => {
    site = await Site.start(NODES)
    ledger = new Ledger()
  })
  afterAll(() => site.stop())

  test('F-S1 F-S2: of a hundred players exactly four get a seat, and all see the same', async () => {
    const players = await Promise.all(Array.from({ length: CROWD }, (_, n) => guest(n)))
    const [host] = players
    if (host === undefined) throw new Error('nobody')
    const room = await makeRoom(host.client, {})
    const handles = await Promise.all(players.map((player) => open(player, room)))
    const results = await Promise.all(handles.map((handle, n) => handle.sit(seatAt(n))))

    const refused = results.flatMap((result) => (result.ok ? [] : [result.error.code]))
    expect(new Set(refused)).toEqual(new Set(['seat_taken']))
    expect(refused).toHaveLength(CROWD - SEATS.length)
    const { log } = await site.records.room(room)
    expect(log).toHaveLength(1 + SEATS.length)
    expect(brokenLog(log)).toEqual([])
    const seated = sittings(log).at(-1) ?? []
    expect(new Set(seated).size).toBe(SEATS.length)
    const winners = players.filter((_, n) => results[n]?.ok).map(({ id }) => id)
    expect([...seated].sort()).toEqual(winners.sort())
    for (const player of players) {
      player.client.room(room).close()
      const { view } = good(await player.client.room(room).opened())
      expect(SEATS.map((seat) => view.seats[seat]?.player.id)).toEqual(seated)
    }
    expect(ledger.faults).toEqual([])
  })

  test('F-S3: a player who takes every seat a hundred times has one at every moment', async () => {
    const player = await guest(0)
    const room = await makeRoom(player.client, {})
    const other = connect({
      url: nodeFor(1).url,
      token: player.token,
      clientName: 'another tab',
      WebSocket: ledgerSocket(ledger, player.id),
    })
    onTestFinished(() => other.close())
    const handles = await Promise.all([open(player, room), open({ client: other }, room)])
    const sits = Array.from({ length: CROWD / 2 }, (_, n) =>
      handles.map((handle, tab) => handle.sit(seatAt(n + tab))),
    )
    const results = await Promise.all(sits.flat())

    expect(results.filter(({ ok }) => ok).length).toBeGreaterThan(0)
    const { log } = await site.records.room(room)
    expect(brokenLog(log)).toEqual([])
    expect(log.length).toBe(1 + results.filter(({ ok }) => ok).length)
    for (const seated of sittings(log).slice(1)) expect(seated).toEqual([player.id])
    expect(ledger.faults).toEqual([])
  })
})
