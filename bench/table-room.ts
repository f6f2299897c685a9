import { type LightSocket, openLightSocket } from './light-socket.ts'
import { until } from './pace.ts'
import type { Script } from './scripts.ts'

/** A room of four sockets that plays its script. */
export interface TableRoom {
  /** In the order of SEATS. */
  readonly sockets: readonly LightSocket[]
  /**
   * Plays moves `from`..`to` of the script, each as soon as its mover has seen the one before; resolves with the latency of
   * each in ms.
   */
  play(from: number, to: number, manner?: Manner): Promise<readonly number[]>
  close(): void
}

export interface Manner {
  /**
   * No move is sent before its time (of `performance.now()`), and one that comes late because the server was late is
   * counted from then.
   */
  readonly dueAt?: (i: number) => number
  /** Whose frame ends the measurement: the mover's own (0), or that of who sits so many seats on. */
  readonly seenBy?: number
}

export const TABLE = ['south', 'east', 'north', 'west'] as const

export interface TableMoves {
  readonly script: Script
  /** How the i-th move is said. */
  text(i: number): string | Uint8Array
}

/** Of each move every socket gets one frame that counts, the mover's own being its answer. */
export function makeRoom(sockets: readonly LightSocket[], { script, text }: TableMoves): TableRoom {
  const seatOf = (i: number, seatsOn: number): LightSocket => {
    const seat = script.moves[i]?.seat
    const socket = seat && sockets[(TABLE.indexOf(seat) + seatsOn) % TABLE.length]
    if (socket === undefined) throw new Error(`no socket for move ${i}`)
    return socket
  }
  return {
    sockets,
    close: () => {
      for (const socket of sockets) socket.close()
    },
    play: async (from, to, { dueAt = () => 0, seenBy = 0 } = {}) => {
      const latencies: number[] = []
      const start = new Map(sockets.map((socket) => [socket, socket.received]))
      for (let i = from; i < to; i++) {
        const socket = seatOf(i, 0)
        const watcher = seatOf(i, seenBy)
        const seen = (of: LightSocket): number => (start.get(of) ?? 0) + i - from
        const due = dueAt(i)
        if (performance.now() < due) await until(due)
        const wasLate = socket.received < seen(socket)
        await hasReceived(socket, seen(socket))
        const sentAt = wasLate && due > 0 ? due : performance.now()
        socket.send(text(i))
        await hasReceived(watcher, seen(watcher) + 1)
        latencies.push(performance.now() - sentAt)
      }
      for (const socket of sockets) await hasReceived(socket, (start.get(socket) ?? 0) + to - from)
      return latencies
    },
  }
}

/** Resolves when the socket has had so many frames that count. */
export function hasReceived(socket: LightSocket, count: number): Promise<void> {
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
  const sockets = await Promise.all(TABLE.map(() => openLightSocket(port, `/${name}`, [])))
  return makeRoom(sockets, { script, text: (i) => moveText('x7k2m9qd', script, i) })
}

export function moveText(room: string, script: Script, i: number): string {
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
