import type { Seat } from '@junqi/engine'
import { type LightSocket, openLightSocket } from './light-socket.ts'
import { BENCH_OPTIONS, type Script } from './scripts.ts'

/** A room of four sockets that plays its script as fast as the events come back. */
export interface TableRoom {
  readonly sockets: readonly LightSocket[]
  /** Plays moves `from`..`to` of the script; resolves with the latency of each in ms. */
  play(from: number, to: number): Promise<readonly number[]>
  close(): void
}

const SEATS: readonly Seat[] = ['south', 'east', 'north', 'west']

/** How a room says its i-th move, and how many frames every socket has had when it is done. */
type MoveText = (i: number) => string

function makeRoom(
  sockets: readonly LightSocket[],
  mover: (i: number) => LightSocket,
  text: MoveText,
): TableRoom {
  return {
    sockets,
    close: () => {
      for (const socket of sockets) socket.close()
    },
    play: async (from, to) => {
      const latencies: number[] = []
      const start = new Map(sockets.map((socket) => [socket, socket.received]))
      for (let i = from; i < to; i++) {
        const socket = mover(i)
        const seen = (start.get(socket) ?? 0) + i - from
        await hasReceived(socket, seen)
        const sentAt = performance.now()
        socket.send(text(i))
        await hasReceived(socket, seen + 1)
        latencies.push(performance.now() - sentAt)
      }
      for (const socket of sockets) await hasReceived(socket, (start.get(socket) ?? 0) + to - from)
      return latencies
    },
  }
}

/** Resolves when the socket has had so many frames. */
function hasReceived(socket: LightSocket, count: number): Promise<void> {
  if (socket.received >= count) return Promise.resolve()
  return new Promise((resolve) => {
    socket.onFrame = () => {
      if (socket.received < count) return
      socket.onFrame = () => {}
      resolve()
    }
  })
}

/** Four sockets at the yardstick. */
export async function openBareRoom(port: number, name: string, script: Script): Promise<TableRoom> {
  const sockets = await Promise.all(SEATS.map(() => openLightSocket(port, `/${name}`, [])))
  return makeRoom(
    sockets,
    (i) => seatSocket(sockets, script, i),
    (i) => moveText('x7k2m9qd', script, i),
  )
}

function seatSocket(sockets: readonly LightSocket[], script: Script, i: number): LightSocket {
  const seat = script.moves[i]?.seat
  const socket = seat && sockets[SEATS.indexOf(seat)]
  if (socket === undefined) throw new Error(`no socket for move ${i}`)
  return socket
}

const moveText = (room: string, script: Script, i: number): string => {
  const move = script.moves[i]?.move
  return JSON.stringify({
    type: 'move',
    id: `m${i}`,
    room,
    turn: i,
    from: move?.from,
    to: move?.to,
  })
}

/** Four guests at a Junqi server, in play: seated, ready, formations handed in. `nodes`: the port of each seat. */
export async function openJunqiRoom(
  nodes: readonly number[],
  tokens: readonly string[],
  script: Script,
): Promise<TableRoom> {
  const sockets = await Promise.all(
    SEATS.map((_, i) =>
      openLightSocket(nodes[i % nodes.length] ?? 0, '/v1/ws', ['junqi.v1', `bearer.${tokens[i]}`]),
    ),
  )
  const host = sockets[0]
  if (host === undefined) throw new Error('no sockets')
  for (const socket of sockets) await ask(socket, { type: 'hello', id: 'h', client: 'bench' })
  const created = await ask(host, {
    type: 'createRoom',
    id: `c${tokens[0]?.slice(-12)}`,
    preset: 'siguo',
    options: BENCH_OPTIONS,
    private: false,
  })
  const room = String(created.room)
  for (const [i, socket] of sockets.entries()) {
    await ask(socket, { type: 'subscribe', id: `s${i}`, room })
    await ask(socket, { type: 'sit', id: 'sit', room, seat: SEATS[i] })
    await ask(socket, { type: 'ready', id: 'ready', room })
  }
  await ask(host, { type: 'start', id: 'start', room })
  for (const [i, socket] of sockets.entries()) {
    const formation = script.formations.get(SEATS[i] ?? 'south')
    await ask(socket, { type: 'submitFormation', id: 'formation', room, formation })
  }
  await Promise.all(sockets.map((socket) => ask(socket, { type: 'ping', id: 'settled' })))
  return makeRoom(
    sockets,
    (i) => seatSocket(sockets, script, i),
    (i) => moveText(room, script, i),
  )
}

/** Sends a command and waits for its one reply. */
function ask(socket: LightSocket, message: object): Promise<Record<string, unknown>> {
  const { id }: { id?: string } = message
  return new Promise((resolve, reject) => {
    socket.onFrame = (text) => {
      const reply: Record<string, unknown> = JSON.parse(text())
      if (reply.re !== id) return
      socket.onFrame = () => {}
      if (reply.type === 'error') reject(new Error(JSON.stringify(reply)))
      else resolve(reply)
    }
    socket.send(JSON.stringify(message))
  })
}
