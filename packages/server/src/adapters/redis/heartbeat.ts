import type { ServiceTime } from '../../ports.ts'
import type { ServiceClock } from '../service-clock.ts'
import { isTimeout } from './failure.ts'
import type { Keys } from './keys.ts'
import type { Link } from './link.ts'
import { integerOf, listOf } from './reply.ts'
import { makeScript } from './script.ts'
import type { Timing } from './timing.ts'

/** Milliseconds for which a node without a beat is remembered; its players are forgotten much earlier. */
const NODE_REMEMBERED = 60_000
const MASTER_BEAT_EXPIRY = 60_000

/**
 * Lua: one beat of a node, by Redis's clock. If no node had a beat for longer than the gap that is allowed, none could have
 * taken a move: that time is taken off. So is every step of the clock. It answers with service time, with how many players
 * the store knows to be connected to the node, and with 1 if it did not know of the node.
 */
const BEAT = makeScript(`
local clock, nodes, connected = unpack(KEYS)
local node, longest, expiry = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local known = redis.call('HMGET', clock, 'beat', 'downtime')
local gap = now - (tonumber(known[1] or now))
local downtime = tonumber(known[2] or 0)
if gap > longest or gap < 0 then downtime = downtime + gap end
redis.call('HSET', clock, 'beat', now, 'downtime', downtime)
local unknown = redis.call('ZADD', nodes, now, node)
redis.call('ZREMRANGEBYSCORE', nodes, '-inf', now - ${NODE_REMEMBERED})
redis.call('PEXPIRE', connected, expiry)
return {now - downtime, redis.call('SCARD', connected), unknown}`)

export interface HeartbeatParts {
  readonly link: Link
  readonly keys: Keys
  readonly node: string
  readonly timing: Timing
  /** Milliseconds that only go forward. */
  readonly monotonic: () => number
}

/** The store's answer to a beat. */
export interface Beat {
  readonly time: ServiceTime
  /** When it was that time, on the monotonic clock. */
  readonly when: number
  /** Players that the store knows to be connected to this node. */
  readonly connected: number
  /** Whether it knew of the node from an earlier beat. */
  readonly isKnown: boolean
}

/** One beat; on a cluster only if every master takes writes, since service time is the same for all rooms. */
export async function beat(parts: HeartbeatParts): Promise<Beat> {
  const { link, keys, node, timing, monotonic } = parts
  await Promise.all(
    link.representatives().map((partition) => {
      const key = keys.partitions[partition]?.beat ?? ''
      return link.send('SET', key, node, 'PX', MASTER_BEAT_EXPIRY)
    }),
  )
  const asked = monotonic()
  const reply = await link.run(
    BEAT,
    [keys.time, keys.nodes, keys.connected(node)],
    [node, timing.gap, timing.presence],
  )
  const [time, connected, unknown] = listOf(reply)
  return {
    time: integerOf(time),
    when: (asked + monotonic()) / 2,
    connected: integerOf(connected),
    isKnown: integerOf(unknown) === 0,
  }
}

export interface HeartbeatEvents {
  /** Redis does not answer any more, or refuses the beat. */
  lost(): void
  /** It answers again. */
  found(): void
  /** It may have lost something since the last beat, or be another one. */
  replaced(): void
  /** After each beat. */
  renewed(connected: number): void
}

/** Beats as long as the store is open, and keeps the node's clock by the answers. While there are none it stands still. */
export class Heartbeat {
  readonly #parts: HeartbeatParts
  readonly #clock: ServiceClock
  readonly #events: HeartbeatEvents
  #isLost = false
  #isReplaced = false
  #isStopped = false
  #underWay: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(parts: HeartbeatParts, clock: ServiceClock, events: HeartbeatEvents) {
    this.#parts = parts
    this.#clock = clock
    this.#events = events
    this.#next()
  }

  /** Rejects if there is no answer. */
  async now(): Promise<void> {
    try {
      const answer = await beat(this.#parts)
      if (this.#isStopped) return
      followTime(this.#clock, answer, this.#parts.timing)
      // Emptied without a break of the connection (F-C4).
      if (!answer.isKnown) this.#isReplaced = true
      this.#regain()
      this.#events.renewed(answer.connected)
    } catch (error) {
      this.#lose()
      throw error
    }
  }

  /** A connection was lost: what time it is will be known when there is an answer. */
  interrupted(): void {
    this.#lose()
    this.#beat()
  }

  /** There is a connection again, or another server. */
  replaced(): void {
    this.#isReplaced = true
    this.#beat()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#underWay
  }

  #next(): void {
    this.#timer = setTimeout(() => this.#beat(), this.#parts.timing.beat).unref()
  }

  #beat(): void {
    if (!this.#isStopped) this.#underWay ??= this.#run()
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer)
    try {
      await this.now()
    } catch (error) {
      if (isTimeout(error)) this.#parts.link.renew()
    }
    this.#underWay = null
    if (!this.#isStopped) this.#next()
  }

  #lose(): void {
    this.#clock.stop()
    this.#isReplaced = true
    if (this.#isLost || this.#isStopped) return
    this.#isLost = true
    this.#events.lost()
  }

  #regain(): void {
    if (this.#isLost) this.#events.found()
    if (this.#isReplaced) this.#events.replaced()
    this.#isLost = false
    this.#isReplaced = false
  }
}

export function followTime(clock: ServiceClock, { time, when }: Beat, timing: Timing): void {
  clock.follow(time, when, time + timing.leash)
}
