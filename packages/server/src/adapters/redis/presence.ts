import type { PlayerId } from '../../ports.ts'
import type { Keys } from './keys.ts'
import type { Link } from './link.ts'
import { listOf, textsOf } from './reply.ts'
import { makeScript, type Script } from './script.ts'

/** Players told in one script. */
const MOST_PLAYERS = 500

/** Lua: some players have a connection to the node now, and some have none any more. */
const noteSource = (publish: string): string => `
local connected, channel = unpack(KEYS)
local node, expiry, joined = ARGV[1], ARGV[2], tonumber(ARGV[3])
for n = 4, #ARGV do
  redis.call(n < 4 + joined and 'SADD' or 'SREM', connected, ARGV[n])
end
redis.call('PEXPIRE', connected, expiry)
redis.pcall('${publish}', channel, node .. ' ' .. table.concat(ARGV, ' ', 4))`

/** Which players have a connection to this node, told to the others, who forget it when it is not renewed. */
export class Presence {
  readonly #link: Link
  readonly #keys: Keys
  readonly #node: string
  readonly #expiry: number
  readonly #note: Script
  readonly #here = new Set<PlayerId>()
  /** Players of whom the store does not know yet whether they are here. */
  readonly #changed = new Set<PlayerId>()
  #isTelling = false

  /** `expiry`: milliseconds. */
  constructor(parts: {
    readonly link: Link
    readonly keys: Keys
    readonly node: string
    readonly expiry: number
  }) {
    this.#link = parts.link
    this.#keys = parts.keys
    this.#node = parts.node
    this.#expiry = parts.expiry
    this.#note = makeScript(noteSource(parts.link.isCluster ? 'SPUBLISH' : 'PUBLISH'))
  }

  set(player: PlayerId, isConnected: boolean): void {
    if (isConnected) this.#here.add(player)
    else this.#here.delete(player)
    this.#changed.add(player)
    void this.#tell()
  }

  /** The store knows of so many players who are here: if it is wrong (it was away, or a word was lost), it is corrected. */
  async renewed(count: number): Promise<void> {
    if (this.#isTelling || (count === this.#here.size && this.#changed.size === 0)) return
    const connected = this.#keys.connected(this.#node)
    const known = new Set<string>(textsOf(await this.#link.send('SMEMBERS', connected)))
    for (const player of this.#here) if (!known.delete(player)) this.#changed.add(player)
    for (const player of known) this.#changed.add(player as PlayerId)
    await this.#tell()
  }

  /** Those of the players who have a connection to another node. */
  async elsewhere(players: readonly PlayerId[]): Promise<ReadonlySet<PlayerId>> {
    if (players.length === 0) return new Set()
    const nodes = textsOf(await this.#link.send('ZRANGE', this.#keys.nodes, 0, -1))
    const others = nodes.filter((node) => node !== this.#node)
    const answers = await Promise.all(
      others.map((node) => this.#link.send('SMISMEMBER', this.#keys.connected(node), ...players)),
    )
    const isThere = answers.map(listOf)
    return new Set(players.filter((_, n) => isThere.some((flags) => flags[n] === 1)))
  }

  /** Nobody is here any more, and the node is none. */
  async end(): Promise<void> {
    for (const player of this.#here) this.#changed.add(player)
    this.#here.clear()
    await Promise.all([
      this.#tell(),
      this.#link.send('ZREM', this.#keys.nodes, this.#node),
      this.#link.send('DEL', this.#keys.connected(this.#node)),
    ])
  }

  /** What changes meanwhile goes with the next word. What could not be told is, after the next beat. */
  async #tell(): Promise<void> {
    if (this.#isTelling) return
    this.#isTelling = true
    try {
      while (this.#changed.size > 0) await this.#tellSome()
    } catch {
      // `renewed` sees it.
    }
    this.#isTelling = false
  }

  async #tellSome(): Promise<void> {
    const some = [...this.#changed].slice(0, MOST_PLAYERS)
    const joined = some.filter((player) => this.#here.has(player))
    const left = some.filter((player) => !this.#here.has(player))
    for (const player of some) this.#changed.delete(player)
    try {
      await this.#link.run(
        this.#note,
        [this.#keys.connected(this.#node), this.#keys.presence],
        [this.#node, this.#expiry, joined.length, ...joined, ...left],
      )
    } catch (error) {
      for (const player of some) this.#changed.add(player)
      throw error
    }
  }
}
