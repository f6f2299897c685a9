import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Requests of a connection that may wait for the one before them. Browsers send none before they were answered. */
const MOST_WAITING = 16

/** The requests of one connection. */
interface Line {
  last: ServerResponse
  waiting: number
}

/**
 * The requests of one connection are handled one after the other. Whoever sends many at once and reads no answer holds up
 * that connection alone: the next begins when the answer before it has left for the client, so that no answers pile up here,
 * and when the event loop has come round, so that others are served between two of them. A connection that sends many more
 * is ended. So is one that asks for a WebSocket before the requests ahead of it are answered: the answer would overtake
 * theirs. What comes after a connection's end is not begun at all.
 */
export function handleInTurn(app: FastifyInstance, overran: (socket: Socket) => void): void {
  const lines = new WeakMap<Socket, Line>()
  app.addHook('onRequest', (request, reply, begin) => {
    const { socket } = request.raw
    if (socket.destroyed) return
    const line = lines.get(socket)
    if (line === undefined) {
      lines.set(socket, { last: reply.raw, waiting: 0 })
      return begin()
    }
    const before = line.last
    line.last = reply.raw
    if (before.writableFinished) return begin()
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
        if (line.last === reply.raw) socket.resume()
        begin()
      })
    })
  })
  app.server.prependListener('upgrade', ({ socket }: IncomingMessage) => {
    const before = lines.get(socket)?.last
    if (before !== undefined && !before.writableFinished) socket.destroy()
  })
}
