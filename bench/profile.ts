import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Machine, thisMachine } from './machine.ts'
import { BARE, LMDB, REDIS } from './move-rows.ts'
import { type Share, summariseCpu, summariseHeap } from './profile-summary.ts'
import { formatNumber } from './report.ts'
import { FULL, QUICK } from './scale.ts'
import { makeScripts } from './scripts.ts'
import { pinLoad } from './server-process.ts'
import { openRooms, type Subject, withServer } from './subject.ts'

/** What a profile keeps as JSON: of a move. */
export interface ProfileResults {
  readonly machine: Machine
  readonly store: string
  readonly moves: number
  /** Microseconds, as the kernel counts them: otherwise, and while it was profiled. */
  readonly cpu: number
  readonly cpuWatched: number
  /** Microseconds. */
  readonly parts: readonly Share[]
  readonly functions: readonly Share[]
  /** Bytes allocated. */
  readonly allocated: number
  readonly allocatingParts: readonly Share[]
  readonly allocatingFunctions: readonly Share[]
}

const SUBJECTS: Readonly<Record<string, Subject>> = {
  lmdb: LMDB,
  redis: REDIS['cpu-redis'],
  bare: BARE,
}
const SHOWN = 30

/**
 * `npm run bench:profile [-- --store lmdb|redis|bare] [--quick]`: where a move's time goes. The profiles themselves, which
 * Chromium's developer tools open, lie beside the summary in bench/dist/profile.
 */
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'lmdb' },
    quick: { type: 'boolean', default: false },
  },
})
const subject = SUBJECTS[values.store]

if (subject === undefined) {
  process.stderr.write(`--store is one of ${Object.keys(SUBJECTS).join(', ')}\n`)
  process.exitCode = 2
} else {
  const machine = thisMachine()
  pinLoad()
  const results = await profile(subject, machine)
  print(results)
}

async function profile(subject: Subject, machine: Machine): Promise<ProfileResults> {
  const { rooms: count, moves } = values.quick ? QUICK : FULL
  const folder = fileURLToPath(new URL('./profile/', import.meta.url))
  mkdirSync(folder, { recursive: true })
  return withServer(subject.start, async (server) => {
    const rooms = await openRooms(server, subject.open, makeScripts(count, moves))
    const third = Math.floor(moves / 3)
    const played = count * third
    const play = async (from: number): Promise<{ all: number; main: number }> => {
      const all = server.cpu()
      const main = server.mainThreadCpu()
      await Promise.all(rooms.map((room) => room.play(from, from + third)))
      return { all: (server.cpu() - all) / played, main: (server.mainThreadCpu() - main) / played }
    }
    await play(0)
    const { all: cpu, main } = await play(third)
    await server.ask('startProfile')
    const { all: cpuWatched } = await play(2 * third)
    const found = await server.ask('stopProfile')
    writeFileSync(join(folder, `${values.store}.cpuprofile`), JSON.stringify(found.cpu))
    writeFileSync(join(folder, `${values.store}.heapprofile`), JSON.stringify(found.heap))
    const time = summariseCpu(found.cpu)
    const memory = summariseHeap(found.heap)
    // Shares of what the kernel counted: while others use the core as well, the profiler counts their time too.
    const inCpu = (shares: readonly Share[]): readonly Share[] => scaled(shares, main / time.total)
    const others: Share = { name: "other threads (the store's, collection)", amount: cpu - main }
    const inMoves = (shares: readonly Share[]): readonly Share[] => scaled(shares, 1 / played)
    const results: ProfileResults = {
      machine,
      store: values.store,
      moves: played,
      cpu,
      cpuWatched,
      parts: [...inCpu(time.parts), others].toSorted((a, b) => b.amount - a.amount),
      functions: inCpu(time.functions).slice(0, SHOWN),
      allocated: memory.total / played,
      allocatingParts: inMoves(memory.parts),
      allocatingFunctions: inMoves(memory.functions).slice(0, SHOWN),
    }
    writeFileSync(join(folder, `${values.store}.json`), `${JSON.stringify(results, null, 2)}\n`)
    return results
  })
}

function scaled(shares: readonly Share[], by: number): readonly Share[] {
  return shares.map(({ name, amount }) => ({ name, amount: amount * by }))
}

function print(results: ProfileResults): void {
  const { store, moves, cpu, cpuWatched, allocated } = results
  const lines = [
    `${store}: ${moves} moves, ${formatNumber(cpu)} us of CPU each; ${formatNumber(cpuWatched)} us while profiled`,
    ...tableOf('us of a move, by part', results.parts, cpu),
    ...tableOf('us of a move, by function', results.functions, cpu),
    ...tableOf('bytes allocated for a move, by part', results.allocatingParts, allocated),
    ...tableOf('bytes allocated for a move, by function', results.allocatingFunctions, allocated),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function tableOf(title: string, shares: readonly Share[], total: number): readonly string[] {
  const lines = shares.map(
    ({ name, amount }) =>
      `${formatNumber(amount).padStart(9)} ${((amount * 100) / total).toFixed(1).padStart(5)} %  ${name}`,
  )
  return ['', title, ...lines]
}
