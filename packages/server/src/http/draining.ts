import type { Gateway } from '../socket/gateway.ts'
import type { Door } from './door.ts'
import type { RequestsInHand } from './requests-in-hand.ts'

/** How long requests may take that are being answered. */
const ANSWERS_MS = 2000

export interface DrainingParts {
  readonly door: Pick<Door, 'close' | 'open'>
  readonly gateway: Pick<Gateway, 'drain'>
  readonly requests: Pick<RequestsInHand, 'settled'>
}

/** Sends everyone away from this node, before it stops or for as long as whoever runs it says (F-D1). */
export class Draining {
  readonly #parts: DrainingParts
  #begun: Promise<void> | null = null
  #isForGood = false

  constructor(parts: DrainingParts) {
    this.#parts = parts
  }

  /** Nobody is here, or will be. */
  get isOn(): boolean {
    return this.#begun !== null
  }

  /** The same, and nobody comes back. */
  stop(): Promise<void> {
    this.#isForGood = true
    return this.begin()
  }

  /** Not ready, no newcomers; resolves when everyone has gone. Asked for twice it is one. */
  begin(): Promise<void> {
    this.#begun ??= this.#drain()
    return this.#begun
  }

  async #drain(): Promise<void> {
    const { door, gateway, requests } = this.#parts
    door.close()
    await Promise.all([gateway.drain(), requests.settled(ANSWERS_MS)])
  }

  /** Takes players again, once those have gone who were on their way out. */
  async end(): Promise<void> {
    await this.#begun
    if (this.#isForGood) return
    this.#begun = null
    this.#parts.door.open()
  }
}
