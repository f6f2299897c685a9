import { ask, connectGuest, fourGuests, guestToken, openJunqiRoom } from './junqi-room.ts'
import { type LightSocket, openLightSocket } from './light-socket.ts'
import { inParallel } from './pace.ts'
import { measured } from './report.ts'
import type { Group } from './scale.ts'
import { makeScripts } from './scripts.ts'
import { MOST_DESCRIPTORS, type ServerProcess, startBare, startJunqi } from './server-process.ts'
import { withServer } from './subject.ts'

const AT_ONCE = 100
/** Descriptors that a process has besides its sockets. */
const SPARE_DESCRIPTORS = 500
/** Connections after which nothing is made that all share. */
const FIRST = 500

/** As many as wanted, or as a process may have, here and there. */
const allowed = (connections: number): number =>
  Math.min(connections, MOST_DESCRIPTORS - SPARE_DESCRIPTORS)

const noteOf = (connections: number): string | null => {
  const most = allowed(connections)
  const note = `${most.toLocaleString('en')} connections`
  return most < connections ? `${note}: descriptors allow no more` : note
}

interface Connected {
  /** Bytes. */
  readonly rss: number
  /** Microseconds. */
  readonly accept: number
}

/** What a player costs who is connected and does nothing. */
export const connectionGroup: Group = {
  rows: ['idle-rss', 'accept'],
  async *measure(scale) {
    const count = allowed(scale.connections)
    const bare: Connected[] = []
    const junqi: Connected[] = []
    for (let round = 0; round < scale.rounds; round++) {
      bare.push(await connected(startBare, count, openBareSocket))
      junqi.push(await connected(startJunqi, count, openGuestSocket))
    }
    const pair = (what: keyof Connected): number[] =>
      junqi.map((one, i) => one[what] / (bare[i]?.[what] ?? Number.NaN))
    const note = noteOf(scale.connections)
    const kib = junqi.map(({ rss }) => rss / 1024)
    yield measured('idle-rss', kib, pair('rss'), note)
    yield measured(
      'accept',
      junqi.map(({ accept }) => accept),
      pair('accept'),
      note,
    )
  },
}

/** Prepares a connection; what it gives opens it. */
type Prepare = (port: number, i: number) => Promise<() => Promise<LightSocket>>

const openBareSocket: Prepare = async (port, i) => () =>
  openLightSocket(port, `/idle-${i >> 2}`, [])

const openGuestSocket: Prepare = async (port) => {
  const token = await guestToken(port)
  return async () => (await connectGuest(port, token)).socket
}

const connected = (
  start: () => Promise<ServerProcess>,
  count: number,
  prepare: Prepare,
): Promise<Connected> =>
  withServer(start, async (server) => {
    const [port = 0] = server.ports
    const each = Array.from({ length: count }, (_, i) => i)
    const ready = await inParallel(AT_ONCE, each, (i) => prepare(port, i))
    const first = await inParallel(AT_ONCE, ready.slice(0, FIRST), (open) => open())
    const before = await server.ask('collect')
    const cpu = server.cpu()
    const rest = await inParallel(AT_ONCE, ready.slice(FIRST), (open) => open())
    const spent = server.cpu() - cpu
    const after = await server.ask('collect')
    for (const socket of [...first, ...rest]) socket.close()
    return { rss: (after.rss - before.rss) / rest.length, accept: spent / rest.length }
  })

const MOVES = 12
const BEFORE = 10

/** All players lose their connections at once, and are back at once, in games that go on. */
export const stormGroup: Group = {
  rows: ['storm', 'storm-back'],
  async *measure(scale) {
    const count = allowed(scale.connections)
    const scripts = makeScripts(Math.floor(count / 4), MOVES)
    const { delay, back, again } = await withServer(startJunqi, async (server) => {
      const [port = 0] = server.ports
      const rooms = await inParallel(AT_ONCE, scripts, async (script) => {
        const guests = await fourGuests(server)
        const room = await openJunqiRoom(guests, script)
        await room.play(0, BEFORE)
        return { room, guests }
      })
      const versions = await inParallel(AT_ONCE, rooms, async ({ room, guests: [guest] }) => {
        if (guest === undefined) throw new Error('no guests')
        return Number((await ask(guest.socket, { type: 'subscribe', room: room.room })).version)
      })
      await server.ask('watchDelay')
      for (const { room } of rooms) room.close()
      const at = performance.now()
      let attempts = 0
      const returned = await Promise.all(
        rooms.flatMap(({ room: { room }, guests }, i) =>
          guests.map(async ({ token }) => {
            const back = await comeBack(port, token, { room, since: versions[i] ?? 0 })
            attempts += back.attempts
            return back.socket
          }),
        ),
      )
      const ms = performance.now() - at
      const watched = await server.ask('delay')
      for (const socket of returned) socket.close()
      return { delay: watched, back: ms, again: attempts - returned.length }
    })
    const note = `${noteOf(scale.connections)}, most ${delay.most.toFixed(0)} ms`
    yield measured('storm', [delay.p99], [], note)
    yield measured('storm-back', [back], [], `${again} attempts had to be made again`)
  },
}

/** A client tries again after so long, up to so often. */
const AGAIN_MS = 500
const MOST_ATTEMPTS = 100

/** Connects and resumes, as often as it takes; the room has to be told as it was left. */
async function comeBack(
  port: number,
  token: string,
  { room, since }: { readonly room: string; readonly since: number },
): Promise<{ readonly socket: LightSocket; readonly attempts: number }> {
  for (let attempts = 1; ; attempts++) {
    try {
      const { socket } = await connectGuest(port, token)
      const reply = await ask(socket, { type: 'subscribe', room, since })
      if (reply.type === 'ack' || reply.version === since) return { socket, attempts }
      throw new Error(`not in step: ${JSON.stringify(reply).slice(0, 200)}`)
    } catch (error) {
      if (attempts === MOST_ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }
}
