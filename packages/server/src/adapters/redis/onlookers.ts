import { publishing } from './append.ts'

/** Milliseconds for which what a node told is believed. */
const BELIEVED = 60_000

/** NodeStore.shareOnlookers. A node that does not tell again is forgotten; so is a room of which no node does. */
export const onlookersSource = (kind: { readonly isCluster: boolean }): string => `
local onlookers, channel = unpack(KEYS)
local node, here, isNews, isHeard = unpack(ARGV)
${publishing(kind)}

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if here == '' then redis.call('HDEL', onlookers, node)
else
  redis.call('HSET', onlookers, node, string.format('%d ', now) .. here)
  redis.call('PEXPIRE', onlookers, ${BELIEVED})
end
local others, flat = {}, redis.call('HGETALL', onlookers)
for n = 1, #flat, 2 do
  local at, told = string.match(flat[n + 1], '^(%d+) (.*)$')
  if tonumber(at) < now - ${BELIEVED} then redis.call('HDEL', onlookers, flat[n])
  elseif flat[n] ~= node then table.insert(others, told) end
end
if isNews == '1' then tell(channel, isHeard, 'w ' .. node) end
return others`
