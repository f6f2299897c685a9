import type { RoomId } from '@junqi/protocol'
import type { Clock, ServiceTime } from '../ports.ts'

/** How long a room may take from being noted to being there. */
const MAKING_MS = 10_000
/** Rooms that are remembered as not there. */
const REMEMBERED = 10_000

/** Noted rooms that are not there: each is being made just now, was given up when its node died, or is gone. */
export class MissingRooms {
  readonly #clock: Clock
  readonly #since = new Map<RoomId, ServiceTime>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  found(room: RoomId): void {
    this.#since.delete(room)
  }

  /** The room is not there: whether for so long that nobody is making it any more. */
  isLongMissing(room: RoomId): boolean {
    const now = this.#clock.now()
    const since = this.#since.get(room) ?? now
    if (this.#since.size >= REMEMBERED) this.#since.clear()
    this.#since.set(room, since)
    return now - since >= MAKING_MS
  }
}
