import { type Brand, InvariantError, type PublicEvent } from '@junqi/engine'
import { z } from 'zod'
import { type EncodedMessage, encodeServerMessage } from './codec.ts'
import { publicEvent } from './seat-event.ts'
import type { ServerMessage } from './server-message.ts'

/** Public events as they stand in a snapshot, joined by commas: text is what a room keeps of them while its game grows. */
export type EncodedEvents = Brand<string, 'EncodedEvents'>

const publicEvents = z.array(publicEvent)

export const encodePublicEvents = (events: readonly PublicEvent[]): EncodedEvents =>
  events.map((event) => JSON.stringify(event)).join(',') as EncodedEvents

/** Copied into one piece, whatever the pieces were. */
export const joinEncodedEvents = (parts: readonly EncodedEvents[]): EncodedEvents =>
  parts.filter((part) => part !== '').join(',') as EncodedEvents

export const decodePublicEvents = (encoded: EncodedEvents): readonly PublicEvent[] =>
  publicEvents.parse(JSON.parse(`[${encoded}]`))

/** The frame of a snapshot whose history, left empty in it, is encoded already. */
export function encodeSnapshot(
  snapshot: Extract<ServerMessage, { type: 'snapshot' }>,
  history: EncodedEvents,
): EncodedMessage {
  if (snapshot.view.history.length > 0) throw new InvariantError('the history is encoded apart')
  // In JSON text a quotation mark within a string is escaped, so this is the field and nothing else.
  const frame = encodeServerMessage(snapshot)
  return frame.replace('"history":[]', () => `"history":[${history}]`) as EncodedMessage
}
