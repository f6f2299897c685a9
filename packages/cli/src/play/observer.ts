import type { RoomState } from '@junqi/client'
import type { Viewer } from '@junqi/engine'
import type { ServerMessage } from '@junqi/protocol'
import { differenceOf } from './difference.ts'
import type { ExpectedLog } from './expected-log.ts'

type EventMessage = Extract<ServerMessage, { readonly type: 'event' }>

/** Holds what one viewer is told, and what the SDK makes of it, against what it must see. */
export class Observer {
  readonly #viewer: Viewer
  readonly #log: ExpectedLog
  /** Of the latest entry that was told; null: none yet. */
  #version: number | null = null

  constructor(viewer: Viewer, log: ExpectedLog) {
    this.#viewer = viewer
    this.#log = log
  }

  /** What is wrong with a message, in one sentence; null: nothing. */
  problemOfMessage(message: ServerMessage): string | null {
    if (message.type === 'snapshot') this.#version = message.version
    return message.type === 'event' ? this.#problemOfEvent(message) : null
  }

  #problemOfEvent({ version, turn, next, until, events }: EventMessage): string | null {
    const dense = this.#version === null ? version : this.#version + 1
    this.#version = version
    const entry = this.#log.at(dense)
    const expected = entry && {
      version: dense,
      turn: entry.game?.turn ?? null,
      next: entry.game?.toMove ?? null,
      until: entry.isTimed ? (this.#log.deadlineAt(dense, until) ?? 'a deadline') : null,
      events: [...entry.eventsSeenBy(this.#viewer), ...this.#log.seal.eventsAt(entry.seal, events)],
    }
    return this.#sentence(dense, expected, { version, turn, next, until, events })
  }

  /** What is wrong with the SDK's picture of the room, in one sentence; null: nothing. */
  problemOfState({ version, view }: RoomState): string | null {
    const entry = this.#log.at(version)
    const { phase, rules, you, game, seal, history, legalMoves, flips } = view
    const own = flips === undefined ? { legalMoves } : { legalMoves, flips }
    const actual = { version, phase, rules, you, game, seal, history, ...own }
    if (entry === null) return this.#sentence(version, null, actual)
    const expected = entry.viewOf(this.#viewer)
    if (expected === null) return null
    const told = this.#log.seal.viewIn(expected.phase)
    return this.#sentence(version, { version, ...expected, seal: told }, actual)
  }

  #sentence(version: number, expected: object | null, actual: object): string | null {
    const difference = differenceOf(expected ?? undefined, actual)
    if (difference === null) return null
    const cause = this.#log.at(version)?.cause ?? `${this.#log.at(this.#log.version)?.cause}, later`
    return `${this.#viewer}, ${cause}: ${difference}`
  }
}
