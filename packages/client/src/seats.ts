import type { RoomId, ServerMessage } from '@junqi/protocol'

type SeatMessage = Extract<ServerMessage, { readonly type: 'seated' | 'seats' }>

/** The rooms where the player sits, as the server tells them, and as the rooms show that are watched. */
export class Seats {
  readonly #listeners = new Set<(room: RoomId) => void>()
  #rooms: ReadonlySet<RoomId> | null = null

  /** null: not told yet. */
  get rooms(): ReadonlySet<RoomId> | null {
    return this.#rooms
  }

  /** Calls `listener` with each room that is new, at once with those that are known. */
  listen(listener: (room: RoomId) => void): () => void {
    this.#listeners.add(listener)
    for (const room of this.#rooms ?? []) listener(room)
    return () => this.#listeners.delete(listener)
  }

  /** A room that is watched shows whether the player sits there; that a seat is no more, or its game over, tells nothing else. */
  note(room: RoomId, { isSeated }: { readonly isSeated: boolean }): void {
    if (this.#rooms === null) return
    const others = [...this.#rooms].filter((known) => known !== room)
    this.#rooms = new Set(isSeated ? [...others, room] : others)
  }

  receive(message: SeatMessage): void {
    const known = this.#rooms ?? new Set()
    const told = message.type === 'seats' ? message.rooms : [...known, message.room]
    this.#rooms = new Set(told)
    const news = message.type === 'seats' ? told.filter((room) => !known.has(room)) : [message.room]
    for (const room of news) for (const listener of this.#listeners) listener(room)
  }
}
