/** How long a lobby in which nothing happens stays open. */
export const LOBBY_IDLE_MS = 30 * 60_000
/** How long a closed room is still there to say so. */
export const CLOSED_KEPT_MS = 10 * 60_000
/** Entries before play after which a room in its lobby closes: no log outgrows a game. */
export const LOBBY_ENTRIES = 2_000
/** Of these, those that a player who is not the host may make, and all such players together (R-ROOM-7). */
export const PLAYER_CHANGES = 200
export const OTHERS_CHANGES = 1_000
/** Turns after which a game that its rules did not end is drawn (R-ROOM-5): no log outgrows a server. */
export const GAME_TURNS = 10_000
/** Rematches of a game, each after the one before has closed. */
export const MAX_REMATCHES = 8
/** Members that a private room may have: players that its invitation reached. */
export const MAX_MEMBERS = 256
