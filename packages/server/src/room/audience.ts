import type { Formation } from '@junqi/engine'
import type { EncodedMessage, PlayerId, RoomId, RoomView } from '@junqi/protocol'
import type { Clock, ServiceTime } from '../ports.ts'
import type { Session } from '../socket/session.ts'
import { Absences } from './absences.ts'
import { Delay } from './delay.ts'
import type { LogEntry } from './log-entry.ts'
import { type Asker, type DropCode, Publisher, type Step } from './publisher.ts'
import { haveLeftAlike, maySee, type RoomState, seatOf } from './room-state.ts'
import { watchOf } from './spectating.ts'

export interface AudienceDeps {
  readonly clock: Clock
  /** As far as this node knows. */
  isConnected(player: PlayerId): boolean
  /** The session watches the room no longer. */
  dropped(session: Session): void
}

/** A room's viewers at this node: who they are, and all that they are told. */
export class Audience {
  readonly #room: RoomId
  readonly #deps: AudienceDeps
  readonly #absences = new Absences()
  /** Tells those who follow the room as it is. */
  readonly #live: Publisher
  /** Those who are behind, while a game runs that spectators see late; else null. */
  #delay: Delay | null = null

  constructor(room: RoomId, deps: AudienceDeps) {
    this.#room = room
    this.#deps = deps
    this.#live = new Publisher(room, this.#absences)
  }

  get isEmpty(): boolean {
    return this.#live.subscribers.size === 0 && (this.#delay?.sessions.size ?? 0) === 0
  }

  get sessions(): readonly Session[] {
    return [...this.#live.subscribers, ...(this.#delay?.sessions ?? [])]
  }

  /** Those who watch; of each one or more sockets. */
  get players(): ReadonlySet<PlayerId> {
    return new Set(this.sessions.map(({ player }) => player.id))
  }

  has(session: Session): boolean {
    return this.isLive(session) || (this.#delay?.sessions.has(session) ?? false)
  }

  /** Whether the session is told of an entry as it happens. */
  isLive(session: Session): boolean {
    return this.#live.subscribers.has(session)
  }

  /** Takes note of a log of which nobody needs to hear. */
  open(state: RoomState, log: readonly LogEntry[]): void {
    this.#live.startOver(log)
    this.#delay = Delay.after(log, { room: this.#room, absences: this.#absences, state })
    this.#followSeats(state)
  }

  /** Sends a snapshot, or what the client missed since a version, and everything from then on. */
  add(
    state: RoomState,
    asker: Asker,
    from: { readonly since: number | null; readonly draft: Formation | null },
  ): void {
    const delay = this.#delayFor(state, asker.session.player.id)
    if (delay === null) this.#live.subscribe(state, asker, from)
    else delay.subscribe(asker, from.since)
  }

  remove(session: Session): void {
    this.#live.unsubscribe(session)
    this.#delay?.remove(session)
  }

  /** Tells an entry, and what follows from it for those who watch. */
  tell(step: Step, asker: Asker | null): void {
    const { before, after } = step
    const frame = this.#live.publish(step, asker)
    this.#followDelay(step, frame)
    if (before.seats !== after.seats) {
      for (const player of this.#followSeats(after)) this.#sendPresence(player)
    }
    if (mayWatchChanges(before, after)) this.#dropStrangers(after)
    if (after.closed) this.drop('room_closed')
  }

  /** Another log takes the place of the one that was told: everyone gets a snapshot. */
  startOver(
    state: RoomState,
    log: readonly LogEntry[],
    drafts: ReadonlyMap<PlayerId, Formation | null>,
  ): void {
    const { sessions } = this
    for (const session of sessions) this.#live.admit(session)
    this.open(state, log)
    this.#dropStrangers(state)
    for (const session of [...this.#live.subscribers]) {
      const { id } = session.player
      const delay = this.#delayFor(state, id)
      if (delay === null) {
        const draft = drafts.get(id) ?? null
        this.#live.sendSnapshot(state, session, { re: null, draft })
      } else {
        this.#live.unsubscribe(session)
        delay.bringBack(session)
      }
    }
    if (state.closed) this.drop('room_closed')
  }

  /** To the player's own sockets. */
  tellDraft(player: PlayerId, formation: Formation): void {
    this.#live.sendDraft(player, formation)
  }

  /** A seated player is here, or gone since then. */
  tellPresence(player: PlayerId, goneSince: ServiceTime | null): void {
    this.#absences.note(player, goneSince)
    this.#sendPresence(player)
  }

  /** What is no entry of the log, and the same for everyone: only when no game runs that some see late. */
  tellAll(frame: EncodedMessage): void {
    for (const session of this.sessions) session.send(frame)
  }

  /** The room as a value, for HTTP; null: not while its game runs. */
  view(state: RoomState, player: PlayerId | null, draft: Formation | null): RoomView | null {
    if (watchOf(state, player) === 'none') return null
    return this.#delayFor(state, player)?.view() ?? this.#live.view(state, player, draft)
  }

  /** The state of the room that a player may know of; null: none, while the game runs. */
  shownTo(player: PlayerId, state: RoomState): RoomState | null {
    if (watchOf(state, player) === 'none') return null
    return this.#delayFor(state, player)?.state ?? state
  }

  /** Everyone's subscription ends. */
  drop(code: DropCode): void {
    this.#drop(this.sessions, code)
  }

  #delayFor(state: RoomState, player: PlayerId | null): Delay | null {
    return watchOf(state, player) === 'delayed' ? this.#delay : null
  }

  /** `frame`: what everyone got; null: they got different ones. */
  #followDelay(step: Step, frame: EncodedMessage | null): void {
    const { after } = step
    if (this.#delay !== null) this.#delay.follow(step, frame)
    else if (after.version === after.gameVersion) {
      this.#delay = Delay.begin(step, { room: this.#room, absences: this.#absences })
    }
    if (this.#delay === null) return
    if (after.phase !== 'playing') this.#endDelay(after, this.#delay)
    else if (mayWatchChanges(step.before, after)) this.#holdBack(after, this.#delay)
  }

  /** Those who are spectators from now on. */
  #holdBack(state: RoomState, delay: Delay): void {
    for (const session of [...this.#live.subscribers]) {
      if (watchOf(state, session.player.id) !== 'delayed') continue
      this.#live.unsubscribe(session)
      delay.admit(session, state.version)
    }
  }

  /** Everything was told: all follow the room as it is. */
  #endDelay(state: RoomState, delay: Delay): void {
    this.#delay = null
    for (const session of delay.sessions) {
      this.#live.admit(session)
      // Who left and came back was shown the room as somebody without a seat.
      if (seatOf(state, session.player.id) !== null) {
        this.#live.sendSnapshot(state, session, { re: null, draft: null })
      }
    }
  }

  #sendPresence(player: PlayerId): void {
    this.#live.sendPresence(player)
    this.#delay?.sendPresence(player)
  }

  /** Those who were removed from a private room, or left it, and those who have no seat where nobody looks on. */
  #dropStrangers(state: RoomState): void {
    const { sessions } = this
    const strangers = sessions.filter(({ player }) => !maySee(state, player.id))
    this.#drop(strangers, 'room_not_found')
    const onlookers = sessions.filter(
      ({ player }) => maySee(state, player.id) && watchOf(state, player.id) === 'none',
    )
    this.#drop(onlookers, 'no_spectators')
  }

  #drop(sessions: readonly Session[], code: DropCode): void {
    for (const session of sessions) {
      this.remove(session)
      this.#live.sendDropped(session, code)
      this.#deps.dropped(session)
    }
  }

  #followSeats(state: RoomState): readonly PlayerId[] {
    const { clock, isConnected } = this.#deps
    return this.#absences.follow(state, clock.now(), isConnected)
  }
}

/** Whether who may follow the room, or how, may have changed. */
const mayWatchChanges = (before: RoomState, after: RoomState): boolean =>
  before.members !== after.members || before.phase !== after.phase || !haveLeftAlike(before, after)
