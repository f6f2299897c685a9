import type { Redis } from 'ioredis'
import { endConnection } from './connection.ts'

/** Channels in one command; on a cluster they must share a slot, so there each has its own. */
const MOST_CHANNELS = 500

export interface ListenerParts {
  readonly redis: Redis
  /** On a cluster channels belong to servers. */
  readonly isSharded: boolean
  /** The channels that servers have confirmed on the connections that there are. */
  readonly heard: Set<string>
  received(channel: string, message: string): void
  /** It cannot listen to a channel, which may be another server's now. */
  failed(): void
}

/** A connection that listens to channels, and takes them up again after it was lost. */
export class Listener {
  readonly #redis: Redis
  readonly #isSharded: boolean
  readonly #failed: () => void
  readonly #wanted = new Set<string>()
  readonly #heard: Set<string>
  /** Settles when the first attempt to connect has succeeded, or failed. */
  readonly #opened: Promise<void>

  constructor({ redis, isSharded, heard, received, failed }: ListenerParts) {
    this.#redis = redis
    this.#isSharded = isSharded
    this.#heard = heard
    this.#failed = failed
    // Without a listener ioredis would write to the console. It tries again by itself.
    redis.on('error', () => {})
    redis.on('close', () => {
      for (const channel of this.#wanted) heard.delete(channel)
    })
    redis.on('moved', failed)
    redis.on('ready', () => this.#takeUp([...this.#wanted]))
    redis.on(isSharded ? 'smessage' : 'message', received)
    this.#opened = redis.connect().catch(() => {})
  }

  get isIdle(): boolean {
    return this.#wanted.size === 0
  }

  /** Resolves when the channel is listened to, or as soon as it cannot be now. */
  async add(channel: string): Promise<void> {
    this.#wanted.add(channel)
    await this.#opened
    if (this.#redis.status === 'ready') await this.#takeUp([channel])
  }

  delete(channel: string): void {
    this.#wanted.delete(channel)
    this.#heard.delete(channel)
    if (this.#redis.status !== 'ready') return
    const gone = this.#isSharded
      ? this.#redis.sunsubscribe(channel)
      : this.#redis.unsubscribe(channel)
    gone.catch(() => {})
  }

  /** Gives the connection up for a new one if nothing comes from it any more (F-C3); takes up what could not be before. */
  async check(): Promise<void> {
    if (this.#redis.status !== 'ready') return
    try {
      await this.#redis.ping()
      const missing = [...this.#wanted].filter((channel) => !this.#heard.has(channel))
      await this.#takeUp(missing)
    } catch {
      if (this.#redis.status === 'ready') this.#redis.disconnect(true)
    }
  }

  close(): Promise<void> {
    return endConnection(this.#redis)
  }

  async #takeUp(channels: readonly string[]): Promise<void> {
    const wanted = channels.filter((channel) => this.#wanted.has(channel))
    const share = this.#isSharded ? 1 : MOST_CHANNELS
    const shares = Array.from({ length: Math.ceil(wanted.length / share) }, (_, n) =>
      wanted.slice(n * share, (n + 1) * share),
    )
    await Promise.all(shares.map((some) => this.#subscribe(some)))
  }

  async #subscribe(channels: readonly string[]): Promise<void> {
    try {
      await (this.#isSharded
        ? this.#redis.ssubscribe(...channels)
        : this.#redis.subscribe(...channels))
      for (const channel of channels) if (this.#wanted.has(channel)) this.#heard.add(channel)
    } catch {
      this.#failed()
    }
  }
}
