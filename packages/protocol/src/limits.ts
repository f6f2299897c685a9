/** Limits that a client may count on; `welcome` and `GET /v1/meta` repeat them. */
export const LIMITS = {
  /** Bytes of one frame from a client. */
  frameBytes: 8192,
  /** Characters of a player's name after trimming. */
  nameLength: 24,
  /** Rooms that one socket may be subscribed to. */
  subscriptions: 16,
  /** Accepted command ids that a room remembers for each player. */
  rememberedCommands: 64,
} as const
