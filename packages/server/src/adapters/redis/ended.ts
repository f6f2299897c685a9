import type { Socket } from 'node:net'

/** Resolves when the socket is closed, by a fault too: `once` of node:events would reject with it. */
export function ended(socket: Socket): Promise<void> {
  socket.on('error', () => {})
  return new Promise((resolve) => {
    if (socket.closed) resolve()
    else socket.once('close', () => resolve())
  })
}
