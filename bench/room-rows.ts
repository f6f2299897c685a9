import { ask, fourGuests, guestToken, type JunqiRoom, openJunqiRoom, post } from './junqi-room.ts'
import type { LightSocket } from './light-socket.ts'
import { inParallel } from './pace.ts'
import { measured } from './report.ts'
import type { Group } from './scale.ts'
import { makeScripts, type Script } from './scripts.ts'
import { type ServerProcess, startJunqi } from './server-process.ts'
import { cpuEach, withServer } from './subject.ts'

const ROOMS = 40
const MOVES = 300
/** How often each seat comes back. */
const RESUMED = 3
const TAIL = 10
/** Rooms that one player may be host of, and players that make as many. */
const ROOMS_PER_HOST = 8
const HOSTS = 12

interface Batch {
  /** Server CPU, in microseconds: of a move, of a resumption, of making a room. */
  readonly move: number
  readonly snapshot: number
  readonly tail: number
  readonly creation: number
  /** Bytes of memory that a room took, its sockets not counted. */
  readonly memory: number
  /** Bytes of the longest plain move event, without `re`. */
  readonly plainMove: number
}

/** What rooms cost, besides their moves. */
export const roomGroup: Group = {
  rows: ['resume', 'resume-tail', 'create-room', 'room-memory', 'move-bytes'],
  async *measure({ rounds }) {
    const scripts = makeScripts(ROOMS, MOVES)
    const batches = await withServer(startJunqi, async (server) => {
      // What is compiled and kept for all rooms is there before the first that counts.
      const done = [await measureBatch(server, scripts)]
      for (let round = 0; round < rounds; round++) done.push(await measureBatch(server, scripts))
      return done.slice(1)
    })
    const of = (what: keyof Batch): number[] => batches.map((batch) => batch[what])
    const inMoves = (what: keyof Batch): number[] =>
      batches.map((batch) => batch[what] / batch.move)
    yield measured('resume', of('snapshot'), inMoves('snapshot'))
    yield measured('resume-tail', of('tail'), inMoves('tail'))
    yield measured('create-room', of('creation'), inMoves('creation'))
    const kib = of('memory').map((bytes) => bytes / 1024)
    yield measured('room-memory', kib, [], 'heap and buffers after a collection')
    yield measured('move-bytes', [Math.max(...of('plainMove'))], [], "without the mover's `re`")
  },
}

async function measureBatch(server: ServerProcess, scripts: readonly Script[]): Promise<Batch> {
  const [port = 0] = server.ports
  const tables = await inParallel(10, scripts, () => fourGuests(server))
  const before = await server.ask('collect')
  const rooms = await inParallel(10, tables, (guests, i) =>
    openJunqiRoom(guests, scripts[i] ?? NONE),
  )
  await Promise.all(rooms.map((room) => room.play(0, MOVES / 3)))
  const length = longestPlainMove(rooms.flatMap(({ sockets }) => sockets.slice(0, 1)))
  const played = (ROOMS * MOVES * 2) / 3
  const move = await cpuEach(server, played, () =>
    Promise.all(rooms.map((room) => room.play(MOVES / 3, MOVES))),
  )
  const after = await server.ask('collect')
  const snapshot = await cpuOfResuming(server, rooms, () => null)
  const tail = await cpuOfResuming(server, rooms, (version) => version - TAIL)
  const tokens = await inParallel(4, Array.from({ length: HOSTS }), () => guestToken(port))
  const hosts = tokens.flatMap((token) => Array.from({ length: ROOMS_PER_HOST }, () => token))
  const form = { preset: 'siguo', private: false }
  const creation = await cpuEach(server, hosts.length, () =>
    inParallel(8, hosts, (token) => post(port, '/v1/rooms', form, token)),
  )
  for (const room of rooms) room.close()
  const memory = (after.used - before.used) / ROOMS
  return { move, snapshot, tail, creation, memory, plainMove: length() }
}

const NONE: Script = { formations: new Map(), moves: [] }

/** Of one resumption. */
async function cpuOfResuming(
  server: ServerProcess,
  rooms: readonly JunqiRoom[],
  since: (version: number) => number | null,
): Promise<number> {
  const versions = await Promise.all(
    rooms.map(async ({ room, sockets: [socket] }) => {
      if (socket === undefined) throw new Error('no sockets')
      return Number((await ask(socket, { type: 'subscribe', room })).version)
    }),
  )
  const seats = rooms.flatMap(({ room, sockets }, i) =>
    sockets.map((socket) => ({ room, socket, from: since(versions[i] ?? 0) })),
  )
  return cpuEach(server, seats.length * RESUMED, async () => {
    for (let time = 0; time < RESUMED; time++) {
      await Promise.all(
        seats.map(({ room, socket, from }) =>
          ask(socket, { type: 'subscribe', room, ...(from === null ? {} : { since: from }) }),
        ),
      )
    }
  })
}

interface EventFrame {
  readonly re?: string
  readonly type: string
  readonly events?: readonly { readonly type: string }[]
}

/** Notes the frames of sockets; tells the bytes of the longest one with a plain move of another. */
function longestPlainMove(sockets: readonly LightSocket[]): () => number {
  let longest = 0
  for (const socket of sockets) {
    const { counts } = socket
    socket.counts = (data, start, end) => {
      const frame: EventFrame = JSON.parse(data.toString('utf8', start, end))
      const isPlain = frame.events?.length === 1 && frame.events[0]?.type === 'pieceMoved'
      if (isPlain && frame.re === undefined) longest = Math.max(longest, end - start)
      return counts(data, start, end)
    }
  }
  return () => longest
}
