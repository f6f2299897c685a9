import type { PlayerId } from '@junqi/protocol'
import { IndexOf } from '../room/index-of.ts'
import type { Session } from '../socket/session.ts'
import { CANCELLED, frameOf, type Status } from './status.ts'

interface Told {
  readonly frame: string
  /** The look at the queue that was the last to begin before it was told. */
  readonly look: number
}

/** The players who are connected here, and what they were told of their wish for quick play. */
export class SeekersHere {
  readonly #sessions = new IndexOf<PlayerId, Session>()
  /** Of those who wait, as far as they know. */
  readonly #told = new Map<PlayerId, Told>()
  #look = 0

  connect(session: Session): void {
    this.#sessions.add(session.player.id, session)
  }

  disconnect(session: Session): void {
    const { id } = session.player
    this.#sessions.delete(id, session)
    if (!this.#sessions.has(id)) this.#told.delete(id)
  }

  has(player: PlayerId): boolean {
    return this.#sessions.has(player)
  }

  tell(player: PlayerId, status: Status): void {
    if (!this.#sessions.has(player)) return
    const frame = frameOf(status)
    const isOpen = status.state === 'waiting' || status.state === 'inviting'
    if (isOpen) this.#told.set(player, { frame, look: this.#look })
    else this.#told.delete(player)
    for (const session of this.#sessions.get(player)) session.send(frame)
  }

  /** A look at the queue begins: what is told from now on it may not know of. */
  beginLook(): number {
    this.#look += 1
    return this.#look
  }

  /** What a look found, for those who were told something else before it began. */
  tellNews(look: number, found: ReadonlyMap<PlayerId, Status | 'as told'>): void {
    for (const [player, told] of [...this.#told]) {
      const status = found.get(player) ?? CANCELLED
      if (told.look >= look || status === 'as told') continue
      if (frameOf(status) !== told.frame) this.tell(player, status)
    }
  }
}
