import {
  type BoardLine,
  KEPT_GAMES,
  type PlayerId,
  type RoomId,
  type ScoreStore,
  type Tally,
  type TallyChange,
} from '../../ports.ts'
import type { Keys } from './keys.ts'
import type { Link } from './link.ts'
import { maybeTextOf, textsOf } from './reply.ts'
import { makeScript } from './script.ts'

/** The field of a tally that counts the games. */
const REVISION = '#'

/** Lua: a hash as a list of its fields and values. */
const READ_TALLY = `return redis.call('HGETALL', KEYS[1])`

/** ScoreStore.addOnce. It answers with the whole tally. */
const ADD_ONCE = makeScript(`
local tally, games, recent = unpack(KEYS)
local room, line = ARGV[1], ARGV[2]
if redis.call('SADD', games, room) == 1 then
  for n = 3, #ARGV, 2 do redis.call('HINCRBY', tally, ARGV[n], ARGV[n + 1]) end
  redis.call('HINCRBY', tally, '${REVISION}', 1)
  redis.call('LPUSH', recent, line)
  redis.call('LTRIM', recent, 0, ${KEPT_GAMES - 1})
end
${READ_TALLY}`)
const TALLY = makeScript(READ_TALLY)

/** ScoreStore.placeOnBoard. */
const PLACE = makeScript(`
local board, lines = unpack(KEYS)
local player, revision, place, line = unpack(ARGV)
local known = redis.call('HGET', lines, player)
if known then
  local before, old = string.match(known, '^(%d+) ([^\\n]*)\\n')
  if tonumber(before) > tonumber(revision) then return end
  redis.call('ZREM', board, old)
  redis.call('HDEL', lines, '@' .. old)
end
redis.call('ZADD', board, 0, place)
redis.call('HSET', lines, player, revision .. ' ' .. place .. '\\n' .. line, '@' .. place, player)`)

/** ScoreStore.board: place, player and line, one after the other. */
const READ_BOARD = makeScript(`
local board, lines = unpack(KEYS)
local flat = {}
for _, place in ipairs(redis.call('ZRANGE', board, ARGV[1], '+', 'BYLEX', 'LIMIT', 0, ARGV[2])) do
  local player = redis.call('HGET', lines, '@' .. place)
  local known = redis.call('HGET', lines, player)
  table.insert(flat, place)
  table.insert(flat, player)
  table.insert(flat, string.sub(known, string.find(known, '\\n', 1, true) + 1))
end
return flat`)

/** Scores on Redis. A player's own keys share a slot, and a board's; nothing is changed in two slots at once (ADR 0008). */
export class Scores implements ScoreStore {
  readonly #link: Link
  readonly #keys: Keys

  constructor(link: Link, keys: Keys) {
    this.#link = link
    this.#keys = keys
  }

  async keepSettlement(room: RoomId, settlement: string): Promise<string> {
    const key = this.#keys.settled(room)
    const kept = await this.#link.send('SET', key, settlement, 'NX', 'GET')
    return maybeTextOf(kept) ?? settlement
  }

  async settlement(room: RoomId): Promise<string | null> {
    return maybeTextOf(await this.#link.send('GET', this.#keys.settled(room)))
  }

  async addOnce(player: PlayerId, room: RoomId, { add, line }: TallyChange): Promise<Tally> {
    const key = this.#keys.tally(player)
    const keys = [key, `${key}:games`, `${key}:recent`]
    return tallyOf(
      await this.#link.run(ADD_ONCE, keys, [room, line, ...Object.entries(add).flat()]),
    )
  }

  async forgetAdded(player: PlayerId, room: RoomId): Promise<void> {
    await this.#link.send('SREM', `${this.#keys.tally(player)}:games`, room)
  }

  async tally(player: PlayerId): Promise<Tally> {
    return tallyOf(await this.#link.run(TALLY, [this.#keys.tally(player)], []))
  }

  async recentGames(player: PlayerId, limit: number): Promise<readonly string[]> {
    if (limit === 0) return []
    const key = `${this.#keys.tally(player)}:recent`
    return textsOf(await this.#link.send('LRANGE', key, 0, limit - 1))
  }

  async placeOnBoard(board: string, revision: number, placed: BoardLine): Promise<void> {
    const key = this.#keys.board(board)
    const { player, place, line } = placed
    await this.#link.run(PLACE, [key, `${key}:lines`], [player, revision, place, line])
  }

  async board(board: string, after: string, limit: number): Promise<readonly BoardLine[]> {
    const key = this.#keys.board(board)
    const start = after === '' ? '-' : `(${after}`
    const flat = textsOf(await this.#link.run(READ_BOARD, [key, `${key}:lines`], [start, limit]))
    return flat.flatMap((place, n) =>
      n % 3 === 0 ? [{ place, player: flat[n + 1] as PlayerId, line: flat[n + 2] ?? '' }] : [],
    )
  }
}

/** Of a list of names, each followed by its number. */
function tallyOf(reply: unknown): Tally {
  const flat = textsOf(reply)
  const numbers = Object.fromEntries(
    flat.flatMap((name, n) => (n % 2 === 0 ? [[name, Number(flat[n + 1])]] : [])),
  )
  const { [REVISION]: revision = 0, ...sums } = numbers
  return { revision, numbers: sums }
}
