import { openGuestRoom } from './junqi-room.ts'
import { type Measured, measured, type Unmeasured } from './report.ts'
import type { Group, Scale } from './scale.ts'
import { makeScripts, type Script } from './scripts.ts'
import { hasRedis, startBare, startJunqi, startJunqiOnRedis } from './server-process.ts'
import { openBare, openRooms, type Subject, withServer } from './subject.ts'

interface Run {
  /** Server CPU a move, in microseconds. */
  readonly cpu: number
  /** Moves a second. */
  readonly rate: number
  /** Redis's own CPU a move, and its memory for a game, in KiB; null: there is none. */
  readonly redisCpu: number | null
  readonly redisMemory: number | null
}

export const BARE: Subject = { start: startBare, open: openBare }
export const LMDB: Subject = { start: startJunqi, open: openGuestRoom }

const onRedis = (nodes: number): Subject => ({
  start: () => startJunqiOnRedis(nodes),
  open: openGuestRoom,
})

export const REDIS = { 'cpu-redis': onRedis(1), 'cpu-redis-2': onRedis(2) } as const

/** As many moves as the server takes, each room's next one when the last has been seen. */
export const moveGroup: Group = {
  rows: [
    'yardstick',
    'noise',
    'cpu-lmdb',
    'cpu-redis',
    'redis-cpu',
    'redis-memory',
    'cpu-redis-2',
    'saturation',
  ],
  async *measure(scale, wanted) {
    const subjects = new Map<string, Subject>()
    if (wanted.has('cpu-lmdb') || wanted.has('saturation')) subjects.set('lmdb', LMDB)
    if (hasRedis()) {
      if (ON_REDIS.some((row) => wanted.has(row))) subjects.set('cpu-redis', REDIS['cpu-redis'])
      if (wanted.has('cpu-redis-2')) subjects.set('cpu-redis-2', REDIS['cpu-redis-2'])
    }
    const { yardsticks, noise, runs } = await inPairs(scale, subjects)
    yield measured('yardstick', of(yardsticks, 'cpu'))
    yield measured('noise', of(noise, 'cpu'), ratiosOf(noise, yardsticks, 'cpu'))
    const lmdb = runs.get('lmdb')
    if (lmdb) {
      yield measured('cpu-lmdb', of(lmdb, 'cpu'), ratiosOf(lmdb, yardsticks, 'cpu'))
      yield measured('saturation', of(lmdb, 'rate'), ratiosOf(lmdb, yardsticks, 'rate'))
    }
    for (const row of [...ON_REDIS, 'cpu-redis-2'] as const) {
      if (wanted.has(row)) yield redisRow(row, runs, yardsticks)
    }
  },
}

/** Of one node. */
const ON_REDIS = ['cpu-redis', 'redis-cpu', 'redis-memory'] as const

function redisRow(
  row: (typeof ON_REDIS)[number] | 'cpu-redis-2',
  all: ReadonlyMap<string, readonly Run[]>,
  yardsticks: readonly Run[],
): Measured | Unmeasured {
  const runs = all.get(row === 'cpu-redis-2' ? row : 'cpu-redis')
  if (runs === undefined) return { row, why: 'there is no redis-server here' }
  if (row === 'redis-cpu')
    return measured(
      row,
      runs.flatMap(({ redisCpu }) => redisCpu ?? []),
    )
  if (row === 'redis-memory')
    return measured(
      row,
      runs.flatMap(({ redisMemory }) => redisMemory ?? []),
    )
  return measured(row, of(runs, 'cpu'), ratiosOf(runs, yardsticks, 'cpu'))
}

type Compared = 'cpu' | 'rate'

const of = (runs: readonly Run[], what: Compared): number[] => runs.map((run) => run[what])

export const ratiosOf = (runs: readonly Run[], bare: readonly Run[], what: Compared): number[] =>
  runs.map((run, i) => run[what] / (bare[i]?.[what] ?? Number.NaN))

interface Pairs<Name> {
  readonly yardsticks: readonly Run[]
  /** The yardstick again, after the subjects of the round. */
  readonly noise: readonly Run[]
  readonly runs: ReadonlyMap<Name, readonly Run[]>
}

/** In each round the yardstick, each subject, and the yardstick again, so that the noise of the machine shows. */
export async function inPairs<Name extends string>(
  scale: Scale,
  subjects: ReadonlyMap<Name, Subject>,
): Promise<Pairs<Name>> {
  const scripts = makeScripts(scale.rooms, scale.moves)
  const yardsticks: Run[] = []
  const noise: Run[] = []
  const runs = new Map<Name, Run[]>([...subjects.keys()].map((name) => [name, []]))
  for (let round = 0; round < scale.rounds; round++) {
    yardsticks.push(await playAll(BARE, scripts, scale.moves))
    for (const [name, subject] of subjects) {
      runs.get(name)?.push(await playAll(subject, scripts, scale.moves))
    }
    noise.push(await playAll(BARE, scripts, scale.moves))
  }
  return { yardsticks, noise, runs }
}

const playAll = (subject: Subject, scripts: readonly Script[], moves: number): Promise<Run> =>
  withServer(subject.start, async (server) => {
    const empty = server.redis?.memory() ?? 0
    const rooms = await openRooms(server, subject.open, scripts)
    const warm = Math.floor(moves / 2)
    await Promise.all(rooms.map((room) => room.play(0, warm)))
    const cpu = server.cpu()
    const redisCpu = server.redis?.cpu() ?? 0
    const at = performance.now()
    await Promise.all(rooms.map((room) => room.play(warm, moves)))
    const seconds = (performance.now() - at) / 1000
    const played = rooms.length * (moves - warm)
    const { redis } = server
    const run = {
      cpu: (server.cpu() - cpu) / played,
      rate: played / seconds,
      redisCpu: redis === null ? null : (redis.cpu() - redisCpu) / played,
      redisMemory: redis === null ? null : (redis.memory() - empty) / rooms.length / 1024,
    }
    for (const room of rooms) room.close()
    return run
  })
