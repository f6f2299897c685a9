import type { Link } from './link.ts'
import { Listener } from './listener.ts'

/** The channels that the node listens to, each at the server that has it. */
export class Subscriptions {
  readonly #link: Link
  readonly #received: (channel: string, message: string) => void
  /** The servers of the channels; null: not known now. */
  readonly #places = new Map<string, string | null>()
  readonly #listeners = new Map<string, Listener>()
  readonly #heard = new Set<string>()

  constructor(link: Link, received: (channel: string, message: string) => void) {
    this.#link = link
    this.#received = received
  }

  /** Resolves when the channel is listened to, or as soon as it cannot be now; then it will be. Never rejects. */
  async add(channel: string): Promise<void> {
    const place = this.#link.placeOf(channel)
    this.#places.set(channel, place)
    if (place !== null) await this.#listener(place).add(channel)
  }

  delete(channel: string): void {
    this.#listenerOf(channel)?.delete(channel)
    this.#places.delete(channel)
  }

  /** Whether the server counts this node among the channel's listeners. */
  isHeard(channel: string): boolean {
    return this.#heard.has(channel)
  }

  /** Other servers may have the channels now. */
  async move(): Promise<void> {
    const moved = [...this.#places].filter(([channel, place]) => {
      return this.#link.placeOf(channel) !== place
    })
    for (const [channel] of moved) this.#listenerOf(channel)?.delete(channel)
    await Promise.all(moved.map(([channel]) => this.add(channel)))
    for (const [place, listener] of this.#listeners) {
      if (!listener.isIdle) continue
      this.#listeners.delete(place)
      await listener.close()
    }
  }

  /** Finds connections from which nothing comes any more. */
  async check(): Promise<void> {
    await Promise.all([...this.#listeners.values()].map((listener) => listener.check()))
  }

  async close(): Promise<void> {
    await Promise.all([...this.#listeners.values()].map((listener) => listener.close()))
  }

  #listenerOf(channel: string): Listener | undefined {
    const place = this.#places.get(channel)
    return place == null ? undefined : this.#listeners.get(place)
  }

  #listener(place: string): Listener {
    const known = this.#listeners.get(place)
    if (known !== undefined) return known
    const listener = new Listener({
      redis: this.#link.listener(place),
      isSharded: this.#link.isCluster,
      heard: this.#heard,
      received: this.#received,
      failed: () => this.#link.refresh(),
    })
    this.#listeners.set(place, listener)
    return listener
  }
}
