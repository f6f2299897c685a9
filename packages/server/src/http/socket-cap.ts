import type { Server } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import { directAddress } from './peer.ts'

/**
 * Lets one address keep so many sockets open, whatever it sends on them or does not send: those that
 * only stand there would in the end keep everyone else out. A trusted proxy stands for many.
 */
export function capSockets(server: Server, most: number, proxies: BlockList): void {
  const open = new Map<string, Set<Socket>>()
  server.on('connection', (socket: Socket) => {
    const address = directAddress(socket, proxies)
    if (address === null) return
    const sockets = open.get(address) ?? new Set()
    // It comes again when a request on it is read again.
    if (sockets.has(socket)) return
    if (sockets.size >= most) {
      socket.destroy()
      return
    }
    open.set(address, sockets.add(socket))
    socket.once('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) open.delete(address)
    })
  })
}
