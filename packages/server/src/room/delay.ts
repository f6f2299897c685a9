import { invariant } from '@junqi/engine'
import type { EncodedMessage, PlayerId, RoomId, RoomView } from '@junqi/protocol'
import type { Session } from '../socket/session.ts'
import type { Absences } from './absences.ts'
import type { LogEntry } from './log-entry.ts'
import { type Asker, Publisher, type Step } from './publisher.ts'
import { evolveRoom } from './room-reducer.ts'
import type { RoomState } from './room-state.ts'
import { delayOf } from './spectating.ts'

interface Held {
  readonly step: Step
  /** The frame that everyone got; null: they got different ones. */
  readonly frame: EncodedMessage | null
}

/** The spectators of a running game who are some moves behind, and what they have not been told yet (R-ROOM-2, R-ROOM-3). */
export class Delay {
  readonly #publisher: Publisher
  readonly #held: Held[] = []
  /** Who left, and was told everything up to then: from when on it is told what the others are. */
  readonly #ahead = new Map<Session, number>()
  #state: RoomState

  private constructor(publisher: Publisher, state: RoomState) {
    this.#publisher = publisher
    this.#state = state
  }

  /** After the entry that the log ends with; null: nobody is behind in this room now. */
  static after(
    log: readonly LogEntry[],
    { room, absences, state }: { room: RoomId; absences: Absences; state: RoomState },
  ): Delay | null {
    if (delayOf(state) === null) return null
    const steps = stepsOf(log)
    const shown = steps.findLastIndex(({ after }) => isDue(after, state))
    const last = steps[shown]
    invariant(last !== undefined, 'a game began')
    const publisher = new Publisher(room, absences, 'spectators')
    publisher.startOver(log.slice(0, shown + 1))
    const delay = new Delay(publisher, last.after)
    for (const step of steps.slice(shown + 1)) delay.#held.push({ step, frame: null })
    return delay
  }

  /** With the entry that starts play, which everyone is told at once; null: nobody is to be behind. */
  static begin(
    { after }: Step,
    { room, absences }: { room: RoomId; absences: Absences },
  ): Delay | null {
    if (delayOf(after) === null) return null
    return new Delay(new Publisher(room, absences, 'spectators'), after)
  }

  /** The room as they see it. */
  get state(): RoomState {
    return this.#state
  }

  get sessions(): ReadonlySet<Session> {
    return new Set([...this.#publisher.subscribers, ...this.#ahead.keys()])
  }

  /** Holds an entry back, and tells what was held back long enough. At the end of the game that is everything. */
  follow(step: Step, frame: EncodedMessage | null): void {
    this.#held.push({ step, frame })
    for (let [next] = this.#held; next !== undefined; [next] = this.#held) {
      if (!isDue(next.step.after, step.after)) break
      this.#held.shift()
      this.#tell(next)
    }
  }

  #tell({ step, frame }: Held): void {
    this.#state = step.after
    this.#publisher.publish(step, null, frame)
    for (const [session, version] of this.#ahead) {
      if (version > step.after.version) continue
      this.#ahead.delete(session)
      this.#publisher.admit(session)
    }
  }

  subscribe(asker: Asker, since: number | null): void {
    this.#ahead.delete(asker.session)
    this.#publisher.subscribe(this.#state, asker, { since, draft: null })
  }

  /** Somebody who was told everything up to a version. */
  admit(session: Session, version: number): void {
    if (version > this.#state.version) this.#ahead.set(session, version)
    else this.#publisher.admit(session)
  }

  /** A snapshot, and everything from then on. */
  bringBack(session: Session): void {
    this.#publisher.sendSnapshot(this.#state, session, { re: null, draft: null })
    this.#publisher.admit(session)
  }

  remove(session: Session): void {
    this.#ahead.delete(session)
    this.#publisher.unsubscribe(session)
  }

  sendPresence(player: PlayerId): void {
    this.#publisher.sendPresence(player)
  }

  view(): RoomView {
    return this.#publisher.view(this.#state, null, null)
  }
}

/** Whether the room after an entry is what it was so many moves ago, or before; the start of play is told at once. */
function isDue(after: RoomState, now: RoomState): boolean {
  const delay = delayOf(now)
  if (delay === null || after.game === null || now.game === null) return true
  return after.version === now.gameVersion || after.game.moves + delay <= now.game.moves
}

function stepsOf(log: readonly LogEntry[]): readonly Step[] {
  const steps: Step[] = []
  let before: RoomState | null = null
  for (const entry of log) {
    const after = evolveRoom(before, entry)
    // Before the first entry there is no room to have looked at.
    steps.push({ before: before ?? after, entry, after })
    before = after
  }
  return steps
}
