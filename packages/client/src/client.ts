import { err, ok, type Result } from '@junqi/engine'
import type {
  ClientMessage,
  Invitation,
  LobbyFilters,
  Player,
  PlayerId,
  RoomId,
  ServerMessage,
} from '@junqi/protocol'
import { addressOf } from './address.ts'
import type { Urgency } from './backoff.ts'
import { Connection, type Status, type TokenSource } from './connection.ts'
import { type Environment, systemEnvironment } from './environment.ts'
import { Mutes } from './mutes.ts'
import { QuickPlay, type QuickPlayHandle } from './quick-play.ts'
import { type Refusal, refusal } from './refusal.ts'
import { Requests } from './requests.ts'
import { Seats } from './seats.ts'
import { type LobbyHandle, WatchedLobby } from './watched-lobby.ts'
import { type Accepted, accepted, type RoomHandle, WatchedRoom } from './watched-room.ts'
import type { WebSocketConstructor } from './web-socket-like.ts'

export interface ConnectOptions extends Partial<Environment> {
  /** Of the server: `https://junqi.example` or `wss://junqi.example`. */
  readonly url: string
  /** Of the player. */
  readonly token: TokenSource
  /** The program and its version, for the server's log. */
  readonly clientName: string
  /** Where there is no global one (Node 20): that of npm `ws`. */
  readonly WebSocket?: WebSocketConstructor
}

/** What a new room is to be. */
export type RoomWish = Pick<
  Extract<ClientMessage, { readonly type: 'createRoom' }>,
  'preset' | 'options' | 'private' | 'spectators'
>

/** Opens a client, which connects at once and comes back by itself until it is closed. */
export const connect = (options: ConnectOptions): Client => new Client(options)

/** A player's line to a server. */
export class Client {
  readonly #connection: Connection
  readonly #requests: Requests
  readonly #rooms = new Map<RoomId, WatchedRoom>()
  readonly #listeners = new Set<(status: Status) => void>()
  readonly #seats = new Seats()
  readonly #mutes = new Mutes()
  readonly #quickPlay: QuickPlay
  #lobby: WatchedLobby | null = null
  #status: Status = { state: 'connecting', reason: null }
  #player: Player | null = null

  constructor(options: ConnectOptions) {
    const { url, token, clientName, WebSocket = globalThis.WebSocket, ...given } = options
    if (WebSocket === undefined) {
      throw new TypeError('There is no global WebSocket here: pass the one of npm ws to connect().')
    }
    const environment: Environment = { ...systemEnvironment, ...given }
    const urgency = (): Urgency => this.#urgency()
    this.#requests = new Requests(environment, {
      send: (message) => this.#connection.send(message),
      urgency,
    })
    this.#quickPlay = new QuickPlay(this.#requests)
    const address = addressOf(url)
    this.#connection = new Connection({ address, token, clientName, WebSocket }, environment, {
      onOpen: () => this.#resume(),
      onLost: () => this.#requests.lost(),
      onMessage: (message) => this.#receive(message),
      onStatus: (status) => this.#changeStatus(status),
      urgency,
    })
    this.#connection.connect()
  }

  get status(): Status {
    return this.#status
  }

  /** Who this client is; null before the first welcome. */
  get player(): Player | null {
    return this.#player
  }

  /** Calls `listener` at every change of status; the function that comes back ends that. */
  onStatus(listener: (status: Status) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * The rooms where the player sits in a game to come or going on; null: not told yet. That a game has ended is known of
   * rooms that are watched, and of all after each connection.
   */
  get seats(): ReadonlySet<RoomId> | null {
    return this.#seats.rooms
  }

  /**
   * Calls `listener` with each room in which the player is seated, by whomever, and with those where it sat already when
   * the client learns of them; the function that comes back ends that.
   */
  onSeated(listener: (room: RoomId) => void): () => void {
    return this.#seats.listen(listener)
  }

  /** Resolves when the server has said welcome, or never will. */
  online(): Promise<Result<Player, Refusal>> {
    return new Promise((resolve) => {
      const look = (status: Status): void => {
        if (status.state !== 'online' && status.state !== 'closed') return
        stop()
        resolve(status.state === 'online' ? ok(status.player) : err(status.reason))
      }
      const stop = this.onStatus(look)
      look(this.#status)
    })
  }

  /** The server's time now, in which every deadline is told; null before the first welcome. */
  serverNow(): number | null {
    return this.#connection.serverNow()
  }

  async createRoom(wish: RoomWish): Promise<Result<Accepted, Refusal>> {
    const result = await this.#requests.ask((id) => ({ type: 'createRoom', id, ...wish }))
    return result.ok ? ok(accepted(result.value)) : result
  }

  /** Watches a room, until it is closed or lost. The same room is one handle. */
  room(
    id: RoomId,
    options: {
      readonly invitation?: Invitation
      /** True: others are told the player's name while it looks on. */
      readonly shown?: boolean
    } = {},
  ): RoomHandle {
    const known = this.#rooms.get(id)
    if (known !== undefined) return known
    const how = { invitation: options.invitation ?? null, isShown: options.shown ?? false }
    const room = new WatchedRoom(id, how, {
      requests: this.#requests,
      me: () => this.#player?.id ?? null,
      onSeat: (isSeated) => this.#seats.note(id, { isSeated }),
      onEnd: () => this.#rooms.delete(id),
    })
    this.#rooms.set(id, room)
    room.sync()
    return room
  }

  /** A table found by the server: alone or as a pair, with bots or without. */
  get quickPlay(): QuickPlayHandle {
    return this.#quickPlay
  }

  /** Watches the list of public rooms. There is one list at a time: it takes the place of an earlier one, which ends. */
  lobby(filters: LobbyFilters = {}): LobbyHandle {
    const lobby = new WatchedLobby(filters, {
      requests: this.#requests,
      onEnd: () => {
        if (this.#lobby === lobby) this.#lobby = null
      },
    })
    const earlier = this.#lobby
    this.#lobby = lobby
    earlier?.end(refusal('closed', 'Another list was opened by this client.'))
    lobby.sync()
    return lobby
  }

  /** Whom this player does not hear, as last told. */
  get mutes(): ReadonlySet<PlayerId> {
    return this.#mutes.players
  }

  /** Calls `listener` with them at every change; the function that comes back ends that. */
  onMutes(listener: (players: ReadonlySet<PlayerId>) => void): () => void {
    return this.#mutes.listen(listener)
  }

  /** Hears nothing of a player any more, in any room, or hears it again. */
  async mute(player: PlayerId, muted = true): Promise<Result<Accepted, Refusal>> {
    const result = await this.#requests.ask((id) => ({ type: 'mutePlayer', id, player, muted }))
    return result.ok ? ok(accepted(result.value)) : result
  }

  /** For good: no socket, no timer and no promise stays behind. */
  close(): void {
    this.#connection.close(refusal('closed', 'The client was closed.'))
  }

  #urgency(): Urgency {
    const isInGame = [...this.#rooms.values()].some((room) => room.isInGame)
    return isInGame ? 'urgent' : 'patient'
  }

  #resume(): void {
    for (const room of this.#rooms.values()) room.sync()
    this.#lobby?.sync()
    this.#quickPlay.sync()
    this.#requests.open()
  }

  #receive(message: ServerMessage): void {
    switch (message.type) {
      case 'snapshot':
      case 'event':
      case 'presence':
      case 'draft':
      case 'dropped':
      case 'scored':
        this.#rooms.get(message.room)?.receive(message)
        break
      case 'said':
      case 'onlookers':
        this.#rooms.get(message.room)?.hear(message)
        break
      case 'mutes':
        this.#mutes.receive(message)
    }
    if (message.type === 'seated' || message.type === 'seats') this.#seats.receive(message)
    if (message.type === 'quickPlayStatus') this.#quickPlay.receive(message)
    if (message.type === 'lobby' || message.type === 'lobbyChanged') this.#lobby?.receive(message)
    if (message.type === 'ack' || message.type === 'error') this.#requests.answer(message)
    if (message.type === 'event' || message.type === 'snapshot') this.#requests.answer(message)
  }

  #changeStatus(status: Status): void {
    this.#status = status
    if (status.state === 'online') this.#player = status.player
    if (status.state === 'closed') this.#end(status.reason)
    for (const listener of this.#listeners) listener(status)
  }

  #end(reason: Refusal): void {
    this.#requests.close(reason)
    for (const room of this.#rooms.values()) room.end(reason)
    this.#lobby?.end(reason)
  }
}
