import type { Client, Refusal, RoomHandle, RoomState } from '@junqi/client'
import type { Invitation, RoomId, RoomView, SeatScores, ViewedEvent } from '@junqi/protocol'
import { invitation as invitationSchema } from '@junqi/protocol'
import { type ReadonlySignal, signal } from '@preact/signals'

/** A table that the page looks at. */
export interface OpenRoom {
  readonly id: RoomId
  readonly handle: RoomHandle
  /** null: not told yet. */
  readonly state: ReadonlySignal<RoomState | null>
  /** Why it cannot be looked at (any more); null: it can. */
  readonly lost: ReadonlySignal<Refusal | null>
  /** What the game did to its players' scores, as far as it was told while the page looked; null: not told. */
  readonly scores: ReadonlySignal<SeatScores | null>
  /** Grows with all that is said, and with who looks on. */
  readonly talk: ReadonlySignal<number>
  /** Calls `listener` with what happens while the page looks. */
  onEvents(listener: (events: readonly ViewedEvent[], view: RoomView) => void): () => void
  close(): void
}

/** Opens a table, with the words of a link that may be an invitation to it. */
export function openRoom(client: Client, id: RoomId, invitation: string | null): OpenRoom {
  const handle = client.room(id, invitationOf(invitation))
  const state = signal<RoomState | null>(handle.state)
  const lost = signal<Refusal | null>(null)
  const scores = signal<SeatScores | null>(handle.scores)
  const talk = signal(0)
  const listeners = new Set<(events: readonly ViewedEvent[], view: RoomView) => void>()
  const stop = handle.onUpdate((update) => {
    if (update.type === 'lost') lost.value = update.reason
    else state.value = update.state
    if (update.type === 'scored') scores.value = update.seats
    if (update.type === 'said' || update.type === 'onlookers' || update.type === 'snapshot') {
      talk.value++
    }
    if (update.type !== 'event') return
    for (const listener of listeners) listener(update.events, update.state.view)
  })
  return {
    id,
    handle,
    state,
    lost,
    scores,
    talk,
    onEvents(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      stop()
      handle.close()
    },
  }
}

function invitationOf(text: string | null): { readonly invitation?: Invitation } {
  const parsed = invitationSchema.safeParse(text)
  return parsed.success ? { invitation: parsed.data } : {}
}
