import { LIMITS } from '@junqi/protocol'
import type { AppendRequest, AppendResult } from '../../ports.ts'
import type { Keys } from './keys.ts'
import { integerOf, listOf } from './reply.ts'
import { MICROS } from './script.ts'

const RESULTS = ['appended', 'duplicate', 'conflict'] as const

/**
 * Lua: publishes `hint` if somebody else follows the channel. `isHeard` is '1' if this node's own connection does,
 * so that a node alone is not sent what it knows. What was written stays so where nothing may be published.
 */
export function publishing({ isCluster }: { readonly isCluster: boolean }): string {
  const [count, publish] = isCluster ? ['SHARDNUMSUB', 'SPUBLISH'] : ['NUMSUB', 'PUBLISH']
  return `
local function tell(channel, isHeard, hint)
  local listeners = redis.pcall('PUBSUB', '${count}', channel)[2] or 0
  if listeners > (isHeard == '1' and 1 or 0) then redis.pcall('${publish}', channel, hint) end
end`
}

/** Text that may be empty, told from none. */
const maybe = (text: string | null): string => (text === null ? '' : `=${text}`)

/** RoomStore.append, whole. It answers with the result (an index of RESULTS), the version, and its mark in \`touched\`. */
export const appendSource = (kind: { readonly isCluster: boolean }): string => `
local log, room, due, lobby, touched, channel, commands, outbox, ends = unpack(KEYS)
local id, expected, previous, data, deadline, line, player, isHeard, node, name, ended = unpack(ARGV)
${publishing(kind)}

if player ~= '' then
  local first = redis.call('ZSCORE', commands, id)
  if first then return {1, tonumber(first)} end
end
local version = redis.call('LLEN', log)
if version ~= tonumber(expected) then return {2, version} end
if previous ~= '' and '=' .. (redis.call('LINDEX', log, -1) or '') ~= previous then
  return {2, version}
end

${MICROS}
local created, failed, listed, known =
  unpack(redis.call('HMGET', room, 'created', 'failed', 'line', '@' .. player))
version = version + 1
redis.call('RPUSH', log, data)
if version == 1 then
  created = micros
  redis.call('HSET', room, 'created', created)
end
if player ~= '' then
  if not known then redis.call('HSET', room, '@' .. player, '') end
  redis.call('ZADD', commands, version, id)
  redis.call('ZREMRANGEBYRANK', commands, 0, -${LIMITS.rememberedCommands + 1})
end
if not failed then
  if deadline == '' then redis.call('ZREM', due, name)
  else redis.call('ZADD', due, deadline, name) end
  if line == '' then
    if listed then
      redis.call('HDEL', room, 'line')
      redis.call('ZREM', lobby, name)
    end
  elseif '=' .. (listed or '') ~= line or not listed then
    redis.call('HSET', room, 'line', string.sub(line, 2))
    if not listed then redis.call('ZADD', lobby, created, name) end
  end
end
if ended ~= '' then
  redis.call('ZADD', outbox, micros, name)
  redis.call('HSET', ends, name, string.sub(ended, 2))
end
redis.call('ZADD', touched, micros, name)
tell(channel, isHeard,
  'v ' .. version .. ' ' .. micros .. ' ' .. node .. '\\n' .. string.sub(previous, 2) .. '\\n' .. data)
return {0, version, tonumber(micros)}`

/** The keys and arguments of the script. `isHeard`: this node's own connection follows the room's channel. */
export function appendCall(
  keys: Keys,
  request: AppendRequest,
  by: { readonly node: string; readonly heard: string },
): { readonly keys: readonly string[]; readonly args: readonly (string | number)[] } {
  const { room, expectedVersion, command, ended } = request
  const { due, lobby, touched, outbox, ends } = keys.of(room)
  return {
    keys: [
      keys.log(room),
      keys.room(room),
      due,
      lobby,
      touched,
      keys.hint(room),
      // Not touched without a command; it keeps the place.
      command === null ? keys.log(room) : keys.commands(room, command.player),
      ...(ended === null ? [] : [outbox, ends]),
    ],
    args: [
      command?.id ?? '',
      expectedVersion,
      maybe(request.previous),
      request.data,
      request.deadline ?? '',
      maybe(request.lobby),
      command?.player ?? '',
      by.heard,
      by.node,
      room,
      maybe(ended),
    ],
  }
}

export function appendResultOf(reply: unknown): {
  readonly result: AppendResult
  /** null: nothing was written. */
  readonly mark: number | null
} {
  const [index, version, mark] = listOf(reply)
  const type = RESULTS[integerOf(index)]
  if (type === undefined) throw new Error('the append script answered with no result')
  return {
    result: { type, version: integerOf(version) },
    mark: mark === undefined ? null : integerOf(mark),
  }
}
