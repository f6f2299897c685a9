import type { Formation } from '@junqi/engine'
import type { PlayerId, RoomId, RoomView } from '@junqi/protocol'
import type { Clock, ServiceTime } from '../ports.ts'
import type { Session } from '../socket/session.ts'
import { Absences } from './absences.ts'
import type { LogEntry } from './log-entry.ts'
import { type Asker, Publisher, type Step } from './publisher.ts'
import { maySee, type RoomState } from './room-state.ts'

export interface AudienceDeps {
  readonly clock: Clock
  /** As far as this node knows. */
  isConnected(player: PlayerId): boolean
  /** The session watches the room no longer. */
  dropped(session: Session): void
}

type DropCode = 'room_failed' | 'room_closed' | 'room_not_found'

/** A room's viewers at this node: who they are, and all that they are told. */
export class Audience {
  readonly #deps: AudienceDeps
  readonly #absences = new Absences()
  readonly #publisher: Publisher

  constructor(room: RoomId, deps: AudienceDeps) {
    this.#deps = deps
    this.#publisher = new Publisher(room, this.#absences)
  }

  get isEmpty(): boolean {
    return this.#publisher.subscribers.size === 0
  }

  /** Those who watch; of each one or more sockets. */
  get players(): ReadonlySet<PlayerId> {
    return new Set([...this.#publisher.subscribers].map(({ player }) => player.id))
  }

  has(session: Session): boolean {
    return this.#publisher.subscribers.has(session)
  }

  /** Takes note of a log of which nobody needs to hear. */
  open(state: RoomState, log: readonly LogEntry[]): void {
    this.#publisher.startOver(log)
    this.#followSeats(state)
  }

  /** Sends a snapshot, or what the client missed since a version, and everything from then on. */
  add(
    state: RoomState,
    asker: Asker,
    from: { readonly since: number | null; readonly draft: Formation | null },
  ): void {
    this.#publisher.subscribe(state, asker, from)
  }

  remove(session: Session): void {
    this.#publisher.unsubscribe(session)
  }

  /** Tells an entry, and what follows from it for those who watch. */
  tell(step: Step, asker: Asker | null): void {
    const { before, after } = step
    this.#publisher.publish(step, asker)
    if (before.seats !== after.seats) {
      for (const player of this.#followSeats(after)) this.#publisher.sendPresence(player)
    }
    if (before.members !== after.members) this.#dropStrangers(after)
    if (after.closed) this.drop('room_closed')
  }

  /** Another log takes the place of the one that was told: everyone gets a snapshot. */
  startOver(
    state: RoomState,
    log: readonly LogEntry[],
    drafts: ReadonlyMap<PlayerId, Formation | null>,
  ): void {
    this.open(state, log)
    this.#dropStrangers(state)
    for (const session of this.#publisher.subscribers) {
      const draft = drafts.get(session.player.id) ?? null
      this.#publisher.sendSnapshot(state, session, { re: null, draft })
    }
    if (state.closed) this.drop('room_closed')
  }

  /** To the player's own sockets. */
  tellDraft(player: PlayerId, formation: Formation): void {
    this.#publisher.sendDraft(player, formation)
  }

  /** A seated player is here, or gone since then. */
  tellPresence(player: PlayerId, goneSince: ServiceTime | null): void {
    this.#absences.note(player, goneSince)
    this.#publisher.sendPresence(player)
  }

  /** The room as a value, for HTTP. */
  view(state: RoomState, player: PlayerId | null, draft: Formation | null): RoomView {
    return this.#publisher.view(state, player, draft)
  }

  /** Everyone's subscription ends. */
  drop(code: DropCode): void {
    this.#drop(this.#publisher.subscribers, code)
  }

  /** Those who were removed from a private room, or left it, watch it no longer. */
  #dropStrangers(state: RoomState): void {
    const strangers = [...this.#publisher.subscribers].filter(
      ({ player }) => !maySee(state, player.id),
    )
    this.#drop(strangers, 'room_not_found')
  }

  #drop(sessions: Iterable<Session>, code: DropCode): void {
    for (const session of [...sessions]) {
      this.#publisher.drop(session, code)
      this.#deps.dropped(session)
    }
  }

  #followSeats(state: RoomState): readonly PlayerId[] {
    const { clock, isConnected } = this.#deps
    return this.#absences.follow(state, clock.now(), isConnected)
  }
}
