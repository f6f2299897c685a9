import { Cluster, Command, Redis } from 'ioredis'
import type { RedisTarget } from '../../redis-url.ts'
import { connectionOptions, endConnection, pauseBefore } from './connection.ts'
import { failureOf } from './failure.ts'
import type { Keys } from './keys.ts'
import { type Argument, Link, type LinkEvents, scan } from './link.ts'
import type { Timing } from './timing.ts'

/** How often a command follows the cluster's word that another server has its slot. */
const MOST_REDIRECTIONS = 6

type ClusterTarget = Extract<RedisTarget, { kind: 'cluster' }>

/** A cluster: ioredis sends each command to the master of its slot. */
export class ClusterLink extends Link {
  readonly isCluster = true
  readonly failsOver = true
  protected readonly client: Cluster
  readonly #target: ClusterTarget
  readonly #timing: Timing
  readonly #events: LinkEvents
  /** The slots of the partitions. */
  readonly #slots: readonly number[]
  #masters = ''
  #isClosing = false

  constructor(
    target: ClusterTarget,
    parts: { readonly timing: Timing; readonly keys: Keys; readonly events: LinkEvents },
  ) {
    super()
    const { timing, keys, events } = parts
    this.#target = target
    this.#timing = timing
    this.#events = events
    this.#slots = keys.partitions.map(({ tag }) => slotOf(tag))
    this.client = new Cluster([...target.nodes], {
      lazyConnect: true,
      enableOfflineQueue: false,
      clusterRetryStrategy: (attempt) => (this.#isClosing ? null : pauseBefore(attempt, timing)),
      // What was perhaps done already is not sent again: whoever asked looks (F-C2).
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      maxRedirections: MOST_REDIRECTIONS,
      slotsRefreshTimeout: timing.answer,
      slotsRefreshInterval: timing.refresh,
      redisOptions: connectionOptions(target, timing),
      // Certificates are made out to names.
      ...(target.tls && { dnsLookup: (host, found) => found(null, host) }),
    })
    this.#listen()
  }

  connect(): Promise<void> {
    return this.client.connect()
  }

  async sendToMasters(command: string, ...args: Argument[]): Promise<readonly unknown[]> {
    try {
      const masters = this.client.nodes('master')
      return await Promise.all(masters.map((master) => master.call(command, ...args)))
    } catch (error) {
      throw failureOf(error)
    }
  }

  async *keysLike(pattern: string): AsyncIterable<readonly string[]> {
    for (const master of this.client.nodes('master')) yield* scan(master, pattern)
  }

  representatives(): readonly number[] {
    const found = new Map<string, number>()
    this.#slots.forEach((slot, partition) => {
      found.set(this.#masterOf(slot) ?? 'unknown', partition)
    })
    return [...found.values()]
  }

  placeOf(channel: string): string | null {
    return this.#masterOf(slotOf(channel))
  }

  listener(place: string): Redis {
    const portAt = place.lastIndexOf(':')
    return new Redis({
      ...connectionOptions(this.#target, this.#timing),
      host: place.slice(0, portAt),
      port: Number(place.slice(portAt + 1)),
      retryStrategy: (attempt: number) =>
        this.#isClosing ? null : pauseBefore(attempt, this.#timing),
    })
  }

  refresh(): void {
    this.client.refreshSlotsCache()
  }

  renew(): void {
    if (this.client.status === 'ready') this.client.disconnect(true)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    const nodes = this.client.nodes()
    this.client.disconnect()
    await Promise.all(nodes.map(endConnection))
  }

  #listen(): void {
    const { up, down } = this.#events
    this.client.on('error', (error: Error) => {
      this.fault = error
    })
    this.client.on('node error', (error: Error) => {
      this.fault = error
    })
    this.client.on('+node', (node: Redis) => node.once('ready', up))
    this.client.on('-node', (node: Redis) => {
      if (!node.options.readOnly) down()
    })
    this.client.on('refresh', () => this.#compareMasters())
  }

  #compareMasters(): void {
    const masters = this.#slots.map((slot) => this.#masterOf(slot)).join(' ')
    if (masters === this.#masters) return
    this.#masters = masters
    this.#events.moved()
  }

  #masterOf(slot: number): string | null {
    return this.client.slots[slot]?.[0] ?? null
  }
}

/** As ioredis reckons it when it sends. */
const slotOf = (key: string): number => new Command('exists', [key]).getSlot()
