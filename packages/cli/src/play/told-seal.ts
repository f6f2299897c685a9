import type { GameEvent, PerSealed, Seal } from '@junqi/engine'
import type { RoomView, ViewedEvent } from '@junqi/protocol'

/** What comes with an entry about the seal; null: nothing. */
export type SealStep = 'gameSealed' | 'sealOpened' | null

export function sealStepOf(events: readonly GameEvent[]): SealStep {
  if (events.some(({ type }) => type === 'gameStarted')) return 'gameSealed'
  return events.some(({ type }) => type === 'gameEnded') ? 'sealOpened' : null
}

/** The seal of a game, which is the server's to choose: as one was told it, everyone must be. */
export class ToldSeal {
  #commitments: PerSealed | null = null
  #salts: PerSealed | null = null

  /** All that was told in the end. */
  get whole(): Seal {
    return { commitments: this.#commitments ?? {}, salts: this.#salts ?? {} }
  }

  /** What somebody must be told of it with an entry, last of all, who was told `events`. */
  eventsAt(step: SealStep, events: readonly ViewedEvent[]): readonly ViewedEvent[] {
    for (const event of events) {
      if (event.type === 'gameSealed') this.#commitments ??= event.commitments
      if (event.type === 'sealOpened') this.#salts ??= event.salts
    }
    const { commitments, salts } = this.whole
    if (step === 'gameSealed') return [{ type: step, commitments }]
    return step === 'sealOpened' ? [{ type: step, salts }] : []
  }

  /** As a view must have it, of a game that is on or over. */
  viewIn(phase: RoomView['phase']): RoomView['seal'] {
    const { commitments, salts } = this.whole
    return { commitments, salts: phase === 'finished' ? salts : null }
  }
}
