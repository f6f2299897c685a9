/**
 * QuotaStore.take, by Redis's clock: `take` of rate-limit.ts, on all nodes together. A clock that was set back cannot leave
 * a bucket emptier than empty.
 */
export const TAKE_SOURCE = `
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local bucket = math.min(tonumber(redis.call('GET', KEYS[1]) or 0), now + burst * interval)
local full = math.max(bucket, now) + interval
-- Less a rounding error: of such times a ten-thousandth of a millisecond is uncertain.
local wait = math.ceil(full - now - burst * interval - 0.001)
if wait > 0 then return wait end
redis.call('SET', KEYS[1], full, 'PX', math.ceil(full - now))
return 0`

/** QuotaStore.countRoom. */
export const COUNT_ROOM_SOURCE = `
local room, limit = ARGV[1], tonumber(ARGV[2])
local rooms = redis.call('LRANGE', KEYS[1], 0, -1)
for _, counted in ipairs(rooms) do if counted == room then return rooms end end
if #rooms >= limit then return rooms end
redis.call('RPUSH', KEYS[1], room)
table.insert(rooms, room)
return rooms`
