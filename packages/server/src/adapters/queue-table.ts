import type { PlayerId, QueueRecord, QueueStore } from '../ports.ts'

/** Texts by their keys. */
export interface Texts {
  get(key: string): string | undefined
  put(key: string, text: string): void
  remove(key: string): void
}

/** The three kinds of records that a queue has, each by its key. */
export interface QueueTexts {
  /** By id. */
  readonly tickets: Texts
  readonly matches: Texts
  /** By player: the id of its ticket or match; of a settled match after a `=`. */
  readonly waiting: Texts
}

type Of<Name extends keyof QueueStore> = Awaited<ReturnType<QueueStore[Name]>>

/** A record as one text: its players, a line break, its data. */
export const encodeQueued = ({ players, data }: QueueRecord): string =>
  `${players.join(' ')}\n${data}`

export function decodeQueued(id: string, text: string): QueueRecord {
  const end = text.indexOf('\n')
  const players = text.slice(0, end).split(' ') as readonly string[] as readonly PlayerId[]
  return { id, players, data: text.slice(end + 1) }
}

/** QueueStore where nothing happens in between: the memory store, and a transaction of LMDB. */
export class QueueTable {
  readonly #texts: QueueTexts

  constructor(texts: QueueTexts) {
    this.#texts = texts
  }

  enqueue(ticket: QueueRecord): Of<'enqueue'> {
    const { tickets, matches } = this.#texts
    if (tickets.get(ticket.id) !== undefined || matches.get(ticket.id) !== undefined) return 'taken'
    if (this.#isWaiting(ticket)) return 'waiting'
    this.#putTicket(ticket)
    return 'queued'
  }

  changeTicket(ticket: QueueRecord, before: string): Of<'changeTicket'> {
    if (this.readTicket(ticket.id)?.data !== before) return 'gone'
    if (this.#isWaiting(ticket)) return 'waiting'
    this.#putTicket(ticket)
    return 'changed'
  }

  dequeue(id: string): boolean {
    const ticket = this.readTicket(id)
    if (ticket === null) return false
    this.#texts.tickets.remove(id)
    for (const player of ticket.players) this.#texts.waiting.remove(player)
    return true
  }

  readTicket(id: string): QueueRecord | null {
    const text = this.#texts.tickets.get(id)
    return text === undefined ? null : decodeQueued(id, text)
  }

  queuedOf(player: PlayerId): QueueRecord | null {
    const id = this.#texts.waiting.get(player)?.replace('=', '')
    if (id === undefined) return null
    return this.readTicket(id) ?? this.#readMatch(id)
  }

  takeMatch(match: QueueRecord, tickets: readonly string[]): boolean {
    if (tickets.some((id) => this.#texts.tickets.get(id) === undefined)) return false
    for (const id of tickets) this.#texts.tickets.remove(id)
    this.#texts.matches.put(match.id, encodeQueued(match))
    for (const player of match.players) this.#texts.waiting.put(player, match.id)
    return true
  }

  settleMatch(match: QueueRecord): void {
    if (this.#readMatch(match.id) === null) return
    this.#texts.matches.put(match.id, encodeQueued(match))
    for (const player of match.players) {
      if (this.#texts.waiting.get(player) === match.id) {
        this.#texts.waiting.put(player, `=${match.id}`)
      }
    }
  }

  forgetMatch(id: string): void {
    const match = this.#readMatch(id)
    this.#texts.matches.remove(id)
    for (const player of match?.players ?? []) {
      if (this.#texts.waiting.get(player)?.replace('=', '') === id) {
        this.#texts.waiting.remove(player)
      }
    }
  }

  #readMatch(id: string): QueueRecord | null {
    const text = this.#texts.matches.get(id)
    return text === undefined ? null : decodeQueued(id, text)
  }

  #isWaiting({ id, players }: QueueRecord): boolean {
    return players.some((player) => {
      const other = this.#texts.waiting.get(player)
      return other !== undefined && other !== id && !other.startsWith('=')
    })
  }

  #putTicket(ticket: QueueRecord): void {
    this.#texts.tickets.put(ticket.id, encodeQueued(ticket))
    for (const player of ticket.players) this.#texts.waiting.put(player, ticket.id)
  }
}
