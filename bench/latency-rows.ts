import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openGuestRoom } from './junqi-room.ts'
import { BARE, LMDB } from './move-rows.ts'
import { measured } from './report.ts'
import type { Group, Scale } from './scale.ts'
import { makeScripts } from './scripts.ts'
import { hasRedis, makeFolder, removeFolder, startJunqiOnRedis } from './server-process.ts'
import { median, percentile } from './statistics.ts'
import { openRooms, type Subject, withServer } from './subject.ts'
import type { Manner, TableRoom } from './table-room.ts'

const SHARE_OF_SATURATION = 0.3
const CROSS_NODE_RATE = 500
/** A lead, so that the first moves are not late already. */
const LEAD_MS = 20

/** Moves that come when they come, however long the answers take: 30 % of what Junqi takes at most, for both. */
export const latencyGroup: Group = {
  rows: ['latency-p50', 'latency-p99'],
  async *measure(scale) {
    const pairs: Pair[] = []
    for (let round = 0; round < scale.rounds; round++) {
      const { rate, latencies } = await atShare(LMDB, scale, null)
      const bare = await atShare(BARE, scale, rate)
      pairs.push({ rate, lmdb: latencies, bare: bare.latencies, fsync: fsyncMs() })
    }
    const p50 = (values: readonly number[]): number => percentile(values, 0.5)
    const p99 = (values: readonly number[]): number => percentile(values, 0.99)
    const rate = Math.round(median(pairs.map((pair) => pair.rate)))
    const fsync = median(pairs.map((pair) => pair.fsync)).toFixed(2)
    yield measured(
      'latency-p50',
      pairs.map(({ lmdb }) => p50(lmdb)),
      pairs.map(({ lmdb, bare, fsync }) => p50(lmdb) / (p50(bare) + fsync)),
      `${rate} moves a second; one fsync here ${fsync} ms`,
    )
    yield measured(
      'latency-p99',
      pairs.map(({ lmdb }) => p99(lmdb)),
      pairs.map(({ lmdb, bare }) => p99(lmdb) / p99(bare)),
      `bare-ws ${median(pairs.map(({ bare }) => p99(bare))).toFixed(2)} ms`,
    )
  },
}

interface Pair {
  readonly rate: number
  readonly lmdb: readonly number[]
  readonly bare: readonly number[]
  readonly fsync: number
}

/** `rate`: moves a second; null: 30 % of what the server takes while it warms up. */
const atShare = (
  subject: Subject,
  scale: Scale,
  rate: number | null,
): Promise<{ readonly rate: number; readonly latencies: readonly number[] }> =>
  withServer(subject.start, async (server) => {
    const rooms = await openRooms(server, subject.open, makeScripts(scale.rooms, scale.moves))
    const warm = Math.floor(scale.moves / 2)
    const half = Math.floor(warm / 2)
    await Promise.all(rooms.map((room) => room.play(0, half)))
    const at = performance.now()
    await Promise.all(rooms.map((room) => room.play(half, warm)))
    const most = (rooms.length * (warm - half) * 1000) / (performance.now() - at)
    const chosen = rate ?? most * SHARE_OF_SATURATION
    const latencies = await playAtRate(rooms, { from: warm, to: scale.moves, rate: chosen })
    for (const room of rooms) room.close()
    return { rate: chosen, latencies }
  })

/** Every room's moves in turn, evenly over time. */
async function playAtRate(
  rooms: readonly TableRoom[],
  { from, to, rate }: { readonly from: number; readonly to: number; readonly rate: number },
  seenBy = 0,
): Promise<readonly number[]> {
  const start = performance.now() + LEAD_MS
  const all = await Promise.all(
    rooms.map((room, r) => {
      const dueAt: Manner['dueAt'] = (i) => start + (((i - from) * rooms.length + r) * 1000) / rate
      return room.play(from, to, { dueAt, seenBy })
    }),
  )
  return all.flat()
}

/** One sync of a page, where stores are kept. */
function fsyncMs(): number {
  const folder = makeFolder()
  const file = openSync(join(folder, 'page'), 'w')
  const page = Buffer.alloc(4096, 1)
  const times = Array.from({ length: 101 }, () => {
    const at = performance.now()
    writeSync(file, page, 0, page.length, 0)
    fdatasyncSync(file)
    return performance.now() - at
  })
  closeSync(file)
  removeFolder(folder)
  return median(times)
}

/** From a seat at one node to its neighbour at the other. */
export const crossNodeGroup: Group = {
  rows: ['cross-node'],
  async *measure(scale) {
    if (!hasRedis()) {
      yield { row: 'cross-node', why: 'there is no redis-server here' }
      return
    }
    const start = () => startJunqiOnRedis(2)
    const latencies = await withServer(start, async (server) => {
      const rooms = await openRooms(server, openGuestRoom, makeScripts(scale.rooms, scale.moves))
      await playAtRate(rooms, { from: 0, to: 20, rate: CROSS_NODE_RATE }, 1)
      const rounds = Array.from({ length: scale.rounds }, (_, i) => 20 + i * 20)
      const measuredRounds: (readonly number[])[] = []
      for (const from of rounds) {
        measuredRounds.push(
          await playAtRate(rooms, { from, to: from + 20, rate: CROSS_NODE_RATE }, 1),
        )
      }
      return measuredRounds
    })
    const p50 = median(latencies.map((round) => percentile(round, 0.5))).toFixed(2)
    const p99s = latencies.map((round) => percentile(round, 0.99))
    yield measured('cross-node', p99s, [], `p50 ${p50} ms; both nodes on one core`)
  },
}
