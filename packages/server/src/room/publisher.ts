import type { Formation, Viewer } from '@junqi/engine'
import {
  asReplyTo,
  type CommandId,
  type EncodedMessage,
  encodeServerMessage,
  encodeSnapshot,
  type PlayerId,
  type RoomId,
  type RoomView,
  type ServerMessage,
  type ViewedEvent,
} from '@junqi/protocol'
import type { Session } from '../socket/session.ts'
import type { Absences } from './absences.ts'
import { History } from './history.ts'
import type { LogEntry } from './log-entry.ts'
import { publicDeadline, type RoomState, seated, viewerOf } from './room-state.ts'
import { viewEntry, viewForAll } from './view-entry.ts'
import { type Sight, viewRoom } from './view-room.ts'

/** Why a subscription ends. */
export type DropCode = Extract<ServerMessage, { type: 'dropped' }>['code']

/** The latest frames that are kept for those who come back. */
const RECENT_FRAMES = 32

/** An entry, and the room before and after it. */
export interface Step {
  readonly before: RoomState
  readonly entry: LogEntry
  readonly after: RoomState
}

/** The socket that an entry, a snapshot or a resumption answers. */
export interface Asker {
  readonly session: Session
  readonly re: CommandId
}

/** Sends what happens in a room to those who watch it: of an entry one frame to a socket, each viewer its own view. */
export class Publisher {
  readonly #room: RoomId
  readonly #absences: Absences
  readonly #subscribers = new Set<Session>()
  #history = new History()
  /** The frames of the latest versions without a gap, as long as everyone got the same. */
  readonly #recent: EncodedMessage[] = []
  readonly #viewers: 'all' | 'spectators'

  /** `spectators`: whoever they are, they see what somebody without a seat sees. */
  constructor(room: RoomId, absences: Absences, viewers: 'all' | 'spectators' = 'all') {
    this.#room = room
    this.#absences = absences
    this.#viewers = viewers
  }

  get subscribers(): ReadonlySet<Session> {
    return this.#subscribers
  }

  /** Takes note of a log of which nobody needs to hear. */
  startOver(log: readonly LogEntry[]): void {
    this.#history = new History()
    this.#recent.length = 0
    for (const entry of log) this.#history.add(entry)
  }

  /**
   * Sends an entry. The one who asked for it gets it as the answer. Gives the frame that everyone gets; null: they get
   * different ones. `made`: the frame, if it was made before.
   */
  publish(
    step: Step,
    asker: Asker | null,
    made: EncodedMessage | null = null,
  ): EncodedMessage | null {
    this.#history.add(step.entry)
    const shared = viewForAll(step.entry)
    if (shared === null) {
      this.#publishApart(step, asker)
      return null
    }
    const frame = made ?? this.#encodeEvents(step, shared)
    this.#publishToAll(frame, asker)
    return frame
  }

  /** The asker comes last: the others' bytes are the same, and are made once (socket/frame.ts). */
  #publishToAll(frame: EncodedMessage, asker: Asker | null): void {
    const asking = asker !== null && this.#subscribers.has(asker.session) ? asker : null
    for (const session of this.#subscribers) {
      if (session !== asking?.session) session.send(frame)
    }
    asking?.session.send(asReplyTo(asking.re, frame))
    this.#recent.push(frame)
    if (this.#recent.length > RECENT_FRAMES) this.#recent.shift()
  }

  #publishApart(step: Step, asker: Asker | null): void {
    this.#recent.length = 0
    const frames = new Map<Viewer, EncodedMessage>()
    for (const session of this.#subscribers) {
      const viewer = viewerOf(step.after, this.#identityOf(session.player.id))
      const frame =
        frames.get(viewer) ?? this.#encodeEvents(step, viewEntry(step.before, step.entry, viewer))
      frames.set(viewer, frame)
      session.send(session === asker?.session ? asReplyTo(asker.re, frame) : frame)
    }
  }

  /** Brings a socket up to date, and keeps it there. */
  subscribe(
    state: RoomState,
    asker: Asker,
    from: { readonly since: number | null; readonly draft: Formation | null },
  ): void {
    const missed = from.since === null ? null : this.#missed(state, from.since)
    if (missed === null) this.sendSnapshot(state, asker.session, { ...from, re: asker.re })
    else this.#resume(state, asker, missed)
    this.#subscribers.add(asker.session)
  }

  /** From now on it is told everything; it knows what was told so far. */
  admit(session: Session): void {
    this.#subscribers.add(session)
  }

  /** The frames after a version; null: a snapshot is needed. Before play it always is: drafts are in no entry. */
  #missed(state: RoomState, since: number): readonly EncodedMessage[] | null {
    const count = state.version - since
    if (state.game === null || count < 0 || count > this.#recent.length) return null
    return this.#recent.slice(this.#recent.length - count)
  }

  #resume(state: RoomState, { session, re }: Asker, missed: readonly EncodedMessage[]): void {
    session.send(encodeServerMessage({ type: 'ack', re, room: this.#room, version: null }))
    for (const frame of missed) session.send(frame)
    for (const { occupant } of seated(state)) session.send(this.#encodePresence(occupant.player.id))
  }

  sendSnapshot(
    state: RoomState,
    session: Session,
    { re, draft }: { readonly re: CommandId | null; readonly draft: Formation | null },
  ): void {
    const view = viewRoom(state, this.#sight(session.player.id, draft, []))
    const { version } = state
    session.send(
      encodeSnapshot(
        { type: 'snapshot', re, room: this.#room, version, view },
        this.#history.encoded(),
      ),
    )
  }

  /** The same as a value, for HTTP. */
  view(state: RoomState, player: PlayerId | null, draft: Formation | null): RoomView {
    return viewRoom(state, this.#sight(player, draft, this.#history.events()))
  }

  #sight(player: PlayerId | null, draft: Formation | null, history: Sight['history']): Sight {
    const goneSince = (seated: PlayerId) => this.#absences.goneSince(seated)
    return { player: this.#identityOf(player), draft, history, goneSince }
  }

  #identityOf(player: PlayerId | null): PlayerId | null {
    return this.#viewers === 'all' ? player : null
  }

  sendPresence(player: PlayerId): void {
    const frame = this.#encodePresence(player)
    for (const session of this.#subscribers) session.send(frame)
  }

  /** To all sockets of the player itself. */
  sendDraft(player: PlayerId, formation: Formation): void {
    const frame = encodeServerMessage({ type: 'draft', room: this.#room, formation })
    for (const session of this.#subscribers) {
      if (session.player.id === player) session.send(frame)
    }
  }

  /** Its subscription has ended. */
  sendDropped(session: Session, code: DropCode): void {
    session.send(encodeServerMessage({ type: 'dropped', room: this.#room, code }))
  }

  unsubscribe(session: Session): void {
    this.#subscribers.delete(session)
  }

  #encodePresence(player: PlayerId): EncodedMessage {
    const goneSince = this.#absences.goneSince(player)
    return encodeServerMessage({ type: 'presence', room: this.#room, player, goneSince })
  }

  #encodeEvents({ entry, after }: Step, events: readonly ViewedEvent[]): EncodedMessage {
    return encodeServerMessage({
      type: 'event',
      room: this.#room,
      version: entry.version,
      turn: after.game?.turn ?? null,
      next: after.game?.toMove ?? null,
      until: publicDeadline(after),
      events,
    })
  }
}
