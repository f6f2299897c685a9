/** SeatIndex.noteSeat. */
export const NOTE_SEAT_SOURCE = `
local room, version, limit = ARGV[1], ARGV[2], tonumber(ARGV[3])
local isNew = not redis.call('ZSCORE', KEYS[1], room)
if isNew and redis.call('ZCARD', KEYS[1]) >= limit then return 0 end
redis.call('ZADD', KEYS[1], 'GT', version, room)
return 1`

/** SeatIndex.dropSeat. */
export const DROP_SEAT_SOURCE = `
local noted = redis.call('ZSCORE', KEYS[1], ARGV[1])
if noted and tonumber(noted) <= tonumber(ARGV[2]) then redis.call('ZREM', KEYS[1], ARGV[1]) end`
