import { fourGuests, type Guest, type JunqiRoom, openJunqiRoom } from './junqi-room.ts'
import { BARE } from './move-rows.ts'
import { inParallel } from './pace.ts'
import { measured } from './report.ts'
import type { Group } from './scale.ts'
import { makeScripts, type Script } from './scripts.ts'
import { type ServerProcess, startJunqi } from './server-process.ts'
import { cpuEach, openRooms, withServer } from './subject.ts'
import type { TableRoom } from './table-room.ts'

/** A socket may watch so many rooms, so that 10,000 rooms need no 40,000 sockets; each table of four sits in as many. */
const ROOMS_PER_TABLE = 16
const OPENED_AT_ONCE = 20
/** Rooms that are in a move at the same time, on every step. */
const PLAYING = 100
/** Moves of one measurement, at the least, and measurements of a step. */
const MOVES = 6000
const BATCHES = 5
const LENGTH = 400
const ROWS = ['ladder-100', 'ladder-1000', 'ladder-10000'] as const

interface Step {
  readonly cpu: number[]
  readonly ratio: number[]
}

/** The cost of a move while rooms grow and sockets do not: the same connections, in more and more rooms. */
export const ladderGroup: Group = {
  rows: [...ROWS, 'ladder'],
  async *measure(scale) {
    const steps = await withServer(BARE.start, (bare) =>
      withServer(startJunqi, (server) => climb(scale.ladder, bare, server)),
    )
    for (const [i, step] of steps.entries()) {
      const row = ROWS[i]
      if (row !== undefined) yield measured(row, step.cpu, step.ratio)
    }
    const [first] = steps
    const last = steps.at(-1)
    if (first === undefined || last === undefined) return
    const growth = last.ratio.map((ratio, i) => ratio / (first.ratio[i] ?? Number.NaN))
    const rooms = scale.ladder.at(-1)?.toLocaleString('en')
    yield measured('ladder', last.ratio, growth, `${rooms} rooms against 100`)
  },
}

async function climb(
  ladder: readonly number[],
  bare: ServerProcess,
  server: ServerProcess,
): Promise<readonly Step[]> {
  const scripts = makeScripts(10, LENGTH)
  const bareRooms = await openRooms(bare, BARE.open, makeScripts(PLAYING, BARE_MOVES))
  const most = Math.max(...ladder)
  const tables = await inParallel(
    OPENED_AT_ONCE,
    Array.from({ length: Math.ceil(most / ROOMS_PER_TABLE) }),
    () => fourGuests(server),
  )
  const world = { bareRooms, tables: tables.map((guests) => ({ guests, rooms: [] as Seated[] })) }
  const steps: Step[] = []
  for (const count of ladder) {
    await grow(world.tables, count, scripts)
    steps.push(await measureStep(world, count, bare, server))
  }
  return steps
}

interface Seated {
  readonly room: JunqiRoom
  played: number
}

interface Table {
  readonly guests: readonly Guest[]
  readonly rooms: Seated[]
}

/** Opens rooms, evenly over the tables, until there are so many. */
async function grow(
  tables: readonly Table[],
  count: number,
  scripts: readonly Script[],
): Promise<void> {
  await inParallel(OPENED_AT_ONCE, tables, async ({ guests, rooms }, i) => {
    const wanted = Math.floor(count / tables.length) + (i < count % tables.length ? 1 : 0)
    while (rooms.length < wanted) {
      const script = scripts[(i + rooms.length) % scripts.length]
      if (script === undefined) throw new Error('no scripts')
      // Nobody may be host of all of them.
      const room = await openJunqiRoom(guests, script, rooms.length % guests.length)
      rooms.push({ room, played: 0 })
    }
  })
}

async function measureStep(
  {
    bareRooms,
    tables,
  }: { readonly bareRooms: readonly TableRoom[]; readonly tables: readonly Table[] },
  count: number,
  bare: ServerProcess,
  server: ServerProcess,
): Promise<Step> {
  const each = Math.max(1, Math.floor(MOVES / count))
  const step: Step = { cpu: [], ratio: [] }
  for (let batch = 0; batch < BATCHES; batch++) {
    const yardstick = await cpuEach(bare, bareRooms.length * BARE_MOVES, () =>
      Promise.all(bareRooms.map((room) => room.play(0, BARE_MOVES))),
    )
    const cost = await cpuEach(server, count * each, () =>
      inParallel(PLAYING, tables, async ({ rooms }) => {
        for (const seated of rooms) {
          await seated.room.play(seated.played, seated.played + each)
          seated.played += each
        }
      }),
    )
    step.cpu.push(cost)
    step.ratio.push(cost / yardstick)
  }
  return step
}

/** Of a yardstick's room, again and again: it minds no repetition. */
const BARE_MOVES = 60
