import type { LobbyFilters, PlayerId } from '@junqi/protocol'
import type { Session } from '../socket/session.ts'
import { IndexOf } from './index-of.ts'
import { filterKey } from './lobby-filter.ts'

/** Filters that are kept apart at a time, and those that one player has, on all its connections here. */
export const MOST_FILTERS = 256
export const FILTERS_PER_PLAYER = 4
/** So many are for players with one: what few ask for besides takes none of it. */
export const KEPT_FOR_FIRSTS = 128
/** The whole list costs as much for one as for all. */
const EVERYTHING = filterKey({})

/** Watchers with equal filters, and the list that all of them have. */
export interface Group<Shown> {
  readonly key: string
  readonly filters: LobbyFilters
  readonly sessions: Set<Session>
  shown: Shown
}

/** Those who watch the list of rooms, by their filters. Each group is work, so groups are shared out among players. */
export class LobbyGroups<Shown> {
  readonly #groups = new Map<string, Group<Shown>>()
  readonly #watching = new Map<Session, Group<Shown>>()
  readonly #ofPlayer = new IndexOf<PlayerId, Session>()

  /** How many watch. */
  get size(): number {
    return this.#watching.size
  }

  [Symbol.iterator](): Iterator<Group<Shown>> {
    return this.#groups.values()
  }

  /** Whether a session may watch with these filters, instead of those that it has. */
  admits(session: Session, filters: LobbyFilters): boolean {
    const key = filterKey(filters)
    if (key === EVERYTHING) return true
    const others = this.#othersOf(session)
    if (!others.has(key) && others.size >= FILTERS_PER_PLAYER) return false
    if (this.#groups.has(key)) return true
    const left = this.#watching.get(session)?.sessions.size === 1 ? 1 : 0
    const most = others.size === 0 ? MOST_FILTERS : MOST_FILTERS - KEPT_FOR_FIRSTS
    return this.#groups.size - left < most
  }

  /** The session watches with these filters, and with no others. */
  join(session: Session, filters: LobbyFilters, show: () => Shown): Group<Shown> {
    this.leave(session)
    const key = filterKey(filters)
    const group = this.#groups.get(key) ?? { key, filters, sessions: new Set(), shown: show() }
    this.#groups.set(key, group)
    group.sessions.add(session)
    this.#watching.set(session, group)
    this.#ofPlayer.add(session.player.id, session)
    return group
  }

  leave(session: Session): void {
    const group = this.#watching.get(session)
    if (group === undefined) return
    this.#watching.delete(session)
    this.#ofPlayer.delete(session.player.id, session)
    group.sessions.delete(session)
    if (group.sessions.size === 0) this.#groups.delete(group.key)
  }

  /** The filters that a session's player has on its other connections. */
  #othersOf(session: Session): ReadonlySet<string> {
    const keys = [...this.#ofPlayer.get(session.player.id)].flatMap((other) =>
      other === session ? [] : (this.#watching.get(other)?.key ?? []),
    )
    return new Set(keys.filter((key) => key !== EVERYTHING))
  }
}
