import type { IncomingMessage, Server } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import type { Clock } from '../ports.ts'
import { directAddress } from './peer.ts'

/** So many sockets of an address that overran the server within as long, and it is let make no new connection as long. */
const OVERRUNS = 4
const PENALTY_MS = 5_000

export interface SocketCapOptions {
  /** Sockets that one address may keep open. */
  readonly most: number
  readonly proxies: BlockList
  readonly clock: Clock
}

/**
 * Lets one address keep so many sockets open, whatever it sends on them or does not send: those that
 * only stand there would in the end keep everyone else out. A trusted proxy stands for many.
 */
export class SocketCap {
  readonly #options: SocketCapOptions
  readonly #open = new Map<string, Set<Socket>>()
  /** WebSockets: what is sent on them has limits of its own. */
  readonly #upgraded = new WeakSet<Socket>()
  /** Sockets that overran the server of late. */
  readonly #overruns = new Map<string, number>()

  constructor(options: SocketCapOptions) {
    this.#options = options
  }

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#take(socket))
    // Before whoever may find that it is no WebSocket.
    server.prependListener('upgrade', ({ socket }: IncomingMessage) => this.#upgraded.add(socket))
  }

  /**
   * Somebody sent requests without waiting for answers, far more than are served. One such socket is one bad program. Where
   * there are some of them, each of the others may be as full, and each would hold up the event loop before it is seen: they
   * are ended unread, but for the WebSockets (F-U2).
   */
  overran(socket: Socket): void {
    const { proxies, clock } = this.#options
    const address = directAddress(socket, proxies)
    if (address === null) return
    const overruns = (this.#overruns.get(address) ?? 0) + 1
    this.#overruns.set(address, overruns)
    if (overruns === 1) {
      clock.schedule(clock.now() + PENALTY_MS, () => this.#overruns.delete(address))
    }
    if (overruns < OVERRUNS) return
    for (const other of this.#open.get(address) ?? []) {
      if (!this.#upgraded.has(other)) other.destroy()
    }
  }

  #isShutOut(address: string): boolean {
    return (this.#overruns.get(address) ?? 0) >= OVERRUNS
  }

  #take(socket: Socket): void {
    const { most, proxies } = this.#options
    const address = directAddress(socket, proxies)
    if (address === null) return
    const sockets = this.#open.get(address) ?? new Set()
    // It comes again when a request on it is read again (pass-over.ts): that was no upgrade.
    this.#upgraded.delete(socket)
    if (sockets.has(socket)) return
    if (sockets.size >= most || this.#isShutOut(address)) {
      socket.destroy()
      return
    }
    this.#open.set(address, sockets.add(socket))
    socket.once('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) this.#open.delete(address)
    })
  }
}
