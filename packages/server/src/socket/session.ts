import type { ClientMessage, EncodedMessage, Player } from '@junqi/protocol'
import type { ServiceTime } from '../ports.ts'

/** One authenticated connection, as rooms see it. */
export interface Session {
  readonly player: Player
  /** Sends one frame, already encoded. Never throws; a closed or too slow connection drops it. */
  send(frame: EncodedMessage): void
  /** Sends what was said before it watched. Each ten frames count as much as a message that came from it (F-U5). */
  replay(frames: readonly EncodedMessage[]): void
}

/** Every message that is about a room; `hello` and `ping` are answered by the connection. */
export type RoomMessage = Exclude<ClientMessage, { type: 'hello' | 'ping' }>

/** What the sockets hand to the rooms. */
export interface Router {
  /** A player's first open session: it is back. */
  open(session: Session): void
  /** A message has to wait for those before it. The function returned says that it was handled, or dropped. */
  queued(session: Session, message: RoomMessage): () => void
  /** Answers exactly once: `ack`, `error`, or an `event` or `snapshot` with `re`. Never rejects. */
  handle(session: Session, message: RoomMessage, receivedAt: ServiceTime): Promise<void>
  /** Its subscriptions end; a player's last open session: it is gone. */
  close(session: Session): void
}
