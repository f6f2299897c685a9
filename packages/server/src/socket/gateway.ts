import type { IncomingMessage, Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { err, ok, type Result } from '@junqi/engine'
import { LIMITS, type Player, type PlayerId, PROTOCOL } from '@junqi/protocol'
import { WebSocketServer } from 'ws'
import { speaksProtocol } from '../http/credentials.ts'
import type { Door, Visitor } from '../http/door.ts'
import { passOver } from '../http/pass-over.ts'
import { httpRefusal, NO_STORE, type Refusal, refusal } from '../http/refusal.ts'
import { writeResponse } from '../http/server.ts'
import { countOne } from '../metrics.ts'
import { type Rng, StoreUnavailableError } from '../ports.ts'
import { traceOf } from '../room/fault-log.ts'
import { Connection, type ConnectionDeps } from './connection.ts'

export const SOCKET_PATH = '/v1/ws'
const TICK_MS = 1000
/** Connections are pinged in as many groups, one a tick, so that no tick is long. */
const GROUPS = 15
/** Of one message: they cost what one costs, whatever is in them. Beyond it `ws` closes with 1008. */
const MOST_FRAGMENTS = 128
/** Between the waves of a shutdown. */
const WAVE_MS = 50
const ANSWERS_MS = 2000
const CLOSES_MS = 1500

export interface GatewayDeps extends Omit<ConnectionDeps, 'watch'> {
  readonly door: Door
  readonly rng: Rng
  /** Whether the player sits in a game that is being played, and should be back at once. */
  readonly isPlaying: (player: Player) => boolean
}

/** All WebSocket connections: refuses before the 101, keeps them alive, and sends them away at the end. */
export class Gateway {
  readonly #deps: GatewayDeps & ConnectionDeps
  readonly #server: WebSocketServer
  readonly #groups: readonly Set<Connection>[] = Array.from({ length: GROUPS }, () => new Set())
  readonly #perAddress = new Map<string, number>()
  /** Those that may have a deadline. */
  readonly #watched = new Set<Connection>()
  #sockets = 0
  #ticks = 0
  #cancelTick = (): void => {}

  constructor(server: Server, deps: GatewayDeps) {
    this.#deps = { ...deps, watch: (connection) => this.#watched.add(connection) }
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: LIMITS.frameBytes,
      maxFragments: MOST_FRAGMENTS,
      autoPong: false,
      handleProtocols: () => PROTOCOL,
    })
    this.#server.on('wsClientError', (error, _socket, request) =>
      this.#refuse(request, refusal('bad_message', `${error.message}.`)),
    )
    server.on('upgrade', (request, _socket, head) => {
      // It asked too early (in-turn.ts).
      if (request.socket.destroyed) return
      if (asksForSocket(request)) void this.#upgrade(request, head)
      else passOver(server, request, head)
    })
    this.#scheduleTick()
  }

  /** Open connections, and handshakes under way. */
  get size(): number {
    return this.#sockets
  }

  /** Why a handshake from there would be refused just now, whoever it is; null: it would not. */
  refusalFor(address: string): Refusal | null {
    const { connections, connectionsPerAddress } = this.#deps.limits
    if (this.#sockets >= connections) return refusal('busy', 'The server has no connection left.')
    if ((this.#perAddress.get(address) ?? 0) >= connectionsPerAddress)
      return refusal('busy', 'Your address has as many connections as it may have.')
    return null
  }

  /** Ends every connection of a player who is shut out. */
  expel(player: PlayerId): void {
    for (const connection of this.#connections()) {
      if (connection.player.id === player) connection.expel()
    }
  }

  /** The door is closed: lets what is in hand be answered, and closes everyone with a hint when to come back. */
  async drain(): Promise<void> {
    const all = [...this.#connections()]
    await Promise.race([
      Promise.all(all.map((connection) => connection.finish())),
      delay(ANSWERS_MS, undefined, { ref: false }),
    ])
    for (const group of this.#groups) {
      for (const connection of group) connection.restart(this.#retryAfterMs(connection.player))
      if (group.size > 0) await delay(WAVE_MS)
    }
    for (let waited = 0; this.#sockets > 0 && waited < CLOSES_MS; waited += WAVE_MS)
      await delay(WAVE_MS)
    for (const connection of this.#connections()) connection.terminate()
  }

  stop(): void {
    this.#cancelTick()
  }

  *#connections(): Generator<Connection> {
    for (const group of this.#groups) yield* group
  }

  async #upgrade(request: IncomingMessage, head: Buffer): Promise<void> {
    const { socket } = request
    // Nobody else listens to it from here on (F-U4).
    socket.on('error', () => socket.destroy())
    const player = this.#asOfNow(await this.#authenticate(request))
    if (socket.destroyed) return
    if (player.ok) this.#open(request, { head, player: player.value })
    else this.#refuse(request, player.error)
  }

  /** What came meanwhile counts: a stop, or a ban, which ends the connections that there are. */
  #asOfNow(player: Result<Player, Refusal>): Result<Player, Refusal> {
    const refused = player.ok ? this.#deps.door.refusalOf(player.value) : null
    return refused === null ? player : err(refused)
  }

  async #authenticate(request: IncomingMessage): Promise<Result<Player, Refusal>> {
    const admitted = this.#admit(request)
    if (!admitted.ok) return admitted
    this.#occupy(request, admitted.value.peer.address)
    return this.#identify(request, admitted.value)
  }

  #open(
    request: IncomingMessage,
    { head, player }: { readonly head: Buffer; readonly player: Player },
  ): void {
    this.#server.handleUpgrade(request, request.socket, head, (ws) => {
      const connection = new Connection({ ws, socket: request.socket }, player, this.#deps)
      this.#keep(connection)
      ws.once('close', () => this.#forget(connection))
    })
  }

  #admit(request: IncomingMessage): Result<Visitor, Refusal> {
    const visitor = this.#deps.door.admit(request)
    if (!visitor.ok) return visitor
    const [path] = (request.url ?? '').split('?', 1)
    if (path !== SOCKET_PATH) return err(refusal('not_found'))
    const refused = this.refusalFor(visitor.value.peer.address)
    if (refused !== null) return err(refused)
    if (!speaksProtocol(request))
      return err(refusal('unsupported_protocol', `Offer the subprotocol "${PROTOCOL}".`))
    return visitor
  }

  /** Counts the socket until it is closed, whatever becomes of it. */
  #occupy({ socket }: IncomingMessage, address: string): void {
    this.#sockets += 1
    this.#perAddress.set(address, (this.#perAddress.get(address) ?? 0) + 1)
    socket.once('close', () => {
      this.#sockets -= 1
      const others = (this.#perAddress.get(address) ?? 1) - 1
      if (others === 0) this.#perAddress.delete(address)
      else this.#perAddress.set(address, others)
    })
  }

  async #identify(request: IncomingMessage, visitor: Visitor): Promise<Result<Player, Refusal>> {
    try {
      const player = await this.#deps.door.identify(request, visitor)
      if (!player.ok) return player
      return player.value === null ? err(refusal('unauthorized')) : ok(player.value)
    } catch (error) {
      if (error instanceof StoreUnavailableError) return err(NO_STORE)
      this.#deps.logger.error(traceOf(error), 'handshake fault')
      return err(refusal('internal'))
    }
  }

  #refuse({ socket }: IncomingMessage, why: Refusal): void {
    countOne(this.#deps.traffic.handshakesRefused, why.code)
    this.#deps.logger.debug({ code: why.code }, 'handshake refused')
    writeResponse(socket, httpRefusal(why))
  }

  #keep(connection: Connection): void {
    this.#deps.traffic.connectionsAccepted += 1
    const group = this.#deps.traffic.connectionsAccepted % GROUPS
    this.#groups[group]?.add(connection)
    this.#watched.add(connection)
  }

  #forget(connection: Connection): void {
    for (const group of this.#groups) group.delete(connection)
    this.#watched.delete(connection)
  }

  #retryAfterMs(player: Player): number {
    const { rng, isPlaying } = this.#deps
    const [least, most] = isPlaying(player) ? [50, 500] : [1000, 5000]
    return Math.round(least + (most - least) * rng.random())
  }

  #scheduleTick(): void {
    const { clock } = this.#deps
    this.#cancelTick = clock.schedule(clock.now() + TICK_MS, () => {
      this.#tick()
      this.#scheduleTick()
    })
  }

  /** The one timer of all connections. */
  #tick(): void {
    const now = this.#deps.clock.now()
    this.#ticks += 1
    for (const connection of this.#groups[this.#ticks % GROUPS] ?? []) connection.beat()
    for (const connection of this.#watched) {
      if (connection.deadline === null) this.#watched.delete(connection)
      else if (connection.deadline <= now) connection.expire()
    }
  }
}

function asksForSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}
