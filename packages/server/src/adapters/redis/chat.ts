import { LIMITS } from '@junqi/protocol'
import { CHAT_KEPT, type CommandId, type PlayerId, type StoredChat } from '../../ports.ts'
import { publishing } from './append.ts'
import { listOf, textsOf } from './reply.ts'
import { MICROS } from './script.ts'

/**
 * ChatStore.addChat; 0: not kept. It leaves a mark in \`touched\`, so that nodes that miss the hint find it when they look.
 */
export const addChatSource = (kind: { readonly isCluster: boolean }): string => `
local log, chat, touched, channel = unpack(KEYS)
local room, name, player, id, data, isHeard, node = unpack(ARGV)
local part = tonumber(ARGV[8])
${publishing(kind)}

if redis.call('EXISTS', log) == 0 then return 0 end
local ids = {}
for known, number in string.gmatch(redis.call('HGET', chat, '@' .. player) or '', '(%S+):(%d+)') do
  if known == id then return tonumber(number) end
  table.insert(ids, known .. ':' .. number)
end
local lastPart, number =
  string.match(redis.call('HGET', chat, name) or '0 0', '^(%d+) (%d+)$')
lastPart, number = tonumber(lastPart), tonumber(number)
if part < lastPart then return 0 end
if part > lastPart then
  for n = math.max(1, number - ${CHAT_KEPT - 1}), number do
    redis.call('HDEL', chat, name .. ' ' .. n)
  end
  number = 0
end
number = number + 1
redis.call('HSET', chat, name, part .. ' ' .. number, name .. ' ' .. number, data)
redis.call('HDEL', chat, name .. ' ' .. (number - ${CHAT_KEPT}))
table.insert(ids, id .. ':' .. number)
if #ids > ${LIMITS.rememberedCommands} then table.remove(ids, 1) end
redis.call('HSET', chat, '@' .. player, table.concat(ids, ' '))
${MICROS}
redis.call('ZADD', touched, micros, room)
tell(channel, isHeard, 'c ' .. node)
return number`

/** ChatStore.readChat: for each three arguments, a stream's name, part and the number after which it is read. */
export const READ_CHAT_SOURCE = `
local answers = {}
for n = 1, #ARGV, 3 do
  local name, part, after = ARGV[n], ARGV[n + 1], tonumber(ARGV[n + 2])
  local lastPart, number =
    string.match(redis.call('HGET', KEYS[1], name) or '0 0', '^(%d+) (%d+)$')
  local found = {}
  if lastPart == part then
    for k = math.max(after, number - ${CHAT_KEPT}) + 1, tonumber(number) do
      local data = redis.call('HGET', KEYS[1], name .. ' ' .. k)
      if data then
        table.insert(found, tostring(k))
        table.insert(found, data)
      end
    end
  end
  table.insert(answers, found)
end
return answers`

/** A field of a hash holds players: one more ('1') or less; 0: it has as many as it may have already. KEYS[2]: without it there is no hash. */
export const PLAYER_LIST_SOURCE = `
if KEYS[2] and redis.call('EXISTS', KEYS[2]) == 0 then return 1 end
local field, player, isIn, limit = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local players = {}
for known in string.gmatch(redis.call('HGET', KEYS[1], field) or '', '%S+') do
  if known ~= player then table.insert(players, known) end
end
if isIn == '1' then
  if #players >= limit then return 0 end
  table.insert(players, player)
end
if #players == 0 then redis.call('HDEL', KEYS[1], field)
else redis.call('HSET', KEYS[1], field, table.concat(players, ' ')) end
return 1`

/** The field of the players who are silenced in a room; no stream has this name. */
export const SILENCED = '!'
/** The one field of a player's list. */
export const MUTED = 'muted'

/** The field of the ids of a player's last messages. */
export const chatIdsField = (player: PlayerId): string => `@${player}`

export const hasChatId = (ids: string | null, id: CommandId): boolean =>
  ids?.split(' ').some((known) => known.startsWith(`${id}:`)) ?? false

export const chatsOf = (reply: unknown): readonly (readonly StoredChat[])[] =>
  listOf(reply).map((found) => {
    const flat = textsOf(found)
    return flat.flatMap((text, n) =>
      n % 2 === 0 ? [{ number: Number(text), data: flat[n + 1] ?? '' }] : [],
    )
  })

export const playersOfList = (text: string | null): readonly PlayerId[] =>
  text === null ? [] : (text.split(' ') as PlayerId[])
