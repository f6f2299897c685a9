import type { PlayerId, ServiceTime } from '../ports.ts'

/** A player who is away for longer waits no more; a reload or a node's end is shorter. */
const ABSENT_MS = 15_000

/** Since when those who wait are away, as far as this node has seen. */
export class Absences {
  #since: ReadonlyMap<PlayerId, ServiceTime> = new Map()

  /** Of nobody else is anything kept. */
  note(players: readonly PlayerId[], connected: ReadonlySet<PlayerId>, now: ServiceTime): void {
    const absent = players.filter((player) => !connected.has(player))
    this.#since = new Map(absent.map((player) => [player, this.#since.get(player) ?? now]))
  }

  isLong(player: PlayerId, now: ServiceTime): boolean {
    const since = this.#since.get(player)
    return since !== undefined && now - since >= ABSENT_MS
  }
}
