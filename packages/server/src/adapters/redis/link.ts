import type { Cluster, Redis } from 'ioredis'
import { failureOf } from './failure.ts'
import { listOf, textsOf } from './reply.ts'
import type { Script } from './script.ts'

export type Argument = string | number

const SCANNED_AT_ONCE = 1_000

/** Of one server. */
export async function* scan(server: Redis, pattern: string): AsyncGenerator<readonly string[]> {
  try {
    for await (const keys of server.scanStream({ match: pattern, count: SCANNED_AT_ONCE })) {
      yield textsOf(keys)
    }
  } catch (error) {
    throw failureOf(error)
  }
}

/** What becomes of the connection for commands. */
export interface LinkEvents {
  /** A server that was lost, or a new one, can be asked. */
  readonly up: () => void
  /** A server is lost. */
  readonly down: () => void
  /** Other servers hold the partitions now. */
  readonly moved: () => void
}

/**
 * The connection for commands, to one server or to a cluster. Nothing waits for a connection that is not there, nothing
 * is sent twice, and every call settles within the time that an answer has; it rejects as failure.ts says.
 */
export abstract class Link {
  abstract readonly isCluster: boolean
  /** Whether a replica may take a master's place. */
  abstract readonly failsOver: boolean
  /** The newest fault of a connection, for whoever asks why there is none. */
  fault: Error | null = null
  protected abstract readonly client: Redis | Cluster

  /** Resolves when commands can be sent; rejects when the first attempt failed. */
  abstract connect(): Promise<void>
  /** To each server that takes writes. */
  abstract sendToMasters(command: string, ...args: Argument[]): Promise<readonly unknown[]>
  /** The keys that match a pattern, at whichever server; some perhaps twice. */
  abstract keysLike(pattern: string): AsyncIterable<readonly string[]>
  /** One partition of each master of a cluster; of a single server there is none to ask besides it. */
  abstract representatives(): readonly number[]
  /** The server that a channel is listened to at; null: not known now. */
  abstract placeOf(channel: string): string | null
  /** A connection of its own to such a server, not yet opened. */
  abstract listener(place: string): Redis
  /** Asks anew who holds what. */
  abstract refresh(): void
  /** Gives the connection up for a new one: nothing comes from it any more. */
  abstract renew(): void
  abstract close(): Promise<void>

  async send(command: string, ...args: Argument[]): Promise<unknown> {
    try {
      return await this.client.call(command, ...args)
    } catch (error) {
      throw failureOf(error)
    }
  }

  /** Runs a script in one round trip, as a rule: a server that does not know it has not run it. */
  async run(
    { digest, source }: Script,
    keys: readonly string[],
    args: readonly Argument[],
  ): Promise<unknown> {
    try {
      return await this.client.evalsha(digest, keys.length, ...keys, ...args)
    } catch (error) {
      if (!isUnknownScript(error)) throw failureOf(error)
      return this.send('EVAL', source, keys.length, ...keys, ...args)
    }
  }

  /**
   * Runs a script that answers with a list of one item for each key, on keys of any partitions: in one go on one server,
   * key by key on a cluster. Its arguments are the common ones, then one for each key.
   */
  async runOnEach(
    script: Script,
    keys: readonly string[],
    {
      common = [],
      own = [],
    }: { readonly common?: readonly Argument[]; readonly own?: readonly Argument[] },
  ): Promise<readonly unknown[]> {
    if (keys.length === 0) return []
    if (!this.isCluster) return listOf(await this.run(script, keys, [...common, ...own]))
    const answers = await Promise.all(
      keys.map((key, n) => this.run(script, [key], [...common, ...own.slice(n, n + 1)])),
    )
    return answers.flatMap(listOf)
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT')
}
