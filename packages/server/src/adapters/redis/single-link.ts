import { Redis } from 'ioredis'
import type { RedisTarget } from '../../redis-url.ts'
import { connectionOptions, endConnection, pauseBefore } from './connection.ts'
import { type Argument, Link, type LinkEvents, scan } from './link.ts'
import type { Timing } from './timing.ts'

/** There is one server, wherever it is now. */
const PLACE = 'master'

/** One server, at its address or where sentinels say. */
export class SingleLink extends Link {
  readonly isCluster = false
  readonly failsOver: boolean
  protected readonly client: Redis
  readonly #makeConnection: () => Redis
  #isClosing = false

  constructor(
    target: Exclude<RedisTarget, { kind: 'cluster' }>,
    timing: Timing,
    events: LinkEvents,
  ) {
    super()
    this.failsOver = target.kind === 'sentinel'
    const options = {
      ...connectionOptions(target, timing),
      ...(target.kind === 'single'
        ? { ...target.endpoint, db: target.database }
        : { sentinels: [...target.sentinels], name: target.master }),
      retryStrategy: (attempt: number) => (this.#isClosing ? null : pauseBefore(attempt, timing)),
      sentinelRetryStrategy: (attempt: number) =>
        this.#isClosing ? null : pauseBefore(attempt, timing),
      ...(target.tls &&
        target.kind === 'sentinel' && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
    }
    this.#makeConnection = () => new Redis(options)
    this.client = this.#makeConnection()
    this.client.on('error', (error: Error) => {
      // What each sentinel said is more.
      if (!error.message.startsWith('All sentinels')) this.fault = error
    })
    this.client.on('sentinelError', (error: Error) => {
      this.fault = error
    })
    this.client.on('ready', events.up)
    this.client.on('close', events.down)
  }

  async connect(): Promise<void> {
    await this.client.connect()
    // ioredis goes on with database 0.
    if (this.fault?.message.startsWith('ERR DB index')) throw this.fault
  }

  async sendToMasters(command: string, ...args: Argument[]): Promise<readonly unknown[]> {
    return [await this.send(command, ...args)]
  }

  keysLike(pattern: string): AsyncIterable<readonly string[]> {
    return scan(this.client, pattern)
  }

  representatives(): readonly number[] {
    return []
  }

  placeOf(): string {
    return PLACE
  }

  listener(): Redis {
    return this.#makeConnection()
  }

  refresh(): void {}

  renew(): void {
    if (this.client.status === 'ready') this.client.disconnect(true)
  }

  close(): Promise<void> {
    this.#isClosing = true
    return endConnection(this.client)
  }
}
