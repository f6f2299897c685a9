import { err, ok, type Result } from '@junqi/engine'
import type { ListedRoom, LobbyFilters, RoomId, ServerMessage } from '@junqi/protocol'
import type { Refusal } from './refusal.ts'
import { refusal } from './refusal.ts'
import type { Requests } from './requests.ts'

type LobbyMessage = Extract<ServerMessage, { readonly type: 'lobby' | 'lobbyChanged' }>

export interface LobbyDeps {
  readonly requests: Requests
  /** Nothing more is to be handed to this list. */
  readonly onEnd: () => void
}

/** The list of public rooms, in step with the server. */
export type LobbyHandle = Omit<WatchedLobby, 'sync' | 'receive' | 'end'>

export class WatchedLobby {
  readonly filters: LobbyFilters
  readonly #deps: LobbyDeps
  readonly #listeners = new Set<(rooms: readonly ListedRoom[]) => void>()
  readonly #openers: ((result: Result<readonly ListedRoom[], Refusal>) => void)[] = []
  #rooms: readonly ListedRoom[] | null = null
  #ended: Refusal | null = null
  #isSyncing = false

  constructor(filters: LobbyFilters, deps: LobbyDeps) {
    this.filters = filters
    this.#deps = deps
  }

  /** The rooms that pass the filters, the newest first; null: not told yet. */
  get rooms(): readonly ListedRoom[] | null {
    return this.#rooms
  }

  /** Resolves when the list is known, or cannot be. */
  opened(): Promise<Result<readonly ListedRoom[], Refusal>> {
    if (this.#ended !== null) return Promise.resolve(err(this.#ended))
    if (this.#rooms !== null) return Promise.resolve(ok(this.#rooms))
    return new Promise((resolve) => this.#openers.push(resolve))
  }

  /** Calls `listener` with the list at every change; the function that comes back ends that. */
  onChange(listener: (rooms: readonly ListedRoom[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Watches the list no longer. */
  close(): void {
    if (this.#ended !== null) return
    this.#deps.requests.ask((id) => ({ type: 'unwatchLobby', id }))
    this.end(refusal('closed', 'The list was closed by this client.'))
  }

  /** Asks for the whole list: a new connection is told nothing by itself. */
  sync(): void {
    if (this.#isSyncing || this.#ended !== null) return
    this.#isSyncing = true
    const { filters } = this
    this.#deps.requests
      .ask((id) => ({ type: 'watchLobby', id, filters }))
      .then((result) => {
        this.#isSyncing = false
        if (!result.ok) this.end(result.error)
      })
  }

  receive(message: LobbyMessage): void {
    if (message.type === 'lobby') this.#adopt(message.rooms)
    else if (this.#rooms !== null) this.#adopt(evolveLobby(this.#rooms, message))
  }

  /** There is nothing more to come. */
  end(reason: Refusal): void {
    if (this.#ended !== null) return
    this.#ended = reason
    this.#deps.onEnd()
    for (const open of this.#openers.splice(0)) open(err(reason))
    this.#listeners.clear()
  }

  #adopt(rooms: readonly ListedRoom[]): void {
    this.#rooms = rooms
    for (const open of this.#openers.splice(0)) open(ok(rooms))
    for (const listener of this.#listeners) listener(rooms)
  }
}

/** The list after a difference: what is known keeps its place, what is new comes first. */
export function evolveLobby(
  rooms: readonly ListedRoom[],
  { put, removed }: Pick<Extract<LobbyMessage, { type: 'lobbyChanged' }>, 'put' | 'removed'>,
): readonly ListedRoom[] {
  const news = new Map<RoomId, ListedRoom>(put.map((listed) => [listed.room, listed]))
  const gone = new Set(removed)
  const kept = rooms.flatMap((listed) => {
    if (gone.has(listed.room)) return []
    const changed = news.get(listed.room) ?? listed
    news.delete(listed.room)
    return [changed]
  })
  return [...news.values(), ...kept]
}
