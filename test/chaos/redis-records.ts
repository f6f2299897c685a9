import type { Formation } from '@junqi/engine'
import { type PlayerId, playerId, type RoomId, roomId } from '@junqi/protocol'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { Keys } from '../../packages/server/src/adapters/redis/keys.ts'
import { parseEntry } from '../../packages/server/src/room/log-entry.ts'
import type { Records, Standing, StoredRoom } from './records.ts'

/** Under which nodes keep their rooms unless they are told otherwise. */
const PREFIX = 'junqi'

const score = z.coerce.number().nullable()
const hash = z.record(z.string(), z.string())
const dueRooms = z.array(z.tuple([roomId, z.coerce.number()]))
const texts = z.array(z.string())
const times = z.tuple([z.coerce.number(), z.coerce.number()])
const stored = z.tuple([texts, score, score, score, z.string().nullable(), hash, hash])

/** Reads what nodes keep in Redis by commands of its own: nothing of their adapter but the names of the keys. */
export class RedisRecords implements Records {
  readonly #redis: Redis
  readonly #keys = new Keys(PREFIX)

  constructor(redis: Redis) {
    this.#redis = redis
  }

  async room(room: RoomId): Promise<StoredRoom> {
    const { log, standing } = await this.#read(room)
    return {
      ...standing,
      log: log.map((data, index) => parseEntry({ version: index + 1, data })),
    }
  }

  async standing(room: RoomId): Promise<Standing> {
    return (await this.#read(room)).standing
  }

  /** Adds to the log of a room what no node has decided. */
  async plant(room: RoomId, data: string): Promise<void> {
    await this.#redis.rpush(this.#keys.log(room), data)
  }

  /** Every room that is to be woken, and when. */
  async due(): Promise<ReadonlyMap<RoomId, number>> {
    const ranked = await Promise.all(
      this.#keys.partitions.map((keys) =>
        this.#redis.call('ZRANGE', keys.due, 0, -1, 'WITHSCORES'),
      ),
    )
    return new Map(ranked.flatMap((pairs) => dueRooms.parse(pairs)))
  }

  async keys(): Promise<readonly string[]> {
    const keys: string[] = []
    for await (const some of this.#redis.scanStream({ count: 1000 }))
      keys.push(...texts.parse(some))
    return [...new Set(keys)]
  }

  /** Those that have a log. */
  async rooms(): Promise<readonly RoomId[]> {
    const rooms = (await this.keys()).map((key) => /:log:(.*)$/.exec(key)?.[1])
    return rooms.filter((room) => room !== undefined).map((room) => roomId.parse(room))
  }

  /** Lets service time pass until it is so late; nodes learn of it at their next beat. */
  async advanceTo(time: number): Promise<void> {
    const [seconds, micros] = times.parse(await this.#redis.time())
    const downtime = Number(await this.#redis.hget(this.#keys.time, 'downtime'))
    const now = seconds * 1000 + Math.floor(micros / 1000) - downtime
    await this.#redis.hincrby(this.#keys.time, 'downtime', Math.min(0, now - time))
  }

  async #read(
    room: RoomId,
  ): Promise<{ readonly log: readonly string[]; readonly standing: Standing }> {
    const { due, lobby, outbox, ends } = this.#keys.of(room)
    const replies = await this.#redis
      .multi()
      .lrange(this.#keys.log(room), 0, -1)
      .zscore(due, room)
      .zscore(lobby, room)
      .zscore(outbox, room)
      .hget(ends, room)
      .hgetall(this.#keys.room(room))
      .hgetall(this.#keys.drafts(room))
      .exec()
    const values = (replies ?? []).map(([error, value]) => {
      if (error !== null) throw error
      return value
    })
    const [log, deadline, listed, ended, end, flags, drafts] = stored.parse(values)
    return {
      log,
      standing: {
        deadline,
        line: indexed(listed, flags.line ?? null),
        end: indexed(ended, end),
        isFailed: flags.failed !== undefined,
        drafts: draftsIn(drafts),
      },
    }
  }
}

/** What is kept of a room in an index, where it has a score; null: nothing, in neither place. */
const indexed = (score: number | null, text: string | null): string | null =>
  (score === null) === (text === null) ? text : `${text} with the score ${score}`

function draftsIn(fields: Readonly<Record<string, string>>): ReadonlyMap<PlayerId, Formation> {
  return new Map(
    Object.entries(fields).flatMap(([field, formation]) => {
      const player = playerId.safeParse(field)
      return player.success ? [[player.data, formation]] : []
    }),
  )
}
