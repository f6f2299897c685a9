import type { PublicEvent } from '@junqi/engine'
import {
  decodePublicEvents,
  type EncodedEvents,
  encodePublicEvents,
  joinEncodedEvents,
} from '@junqi/protocol'
import type { LogEntry } from './log-entry.ts'
import { isToldToAll } from './view-entry.ts'

/** Entries after which the text is copied into one piece. */
const LOOSE_PARTS = 64

/** All that happened in a room's game, kept as text: one string, not thousands of objects (BUDGETS). */
export class History {
  #parts: EncodedEvents[] = []

  add(entry: LogEntry): void {
    const events = entry.events.filter(isToldToAll)
    if (events.length === 0) return
    this.#parts.push(encodePublicEvents(events))
    if (this.#parts.length > LOOSE_PARTS) this.encoded()
  }

  encoded(): EncodedEvents {
    const joined = joinEncodedEvents(this.#parts)
    this.#parts = [joined]
    return joined
  }

  events(): readonly PublicEvent[] {
    return decodePublicEvents(this.encoded())
  }
}
