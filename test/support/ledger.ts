import {
  type ClientMessage,
  ERRORS,
  type ErrorCode,
  type PlayerId,
  type RoomId,
  type ServerMessage,
} from '@junqi/protocol'

/** Of what is kept in no log of a room. */
type Elsewhere =
  | 'watchLobby'
  | 'unwatchLobby'
  | 'quickPlay'
  | 'joinPair'
  | 'cancelQuickPlay'
  | 'askQuickPlay'
  | 'say'
  | 'silence'
  | 'mutePlayer'

/** What changes a room, and is remembered by its id. */
export type Command = Exclude<
  ClientMessage,
  { readonly type: 'hello' | 'ping' | 'subscribe' | 'unsubscribe' | Elsewhere }
>

export interface Sent {
  readonly player: PlayerId
  readonly command: Command
  /** The version of the command's room that its sender had seen when it sent it. */
  readonly seen: number
}

/** A command that the server has told its sender it accepted. */
export interface Acknowledged extends Sent {
  /** The room that the reply names. */
  readonly room: RoomId | null
  readonly version: number | null
}

interface Page extends Sent {
  /** How often it was sent, and when last. */
  times: number
  lastAt: number
  accepted: Acknowledged | null
  refused: boolean
}

/** What the clients wrote down of every command and every reply, outside the server's reach. */
export class Ledger {
  readonly #pages = new Map<string, Page>()
  readonly #acknowledged: Acknowledged[] = []
  readonly #refusals = new Map<string, number>()
  readonly #faults: string[] = []
  readonly #listeners = new Set<(acknowledged: Acknowledged) => void>()

  /** Commands that were acknowledged, in the order of their replies. */
  get acknowledged(): readonly Acknowledged[] {
    return this.#acknowledged
  }

  /** What should not have come: a second reply, another result, a gap. */
  get faults(): readonly string[] {
    return this.#faults
  }

  /** Refusals by their codes. */
  get refusals(): ReadonlyMap<string, number> {
    return this.#refusals
  }

  /** Commands that were sent and neither accepted nor refused. */
  get unanswered(): readonly Sent[] {
    return this.#open
  }

  /** For people: who waits for an answer to what, and for how long. */
  waiting(): readonly string[] {
    return this.#open.map(({ player, command, times, lastAt }) => {
      const sent = `sent ${times} times, ${Date.now() - lastAt} ms ago`
      return `no answer yet to ${player} ${JSON.stringify(command)}, ${sent}`
    })
  }

  get #open(): readonly Page[] {
    return [...this.#pages.values()].filter(
      ({ accepted, refused }) => accepted === null && !refused,
    )
  }

  /** What is written down at this moment. */
  copy(): Pick<Ledger, 'acknowledged' | 'unanswered'> {
    return { acknowledged: [...this.#acknowledged], unanswered: this.unanswered }
  }

  /** A connection of a player begins: the lines that are written about it. */
  open(player: PlayerId): Lines {
    return new Lines({
      sent: (command, seen) => this.#sent(player, command, seen),
      replied: (reply) => this.#replied(player, reply),
      fault: (fault) => this.#faults.push(`${player}: ${fault}`),
    })
  }

  /** Calls `listener` at every acknowledgement that is the first of its command. */
  onAcknowledged(listener: (acknowledged: Acknowledged) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #sent(player: PlayerId, command: Command, seen: number): void {
    const key = `${player} ${command.id}`
    const known = this.#pages.get(key)
    const lastAt = Date.now()
    if (known === undefined) {
      const page = { player, command, seen, times: 1, lastAt, accepted: null, refused: false }
      this.#pages.set(key, page)
    } else Object.assign(known, { times: known.times + 1, lastAt, refused: false })
  }

  #replied(player: PlayerId, reply: ServerMessage & { readonly re: string }): void {
    const page = this.#pages.get(`${player} ${reply.re}`)
    if (page === undefined) return
    if (reply.type === 'error') this.#refused(page, reply.code)
    else if (reply.type === 'ack' || reply.type === 'event') this.#accepted(page, reply)
  }

  #refused(page: Page, code: ErrorCode): void {
    // What cannot be looked up for the moment is not judged.
    if (page.accepted !== null && !ERRORS[code].retryable) {
      this.#faults.push(`${page.command.id} was accepted, and then refused: ${code}`)
    }
    page.refused = true
    this.#refusals.set(code, (this.#refusals.get(code) ?? 0) + 1)
  }

  #accepted(
    page: Page,
    { room, version }: { readonly room: RoomId | null; readonly version: number | null },
  ): void {
    const first = page.accepted
    if (first === null) {
      const { player, command, seen } = page
      const acknowledged = { player, command, seen, room, version }
      page.accepted = acknowledged
      this.#acknowledged.push(acknowledged)
      for (const listener of this.#listeners) listener(acknowledged)
    } else if (first.room !== room || first.version !== version) {
      this.#faults.push(
        `${page.command.id} was ${first.room} ${first.version}, and then ${room} ${version}`,
      )
    }
  }
}

interface Books {
  readonly sent: (command: Command, seen: number) => void
  readonly replied: (reply: ServerMessage & { readonly re: string }) => void
  readonly fault: (fault: string) => void
}

/** What is written about one connection. */
export class Lines {
  readonly #books: Books
  /** How often each id was sent and not answered on this connection. */
  readonly #open = new Map<string, number>()
  readonly #versions = new Map<RoomId, number>()

  constructor(books: Books) {
    this.#books = books
  }

  sent(message: ClientMessage): void {
    this.#open.set(message.id, (this.#open.get(message.id) ?? 0) + 1)
    switch (message.type) {
      case 'subscribe':
        if (message.since !== undefined) this.#versions.set(message.room, message.since)
        return
      case 'hello':
      case 'ping':
      case 'unsubscribe':
      case 'watchLobby':
      case 'unwatchLobby':
      case 'quickPlay':
      case 'joinPair':
      case 'cancelQuickPlay':
      case 'askQuickPlay':
      case 'say':
      case 'silence':
      case 'mutePlayer':
        return
      default: {
        const room = message.type === 'createRoom' ? null : message.room
        this.#books.sent(message, room === null ? 0 : (this.#versions.get(room) ?? 0))
      }
    }
  }

  received(message: ServerMessage): void {
    const re = 're' in message ? message.re : null
    if (re !== null && re !== undefined) this.#answered({ ...message, re })
    if (message.type === 'snapshot') this.#versions.set(message.room, message.version)
    if (message.type === 'event') this.#follow(message)
  }

  #answered(reply: ServerMessage & { readonly re: string }): void {
    const open = this.#open.get(reply.re) ?? 0
    if (open === 0) this.#books.fault(`a reply too many to ${reply.re}: ${reply.type}`)
    else this.#open.set(reply.re, open - 1)
    this.#books.replied(reply)
  }

  #follow({ room, version }: Extract<ServerMessage, { readonly type: 'event' }>): void {
    const before = this.#versions.get(room)
    if (before === undefined || version !== before + 1) {
      this.#books.fault(`in ${room} version ${version} follows ${before}`)
    }
    this.#versions.set(room, version)
  }
}
