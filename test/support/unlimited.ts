import type { Settings } from './server-process.ts'

const FAST = '1000000/s burst 1000000'

/** For a server whose players all come from one address, as fast as they can. */
export const UNLIMITED = {
  JUNQI_MAX_CONNECTIONS_PER_ADDRESS: '10000',
  JUNQI_RATE_REQUESTS: FAST,
  JUNQI_RATE_REPLAYS: FAST,
  JUNQI_RATE_GUESTS: FAST,
  JUNQI_RATE_ROOMS: FAST,
  JUNQI_RATE_MESSAGES: FAST,
  JUNQI_RATE_PLAYER: FAST,
} as const satisfies Settings
