import type { ServerResponse } from 'node:http'
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
 * is ended. What comes after a connection's end is not begun at all.
 */
export function handleInTurn(app: FastifyInstance): void {
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
    if (++line.waiting > MOST_WAITING) return void socket.destroy()
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
}
