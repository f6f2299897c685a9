import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of a connection that may wait for the one before them. Browsers send none before they were answered. */
const MOST_WAITING = 16

/** The requests of one connection. */
interface Line {
  last: ServerResponse
  waiting: number
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface Turns {
  readonly handle: Handler
  /** A client sent many more requests at once than are served; its connection is ended already. */
  readonly overran: (socket: Socket) => void
}

/**
 * The requests of one connection are handled one after the other. Whoever sends many at once and reads no answer holds up
 * that connection alone: the next begins when the answer before it has left for the client, so that no answers pile up here,
 * and when the event loop has come round, so that others are served between two of them. A connection that sends many more
 * is ended. So is one that asks for a WebSocket before the requests ahead of it are answered: the answer would overtake
 * theirs. What comes after a connection's end is not begun at all. This stands before everything that answers requests: what
 * Node or fastify would answer by themselves, and at once, waits for its turn as well (F-U2).
 */
export function handleInTurn(server: Server, { handle, overran }: Turns): void {
  const lines = new WeakMap<Socket, Line>()
  const take: Handler = (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    const line = lines.get(socket)
    if (line === undefined) {
      lines.set(socket, { last: response, waiting: 0 })
      return handle(request, response)
    }
    const before = line.last
    line.last = response
    if (before.writableFinished) return handle(request, response)
    if (++line.waiting > MOST_WAITING) {
      socket.destroy()
      return overran(socket)
    }
    // Nor do requests pile up that nobody can begin yet.
    socket.pause()
    before.once('finish', () => {
      setImmediate(() => {
        if (!socket.writable) return
        line.waiting--
        if (line.last === response) socket.resume()
        handle(request, response)
      })
    })
  }
  server.on('request', take)
  // What is expected besides is passed over; Node would refuse it out of turn.
  server.on('checkExpectation', take)
  server.prependListener('upgrade', ({ socket }: IncomingMessage) => {
    const before = lines.get(socket)?.last
    if (before !== undefined && !before.writableFinished) socket.destroy()
  })
}
