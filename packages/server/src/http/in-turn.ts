import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * The requests of one connection are handled one after the other. Whoever sends many at once and reads no answer holds up
 * that connection alone: the next begins when the answer before it has left for the client, so that no answers pile up here.
 * What comes after a connection's end is not begun at all.
 */
export function handleInTurn(app: FastifyInstance): void {
  const last = new WeakMap<Socket, ServerResponse>()
  app.addHook('onRequest', (request, reply, begin) => {
    const { socket } = request.raw
    const before = last.get(socket)
    last.set(socket, reply.raw)
    if (before === undefined || before.writableFinished) return begin()
    // Nor do requests pile up that nobody can begin yet.
    socket.pause()
    before.once('finish', () => {
      if (!socket.writable) return
      if (last.get(socket) === reply.raw) socket.resume()
      begin()
    })
  })
}
