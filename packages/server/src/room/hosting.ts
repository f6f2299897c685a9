import type { PlayerId, RoomId } from '@junqi/protocol'
import type { Clock, QuotaStore, ServiceTime } from '../ports.ts'
import type { RoomActor } from './room-actor.ts'
import type { RoomState } from './room-state.ts'

/** Live rooms that one player may be host of. */
export const ROOMS_PER_HOST = 8
/** How long a room may take from being counted to being there. */
const MAKING_MS = 10_000
/** Rooms that are remembered as not there. */
const MISSING = 10_000

export interface HostingDeps {
  readonly store: Pick<QuotaStore, 'countRoom' | 'uncountRoom'> & { readonly clock: Clock }
  open(room: RoomId): Promise<RoomActor | null>
}

/** Counts the rooms that a player makes, for all nodes together, and counts again when there are too many. */
export class Hosting {
  readonly #deps: HostingDeps
  /** Counted rooms that were not there, and since when. */
  readonly #missing = new Map<RoomId, ServiceTime>()

  constructor(deps: HostingDeps) {
    this.#deps = deps
  }

  /** Counts a room that is going to be made; false: the host has as many as it may have. */
  async admit(host: PlayerId, room: RoomId, limit: number): Promise<boolean> {
    const { store } = this.#deps
    const counted = await store.countRoom(host, room, limit)
    if (counted.includes(room)) return true
    const live = await Promise.all(counted.map((other) => this.#isLive(host, other)))
    const over = counted.filter((_, i) => !live[i])
    if (over.length === 0) return false
    await Promise.all(over.map((other) => store.uncountRoom(host, other)))
    return (await store.countRoom(host, room, limit)).includes(room)
  }

  async #isLive(host: PlayerId, room: RoomId): Promise<boolean> {
    const actor = await this.#deps.open(room)
    if (actor === null) return !this.#isLongMissing(room)
    this.#missing.delete(room)
    await actor.refresh()
    return !actor.hasFailed && isHosting(actor.state, host)
  }

  /** A room that is not there is being made just now, or was given up when its node died. */
  #isLongMissing(room: RoomId): boolean {
    const now = this.#deps.store.clock.now()
    const since = this.#missing.get(room) ?? now
    if (this.#missing.size >= MISSING) this.#missing.clear()
    this.#missing.set(room, since)
    return now - since >= MAKING_MS
  }
}

const isHosting = ({ host, phase, closed }: RoomState, player: PlayerId): boolean =>
  host === player && phase !== 'finished' && !closed

/** Who was host of a live room, and is not any more; null: nobody. */
export const hostWithOneLess = (before: RoomState, after: RoomState): PlayerId | null =>
  isHosting(before, before.host) && !isHosting(after, before.host) ? before.host : null
