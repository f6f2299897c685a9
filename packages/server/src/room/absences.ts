import type { PlayerId } from '@junqi/protocol'
import type { ServiceTime } from '../ports.ts'
import { type RoomState, seated } from './room-state.ts'

/** Seated players without a connection, and since when. In no log: it is forgotten with the process. */
export class Absences {
  readonly #since = new Map<PlayerId, ServiceTime>()

  goneSince(player: PlayerId): ServiceTime | null {
    return this.#since.get(player) ?? null
  }

  note(player: PlayerId, goneSince: ServiceTime | null): void {
    if (goneSince === null) this.#since.delete(player)
    else this.#since.set(player, goneSince)
  }

  /** Looks at who sits now. Gives those of whom it is news that they are absent. */
  follow(
    state: RoomState,
    now: ServiceTime,
    isConnected: (player: PlayerId) => boolean,
  ): readonly PlayerId[] {
    const players = new Set(seated(state).map(({ occupant }) => occupant.player.id))
    for (const player of this.#since.keys()) {
      if (!players.has(player)) this.#since.delete(player)
    }
    const news = [...players].filter((player) => !this.#since.has(player) && !isConnected(player))
    for (const player of news) this.#since.set(player, now)
    return news
  }
}
