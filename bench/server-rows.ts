import { atLeast, atMost, median, percentile, type Row, reported } from './report.ts'
import { benchRules, makeScript, type Script } from './scripts.ts'
import { type ServerProcess, startBare, startJunqi, startJunqiOnRedis } from './server-process.ts'
import { openBareRoom, openJunqiRoom, type TableRoom } from './table-room.ts'

const ROOMS = 100
const MOVES = 300
const ROUNDS = 5

interface Run {
  /** Server CPU a move, in microseconds. */
  readonly cpu: number
  /** Moves a second. */
  readonly rate: number
  readonly latencies: readonly number[]
}

/** What is measured against the yardstick. */
const SUBJECTS = {
  lmdb: startJunqi,
  'Redis, one node': () => startJunqiOnRedis(1),
  'Redis, two nodes': () => startJunqiOnRedis(2),
} as const
type Subject = keyof typeof SUBJECTS

/** Server rows: Junqi on each store against the bare yardstick, interleaved. */
export async function* serverRows(): AsyncGenerator<Row> {
  const rules = benchRules()
  const scripts = Array.from({ length: ROOMS }, (_, i) => makeScript(rules, MOVES, (i % 10) + 1))
  const bare: Run[] = []
  const runs: Record<Subject, Run[]> = { lmdb: [], 'Redis, one node': [], 'Redis, two nodes': [] }
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await measured(startBare, openBare, scripts))
    for (const subject of keysOf(SUBJECTS)) {
      runs[subject].push(await measured(SUBJECTS[subject], openGuestRoom, scripts))
    }
  }
  const ratio = (subject: Subject, of: (run: Run) => number): number =>
    median(runs[subject].map((run, i) => of(run) / of(bare[i] ?? run)))
  yield reported('bare-ws: CPU a move', `${median(bare.map((run) => run.cpu)).toFixed(1)} us`)
  for (const [subject, budget] of [
    ['lmdb', 1.5],
    ['Redis, one node', 1.7],
    ['Redis, two nodes', 3],
  ] as const) {
    const cpu = median(runs[subject].map((run) => run.cpu))
    yield reported(`${subject}: CPU an accepted move`, `${cpu.toFixed(1)} us`)
    const cost = ratio(subject, (run) => run.cpu)
    yield atMost(`CPU an accepted move, siguo, ${subject}`, cost, budget, 'x bare-ws')
  }
  const rate = ratio('lmdb', (run) => run.rate)
  yield atLeast('accepted moves a second at saturation, lmdb', rate, 0.65, 'x bare-ws')
  for (const [share, name] of [
    [0.5, 'p50'],
    [0.99, 'p99'],
  ] as const) {
    const of = (some: readonly Run[]): string =>
      median(some.map((run) => percentile(run.latencies, share))).toFixed(2)
    yield reported(
      `latency at saturation, ${name}, bare / lmdb`,
      `${of(bare)} / ${of(runs.lmdb)} ms`,
    )
  }
}

const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] =>
  Object.keys(record) as Key[]

async function measured(
  start: () => Promise<ServerProcess>,
  open: (server: ServerProcess, i: number, script: Script) => Promise<TableRoom>,
  scripts: readonly Script[],
): Promise<Run> {
  const server = await start()
  try {
    const rooms = await Promise.all(scripts.map((script, i) => open(server, i, script)))
    const warm = MOVES / 3
    await Promise.all(rooms.map((room) => room.play(0, warm)))
    const cpu = server.cpu()
    const at = performance.now()
    const latencies = (await Promise.all(rooms.map((room) => room.play(warm, MOVES)))).flat()
    const seconds = (performance.now() - at) / 1000
    const moves = latencies.length
    const run = { cpu: (server.cpu() - cpu) / moves, rate: moves / seconds, latencies }
    for (const room of rooms) room.close()
    return run
  } finally {
    await server.stop()
  }
}

const openBare = ({ ports: [port = 0] }: ServerProcess, i: number, script: Script) =>
  openBareRoom(port, `r${i}`, script)

async function openGuestRoom(
  { ports }: ServerProcess,
  _: number,
  script: Script,
): Promise<TableRoom> {
  const tokens = await Promise.all([0, 1, 2, 3].map((i) => guestToken(ports[0] ?? 0, `guest ${i}`)))
  return openJunqiRoom(ports, tokens, script)
}

async function guestToken(port: number, name: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/guests`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  const guest: { token: string } = JSON.parse(await response.text())
  return guest.token
}
