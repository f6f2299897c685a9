/** SeatIndex.dropSeat. */
export const DROP_SEAT_SOURCE = `
local noted = redis.call('ZSCORE', KEYS[1], ARGV[1])
if noted and tonumber(noted) <= tonumber(ARGV[2]) then redis.call('ZREM', KEYS[1], ARGV[1]) end`
