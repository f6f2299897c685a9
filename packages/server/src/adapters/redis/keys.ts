/**
 * The layout of the keys. P is the prefix (JUNQI_REDIS_PREFIX), ROOM and PLAYER are ids, NODE is one opening of a store.
 *
 * A room belongs to one of 64 partitions, n. All keys of a partition have the hash tag {P:n}, so that one script can touch
 * them on a cluster; scripts get every key that they touch. MICROS is Redis's TIME in microseconds, text of 16 digits.
 *
 *   {P:n}:log:ROOM               list     the entries' data; index = version - 1
 *   {P:n}:room:ROOM              hash     created: MICROS of version 1; failed: 1; line: its line in the lobby list, if listed;
 *                                         @PLAYER: there is a key of that player's commands
 *   {P:n}:commands:ROOM:PLAYER   zset     the player's last 64 accepted command ids, each by the version that it made
 *   {P:n}:drafts:ROOM            hash     PLAYER: formation; PLAYER ids: the ids of the last 64 drafts, the oldest first
 *   {P:n}:chat:ROOM              hash     STREAM: part, number of its last message; STREAM NUMBER: a message; @PLAYER: id:number
 *                                         of its last 64; !: players who are silenced there
 *   {P:n}:onlookers:ROOM         hash     NODE: milliseconds of TIME, and who looks on there; expires when it is not renewed
 *   {P:n}:due                    zset     rooms by deadline (service time); no failed ones
 *   {P:n}:lobby                  zset     listed rooms by `created`
 *   {P:n}:touched                zset     rooms by the MICROS of what was last done to them; of the last minute
 *   {P:n}:outbox, {P:n}:ends     zset     rooms whose end is to be handed on, by MICROS; hash ROOM: the end
 *   {P:n}:settled:ROOM           string   what was settled of the room's game
 *   {P:n}:beat                   string   written before each beat on a cluster (heartbeat.ts); expires
 *   {P:n}:hint:ROOM              channel  hint.ts
 *
 *   {P:meta}:format              string   FORMAT
 *   {P:meta}:time                hash     beat: TIME in milliseconds of the last beat; downtime: what is taken off (heartbeat.ts)
 *   {P:meta}:nodes               zset     NODEs by their last beats; of the last minute
 *   {P:meta}:connected:NODE      set      PLAYERs with a connection to it; expires when it is not renewed
 *   {P:meta}:bots                hash     PLAYER: name and level of a bot, as JSON
 *   {P:meta}:bans                hash     PLAYER: why and until when it is shut out
 *   {P:meta}:secrets             hash     name: secret, hex
 *   {P:meta}:presence            channel  hint.ts
 *
 *   {P:queue}:tickets, matches     hash     of quick play: id: players, a line break, data
 *   {P:queue}:waiting              hash     PLAYER: id of its ticket or match; = before it: settled
 *
 *   {P:player:PLAYER}            string   the account, as JSON
 *   {P:host:PLAYER}              list     rooms that count against the player's limit
 *   {P:seats:PLAYER}             zset     rooms where the player may sit, by the version of the entry that seats it
 *   {P:bots-of:PLAYER}           zset     the same of bots that it asked for
 *   {P:muted:PLAYER}             hash     muted: those whom it does not hear
 *   {P:formations:PLAYER}        hash     n NAME: the formation of that name; l PRESET: the last handed in under it
 *   {P:game:ROOM}                string   a game of the archive: where it stands in lists, and its summary
 *   {P:games:LIST}               zset     PLACE ROOM of each game of a list, all with the score 0
 *   {P:tally:PLAYER}             hash     name: sum of what games added; #: games that were added
 *   {P:tally:PLAYER}:games       set      rooms whose games were added
 *   {P:tally:PLAYER}:recent      list     the last lines of its history, the newest first
 *   {P:board:BOARD}              zset     places, all with the score 0, so that they are in the order of their text
 *   {P:board:BOARD}:lines        hash     PLAYER: revision place, \n, line; @PLACE: PLAYER
 *   {P:quota:QUOTA:KEY}          string   a bucket: when it is full again, in milliseconds of TIME; expires then
 */
import type { PlayerId, Quota, RoomId, SeatList } from '../../ports.ts'

export const FORMAT = '1'
export const PARTITIONS = 64

/** The partition of a room, from 0: FNV-1a of its id. It must stay as it is, or rooms are not found again. */
export function partitionOf(room: RoomId): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < room.length; at++) {
    hash = Math.imul(hash ^ room.charCodeAt(at), 0x01000193)
  }
  return (hash >>> 0) % PARTITIONS
}

/** Those keys of a partition that belong to no single room. */
export interface PartitionKeys {
  readonly number: number
  /** What the partition's other keys begin with. */
  readonly tag: string
  readonly due: string
  readonly lobby: string
  readonly touched: string
  readonly outbox: string
  readonly ends: string
  readonly beat: string
}

export class Keys {
  readonly partitions: readonly PartitionKeys[]
  readonly format: string
  readonly time: string
  readonly nodes: string
  readonly secrets: string
  readonly bots: string
  readonly bans: string
  /** A channel. */
  readonly presence: string
  /** Of quick play. */
  readonly queue: Readonly<Record<'tickets' | 'matches' | 'waiting', string>>
  readonly #prefix: string

  constructor(prefix: string) {
    this.#prefix = prefix
    this.partitions = Array.from({ length: PARTITIONS }, (_, n) =>
      partitionKeys(n, `{${prefix}:${n}}`),
    )
    const queue = `{${prefix}:queue}`
    this.queue = {
      tickets: `${queue}:tickets`,
      matches: `${queue}:matches`,
      waiting: `${queue}:waiting`,
    }
    this.format = this.#meta('format')
    this.time = this.#meta('time')
    this.nodes = this.#meta('nodes')
    this.secrets = this.#meta('secrets')
    this.bots = this.#meta('bots')
    this.bans = this.#meta('bans')
    this.presence = this.#meta('presence')
  }

  of(room: RoomId): PartitionKeys {
    const keys = this.partitions[partitionOf(room)]
    if (keys === undefined) throw new Error('a room has no partition')
    return keys
  }

  /** A pattern. */
  get anyLog(): string {
    return `{${this.#prefix}:*}:log:*`
  }

  log = (room: RoomId): string => `${this.of(room).tag}:log:${room}`
  room = (room: RoomId): string => `${this.of(room).tag}:room:${room}`
  chat = (room: RoomId): string => `${this.of(room).tag}:chat:${room}`
  onlookers = (room: RoomId): string => `${this.of(room).tag}:onlookers:${room}`
  drafts = (room: RoomId): string => `${this.of(room).tag}:drafts:${room}`
  commands = (room: RoomId, player: PlayerId): string =>
    `${this.of(room).tag}:commands:${room}:${player}`
  /** A channel. */
  hint = (room: RoomId): string => `${this.of(room).tag}:hint:${room}`

  connected = (node: string): string => this.#meta(`connected:${node}`)
  player = (player: PlayerId): string => `{${this.#prefix}:player:${player}}`
  host = (player: PlayerId): string => `{${this.#prefix}:host:${player}}`
  seats = ({ whose, player }: SeatList): string =>
    `{${this.#prefix}:${whose === 'own' ? 'seats' : 'bots-of'}:${player}}`
  muted = (player: PlayerId): string => `{${this.#prefix}:muted:${player}}`
  formations = (player: PlayerId): string => `{${this.#prefix}:formations:${player}}`
  game = (room: RoomId): string => `{${this.#prefix}:game:${room}}`
  games = (list: string): string => `{${this.#prefix}:games:${list}}`
  settled = (room: RoomId): string => `${this.of(room).tag}:settled:${room}`
  tally = (player: PlayerId): string => `{${this.#prefix}:tally:${player}}`
  board = (board: string): string => `{${this.#prefix}:board:${board}}`
  quota = (quota: Quota, key: string): string => `{${this.#prefix}:quota:${quota}:${key}}`

  #meta(name: string): string {
    return `{${this.#prefix}:meta}:${name}`
  }
}

function partitionKeys(number: number, tag: string): PartitionKeys {
  return {
    number,
    tag,
    due: `${tag}:due`,
    lobby: `${tag}:lobby`,
    touched: `${tag}:touched`,
    outbox: `${tag}:outbox`,
    ends: `${tag}:ends`,
    beat: `${tag}:beat`,
  }
}
