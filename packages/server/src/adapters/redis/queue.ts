import type { PlayerId, QueueRecord, QueueStore } from '../../ports.ts'
import { decodeQueued, encodeQueued } from '../queue-table.ts'
import type { Keys } from './keys.ts'
import type { Link } from './link.ts'
import { integerOf, listOf, maybeTextOf, textOf, textsOf } from './reply.ts'
import { makeScript, type Script } from './script.ts'

/** Lua: the three hashes, and `players`, who a record's text begins with. */
const QUEUE = `
local tickets, matches, waiting = unpack(KEYS)
local function players(text)
  return string.gmatch(string.match(text, '^[^\\n]*'), '%S+')
end
local function isWaiting(id, text)
  for player in players(text) do
    local other = redis.call('HGET', waiting, player)
    if other and other ~= id and string.sub(other, 1, 1) ~= '=' then return true end
  end
  return false
end
local function putTicket(id, text)
  redis.call('HSET', tickets, id, text)
  for player in players(text) do redis.call('HSET', waiting, player, id) end
end`

const ENQUEUE = makeScript(`${QUEUE}
local id, text = unpack(ARGV)
if redis.call('HEXISTS', tickets, id) == 1 then return 'taken' end
if redis.call('HEXISTS', matches, id) == 1 then return 'taken' end
if isWaiting(id, text) then return 'waiting' end
putTicket(id, text)
return 'queued'`)

const CHANGE = makeScript(`${QUEUE}
local id, text, before = unpack(ARGV)
local known = redis.call('HGET', tickets, id)
if not known or string.gsub(known, '^[^\\n]*\\n', '', 1) ~= before then return 'gone' end
if isWaiting(id, text) then return 'waiting' end
putTicket(id, text)
return 'changed'`)

const DEQUEUE = makeScript(`${QUEUE}
local id = ARGV[1]
local text = redis.call('HGET', tickets, id)
if not text then return 0 end
redis.call('HDEL', tickets, id)
for player in players(text) do redis.call('HDEL', waiting, player) end
return 1`)

const QUEUED_OF = makeScript(`${QUEUE}
local id = redis.call('HGET', waiting, ARGV[1])
if not id then return {} end
id = string.gsub(id, '=', '')
local text = redis.call('HGET', tickets, id) or redis.call('HGET', matches, id)
if not text then return {} end
return {id, text}`)

const READ = makeScript(`${QUEUE}
return {redis.call('HGETALL', tickets), redis.call('HGETALL', matches)}`)

const TAKE_MATCH = makeScript(`${QUEUE}
local id, text = ARGV[1], ARGV[2]
for n = 3, #ARGV do
  if redis.call('HEXISTS', tickets, ARGV[n]) == 0 then return 0 end
end
for n = 3, #ARGV do redis.call('HDEL', tickets, ARGV[n]) end
redis.call('HSET', matches, id, text)
for player in players(text) do redis.call('HSET', waiting, player, id) end
return 1`)

const SETTLE_MATCH = makeScript(`${QUEUE}
local id, text = unpack(ARGV)
if redis.call('HEXISTS', matches, id) == 0 then return end
redis.call('HSET', matches, id, text)
for player in players(text) do
  if redis.call('HGET', waiting, player) == id then redis.call('HSET', waiting, player, '=' .. id) end
end`)

const FORGET_MATCH = makeScript(`${QUEUE}
local id = ARGV[1]
local text = redis.call('HGET', matches, id)
if not text then return end
redis.call('HDEL', matches, id)
for player in players(text) do
  local mark = redis.call('HGET', waiting, player)
  if mark == id or mark == '=' .. id then redis.call('HDEL', waiting, player) end
end`)

type Of<Name extends keyof QueueStore> = Awaited<ReturnType<QueueStore[Name]>>

/** The queue of quick play: all of it in one slot, so that each change is one script. */
export class RedisQueue implements QueueStore {
  readonly #link: Link
  readonly #keys: readonly string[]

  constructor(link: Link, { tickets, matches, waiting }: Keys['queue']) {
    this.#link = link
    this.#keys = [tickets, matches, waiting]
  }

  async enqueue(ticket: QueueRecord): Promise<Of<'enqueue'>> {
    return oneOf(['queued', 'waiting', 'taken'], await this.#run(ENQUEUE, ...textsFor(ticket)))
  }

  async changeTicket(ticket: QueueRecord, before: string): Promise<Of<'changeTicket'>> {
    const changed = await this.#run(CHANGE, ...textsFor(ticket), before)
    return oneOf(['changed', 'waiting', 'gone'], changed)
  }

  async dequeue(id: string): Promise<boolean> {
    return integerOf(await this.#run(DEQUEUE, id)) === 1
  }

  async readTicket(id: string): Promise<QueueRecord | null> {
    const [tickets = ''] = this.#keys
    const text = maybeTextOf(await this.#link.send('HGET', tickets, id))
    return text === null ? null : decodeQueued(id, text)
  }

  async queuedOf(player: PlayerId): Promise<QueueRecord | null> {
    const [id, text] = textsOf(await this.#run(QUEUED_OF, player))
    return id === undefined || text === undefined ? null : decodeQueued(id, text)
  }

  async readQueue(): Promise<Of<'readQueue'>> {
    const [tickets, matches] = listOf(await this.#run(READ)).map(recordsOf)
    return { tickets: tickets ?? [], matches: matches ?? [] }
  }

  async takeMatch(match: QueueRecord, tickets: readonly string[]): Promise<boolean> {
    return integerOf(await this.#run(TAKE_MATCH, ...textsFor(match), ...tickets)) === 1
  }

  async settleMatch(match: QueueRecord): Promise<void> {
    await this.#run(SETTLE_MATCH, ...textsFor(match))
  }

  async forgetMatch(id: string): Promise<void> {
    await this.#run(FORGET_MATCH, id)
  }

  #run(script: Script, ...args: readonly string[]): Promise<unknown> {
    return this.#link.run(script, this.#keys, args)
  }
}

const textsFor = (record: QueueRecord): readonly string[] => [record.id, encodeQueued(record)]

/** Fields and values of a hash, one after the other. */
function recordsOf(reply: unknown): readonly QueueRecord[] {
  const flat = textsOf(listOf(reply).flat())
  return flat.flatMap((id, at) => (at % 2 === 0 ? [decodeQueued(id, textOf(flat[at + 1]))] : []))
}

function oneOf<const Word extends string>(words: readonly Word[], reply: unknown): Word {
  const word = words.find((each) => each === reply)
  if (word === undefined) throw new Error('a script of the queue answered with no result')
  return word
}
