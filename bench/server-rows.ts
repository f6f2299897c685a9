import { atLeast, atMost, median, percentile, type Row, reported } from './report.ts'
import { benchRules, makeScript, type Script } from './scripts.ts'
import { type ServerProcess, startBare, startJunqi } from './server-process.ts'
import { openBareRoom, openJunqiRoom, type TableRoom } from './table-room.ts'

const ROOMS = 100
const MOVES = 300
const PAIRS = 5

interface Run {
  /** Server CPU a move, in microseconds. */
  readonly cpu: number
  /** Moves a second. */
  readonly rate: number
  readonly latencies: readonly number[]
}

/** Server rows: Junqi on LMDB against the bare yardstick, pairs interleaved. */
export async function* serverRows(): AsyncGenerator<Row> {
  const rules = benchRules()
  const scripts = Array.from({ length: ROOMS }, (_, i) => makeScript(rules, MOVES, (i % 10) + 1))
  const bare: Run[] = []
  const junqi: Run[] = []
  for (let pair = 0; pair < PAIRS; pair++) {
    bare.push(
      await measured(
        startBare,
        (server, i, script) => openBareRoom(server.port, `r${i}`, script),
        scripts,
      ),
    )
    junqi.push(await measured(startJunqi, openGuestRoom, scripts))
  }
  const ratio = (of: (run: Run) => number): number =>
    median(junqi.map((run, i) => of(run) / of(bare[i] ?? run)))
  yield reported('bare-ws: CPU a move', `${median(bare.map((run) => run.cpu)).toFixed(1)} us`)
  yield reported(
    'junqi: CPU an accepted move',
    `${median(junqi.map((run) => run.cpu)).toFixed(1)} us`,
  )
  yield atMost(
    'CPU an accepted move, siguo, LMDB',
    ratio((run) => run.cpu),
    1.5,
    'x bare-ws',
  )
  yield atLeast(
    'accepted moves a second at saturation, LMDB',
    ratio((run) => run.rate),
    0.65,
    'x bare-ws',
  )
  for (const [share, name] of [
    [0.5, 'p50'],
    [0.99, 'p99'],
  ] as const) {
    const of = (runs: readonly Run[]): string =>
      median(runs.map((run) => percentile(run.latencies, share))).toFixed(2)
    yield reported(`latency at saturation, ${name}, bare / junqi`, `${of(bare)} / ${of(junqi)} ms`)
  }
}

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

async function openGuestRoom(server: ServerProcess, _: number, script: Script): Promise<TableRoom> {
  const tokens = await Promise.all([0, 1, 2, 3].map((i) => guestToken(server.port, `guest ${i}`)))
  return openJunqiRoom([server.port], tokens, script)
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
