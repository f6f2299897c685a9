import type { PlayerId, RoomId } from '@junqi/protocol'
import type { Clock, QuotaStore } from '../ports.ts'
import { MissingRooms } from './missing-rooms.ts'
import type { RoomActor } from './room-actor.ts'
import type { RoomState } from './room-state.ts'

/** Live rooms that one player may be host of. */
export const ROOMS_PER_HOST = 8

export interface HostingDeps {
  readonly store: Pick<QuotaStore, 'countRoom' | 'uncountRoom'> & { readonly clock: Clock }
  open(room: RoomId): Promise<RoomActor | null>
}

/** Counts the rooms that a player makes, for all nodes together, and counts again when there are too many. */
export class Hosting {
  readonly #deps: HostingDeps
  readonly #missing: MissingRooms

  constructor(deps: HostingDeps) {
    this.#deps = deps
    this.#missing = new MissingRooms(deps.store.clock)
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
    if (actor === null) return !this.#missing.isLongMissing(room)
    this.#missing.found(room)
    await actor.refresh()
    return !actor.hasFailed && isHosting(actor.state, host)
  }
}

const isHosting = ({ host, phase, closed }: RoomState, player: PlayerId): boolean =>
  host === player && phase !== 'finished' && !closed

/** Who was host of a live room, and is not any more; null: nobody. */
export const hostWithOneLess = (before: RoomState, after: RoomState): PlayerId | null =>
  isHosting(before, before.host) && !isHosting(after, before.host) ? before.host : null
