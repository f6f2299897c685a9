import type { PlayerId, RoomId } from '../../ports.ts'
import { publishing } from './append.ts'
import type { Keys } from './keys.ts'
import { MICROS } from './script.ts'

/**
 * RoomStore.remove. It must be given the players who have commands in the room, since their keys are named after them:
 * it answers with those that are missing and changes nothing, or with none when it is done.
 */
export const removeSource = (kind: { readonly isCluster: boolean }): string => `
local log, room, drafts, due, lobby, touched, channel = unpack(KEYS)
local name, isHeard, node = unpack(ARGV)
${publishing(kind)}

local given, missing = {}, {}
for n = 4, #ARGV do given['@' .. ARGV[n]] = true end
for _, field in ipairs(redis.call('HKEYS', room)) do
  if string.sub(field, 1, 1) == '@' and not given[field] then
    table.insert(missing, string.sub(field, 2))
  end
end
if #missing > 0 then return missing end

${MICROS}
redis.call('UNLINK', log, room, drafts)
for n = 8, #KEYS do redis.call('UNLINK', KEYS[n]) end
redis.call('ZREM', due, name)
redis.call('ZREM', lobby, name)
redis.call('ZADD', touched, micros, name)
tell(channel, isHeard, 'g ' .. node)
return {}`

/** RoomStore.markFailed. */
export const failSource = (kind: { readonly isCluster: boolean }): string => `
local room, due, lobby, touched, channel = unpack(KEYS)
local name, isHeard, node = unpack(ARGV)
${publishing(kind)}

${MICROS}
redis.call('HSET', room, 'failed', '1')
redis.call('HDEL', room, 'line')
redis.call('ZREM', due, name)
redis.call('ZREM', lobby, name)
redis.call('ZADD', touched, micros, name)
tell(channel, isHeard, 'g ' .. node)`

export function removeKeys(keys: Keys, room: RoomId, players: readonly PlayerId[]): string[] {
  const { due, lobby, touched } = keys.of(room)
  return [
    keys.log(room),
    keys.room(room),
    keys.drafts(room),
    due,
    lobby,
    touched,
    keys.hint(room),
    keys.settled(room),
    keys.chat(room),
    ...players.map((player) => keys.commands(room, player)),
  ]
}

export function failKeys(keys: Keys, room: RoomId): string[] {
  const { due, lobby, touched } = keys.of(room)
  return [keys.room(room), due, lobby, touched, keys.hint(room)]
}
