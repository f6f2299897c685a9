import type { BotLevel, CommandId, Player, PlayerId, RoomId } from '@junqi/protocol'
import type { Rate } from './rate-limit.ts'

/** Milliseconds of service time: the store's clock minus the time in which no node served (DESIGN 4). */
export type ServiceTime = number

/** A time, and one wake-up at a time. Rooms decide by the store's alone; limits of sockets and requests run by one that never stops. */
export interface Clock {
  /** Now, in milliseconds; an integer that never goes back. */
  now(): ServiceTime
  /** Calls `wake` once, at `at` or a little later; the function returned cancels it. */
  schedule(at: ServiceTime, wake: () => void): () => void
}

/** The only source of randomness. */
export interface Rng {
  /** Cryptographically random bytes. */
  bytes(count: number): Uint8Array
  /** Uniform in [0, 1). */
  random(): number
}

/** One entry of a room's log: what one accepted command did. */
export interface StoredEntry {
  /** 1, 2, 3 ... dense within the room. */
  readonly version: number
  /** The entry as JSON text, made and parsed by room/log-entry.ts; opaque to the store. */
  readonly data: string
}

/** What the lobby list shows of a public room that has not ended; JSON text made by the room. */
export type LobbyEntry = string

export interface AppendRequest {
  readonly room: RoomId
  /** The version of the last entry; 0 makes the room. The new entry gets `expectedVersion + 1`. */
  readonly expectedVersion: number
  /**
   * The data of the last entry, as this node knows it; null: not to be compared. A store that can lose its tail looks:
   * after a failover another entry may stand in its place, and then it is a conflict (F-C4).
   */
  readonly previous: string | null
  readonly data: string
  /** Who sent the command and its id; null: a clock or the server itself. The last 64 of a player in a room are remembered. */
  readonly command: { readonly player: PlayerId; readonly id: CommandId } | null
  /** When the room wants to be woken next; null: never (it is finished or closed). Replaces the earlier deadline. */
  readonly deadline: ServiceTime | null
  /** The room's line in the lobby list; null: not listed. Replaces the earlier one. */
  readonly lobby: LobbyEntry | null
  /** Set in the entry that ends the game: to be handed on (scores, archive index) at least once. */
  readonly ended: string | null
}

export type AppendResult =
  | { readonly type: 'appended'; readonly version: number }
  /** This player's command id was accepted before, and made this version. Nothing was changed. */
  | { readonly type: 'duplicate'; readonly version: number }
  /** The room is at another version, or its last entry is another. Nothing was changed. */
  | { readonly type: 'conflict'; readonly version: number }

export interface DueRoom {
  readonly room: RoomId
  readonly deadline: ServiceTime
}

/** The store did not answer, or not in time: whether the write happened is unknown until looked up. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
}

/** A room's log cannot be read, now or later. */
export class LogDamagedError extends Error {
  override readonly name = 'LogDamagedError'
}

/**
 * The logs of the rooms (DESIGN 4), with what must change in the same atomic step.
 * Every promise resolves after the change is durable, as the adapter defines it, and rejects only with StoreUnavailableError,
 * or with LogDamagedError where an entry must be read that cannot be.
 */
export interface RoomStore {
  append(request: AppendRequest): Promise<AppendResult>
  /** The entries after a version, in order; empty: none, or no such room. */
  read(room: RoomId, after: number): Promise<readonly StoredEntry[]>
  /** The entry that made the room; null: no such room. */
  first(room: RoomId): Promise<StoredEntry | null>
  /** The version of the last entry; 0: no such room. */
  version(room: RoomId): Promise<number>
  /** The entry that a player's command made, while it is remembered (64 of a player in a room); else null. */
  accepted(room: RoomId, player: PlayerId, id: CommandId): Promise<StoredEntry | null>
  /** Rooms whose deadline is at or before `now`, the earliest first. They stay due until an append replaces the deadline. */
  due(now: ServiceTime, limit: number): Promise<readonly DueRoom[]>
  /** The earliest deadline of all; null: none. */
  nextDeadline(): Promise<ServiceTime | null>
  /** Lines of the lobby list, newest room first. */
  lobby(limit: number): Promise<readonly { readonly room: RoomId; readonly entry: LobbyEntry }[]>
  /** Drops a room whole: log, drafts, deadline, lobby entry, remembered commands. */
  remove(room: RoomId): Promise<void>
  /** A room whose log cannot be replayed: never served, listed or due again. Durable. */
  markFailed(room: RoomId): Promise<void>
  isFailed(room: RoomId): Promise<boolean>
  /** Ends of games not handed on yet, oldest first. */
  outbox(limit: number): Promise<readonly { readonly room: RoomId; readonly ended: string }[]>
  settle(room: RoomId): Promise<void>
  /** All rooms that have ended, some perhaps twice; others may be among them, and those that end meanwhile. */
  rooms(): AsyncIterable<RoomId>
}

/** Formation drafts: one stream per player and room, apart from the log, seen by nobody else (R-DEPLOY-6). */
export interface DraftStore {
  /** Keeps a formation. A command id that was accepted before (the last 64) changes nothing. */
  saveDraft(room: RoomId, player: PlayerId, id: CommandId, formation: string): Promise<void>
  readDraft(room: RoomId, player: PlayerId): Promise<string | null>
  /** Whether a draft came with this command id, while it is remembered. */
  acceptedDraft(room: RoomId, player: PlayerId, id: CommandId): Promise<boolean>
}

/** A player's account. */
export interface PlayerRecord {
  readonly id: PlayerId
  readonly name: string
  /** The account of a bot, which was made with the bot key. */
  readonly bot?: BotLevel
  /**
   * SHA-256, hex, of what shows who it is: the secret token, which is stored nowhere itself; of a player of an identity
   * provider issuer and subject.
   */
  readonly tokenHash: string
  readonly createdAt: ServiceTime
}

export interface PlayerStore {
  /** An id that is taken stays with its player. */
  createPlayer(player: PlayerRecord): Promise<void>
  /** Of a player that is not there nothing is kept. */
  renamePlayer(id: PlayerId, name: string): Promise<void>
  findPlayer(id: PlayerId): Promise<PlayerRecord | null>
  /** The accounts of bots, in any order. */
  bots(): Promise<readonly Player[]>
}

/** Players who are shut out. */
export interface BanStore {
  /** `ban`: text made and parsed by players/ban.ts; in place of an earlier one. */
  keepBan(player: PlayerId, ban: string): Promise<void>
  /** false: there was none. */
  dropBan(player: PlayerId): Promise<boolean>
  bans(): Promise<ReadonlyMap<PlayerId, string>>
}

/** What is limited for all nodes together. */
export type Quota = 'guests' | 'rooms' | 'quickPlay' | 'chat'

export interface QuotaStore {
  /** Takes one token of a key: 0, or how many milliseconds to wait for one (rate-limit.ts). */
  take(quota: Quota, key: string, rate: Rate): Promise<number>
  /**
   * Counts a room as one that the player made, if fewer than `limit` are counted. Gives all that are counted then: the room
   * is among them, or there was no place. Rooms that ended are taken out by whoever ends or finds them.
   */
  countRoom(player: PlayerId, room: RoomId, limit: number): Promise<readonly RoomId[]>
  uncountRoom(player: PlayerId, room: RoomId): Promise<void>
}

/** Seats that are counted for a player: its own, or those of bots that sit where it asked for them. */
export interface SeatList {
  readonly whose: 'own' | 'bots'
  readonly player: PlayerId
}

/**
 * Which rooms a list may have seats in. A room is noted before the entry that seats somebody is appended, so what is noted is
 * never too little; whoever reads it looks at the rooms, and drops those where nobody of the list sits.
 */
export interface SeatIndex {
  /**
   * `version`: of the entry that is going to seat somebody. The highest of a room is kept. false: `limit` other rooms are
   * noted already, and nothing was changed.
   */
  noteSeat(list: SeatList, room: RoomId, version: number, limit: number): Promise<boolean>
  /** By room its version. */
  notedSeats(list: SeatList): Promise<ReadonlyMap<RoomId, number>>
  /** Nobody of the list sits in the room at this version: takes a note out that is not of a later one. */
  dropSeat(list: SeatList, room: RoomId, version: number): Promise<void>
}

/** A player's own formations: named ones, and the ones that it last handed in. Nobody else is ever shown them. */
export interface FormationStore {
  /** All that are kept for a player. */
  keptFormations(player: PlayerId): Promise<KeptFormations>
  /** Keeps a formation under a name, in place of another of that name. false: the player has `limit` others. */
  keepFormation(
    player: PlayerId,
    named: { readonly name: string; readonly formation: string },
    limit: number,
  ): Promise<boolean>
  /** false: there was none of this name. */
  dropFormation(player: PlayerId, name: string): Promise<boolean>
  /** Keeps what the player last handed in under a preset, in place of the one before. */
  keepLastFormation(player: PlayerId, preset: string, formation: string): Promise<void>
}

/** Formations by name, and the last handed in by preset. */
export interface KeptFormations {
  readonly named: ReadonlyMap<string, string>
  readonly last: ReadonlyMap<string, string>
}

/** A list of the archive, by its name, which has no space in it; each has its own order. */
export type ArchiveList = string

/** A finished game in the archive's index. Its log is the record, and the index can be made anew from the logs (F-C7). */
export interface IndexedGame {
  readonly room: RoomId
  /** The lists that it is in, and where: lists are in the order of these texts, of which no two in a list are the same. */
  readonly places: Readonly<Record<ArchiveList, string>>
  /** JSON text, made and parsed by archive/summary.ts. */
  readonly summary: string
}

export interface ArchiveStore {
  /** Puts a game into the index and its lists. One that is there stays as it is: the same as often as it is said. */
  indexGame(game: IndexedGame): Promise<void>
  findGame(room: RoomId): Promise<IndexedGame | null>
  /** Games of a list whose places come after `after` (all of them after ''), in order. */
  listGames(
    list: ArchiveList,
    after: string,
    limit: number,
  ): Promise<readonly { readonly place: string; readonly game: IndexedGame }[]>
  /** Takes a game out of the index and its lists. */
  dropGame(room: RoomId): Promise<void>
}

/** A ticket of quick play, or a match. Text made by quick-play/ticket.ts. */
export interface QueueRecord {
  /** 8 symbols, of a ticket drawn at random; a match has that of one of its tickets. */
  readonly id: string
  readonly players: readonly PlayerId[]
  readonly data: string
}

/**
 * Those who wait in quick play, and the matches made of them. A player is in one ticket or match that is not settled, and
 * in no other, on all nodes together. Every change is atomic.
 */
export interface QueueStore {
  /** Adds a ticket. `waiting`: one of its players is in another; `taken`: there is one of this id. */
  enqueue(ticket: QueueRecord): Promise<'queued' | 'waiting' | 'taken'>
  /** Replaces a ticket, which had this data: it has more players now. `gone`: it is not there, or is another one. */
  changeTicket(ticket: QueueRecord, before: string): Promise<'changed' | 'waiting' | 'gone'>
  /** Takes a ticket out. false: it is not there. */
  dequeue(id: string): Promise<boolean>
  readTicket(id: string): Promise<QueueRecord | null>
  /** The ticket or match that a player is in, or the settled match that it was in last, while that is kept. */
  queuedOf(player: PlayerId): Promise<QueueRecord | null>
  readQueue(): Promise<{
    readonly tickets: readonly QueueRecord[]
    readonly matches: readonly QueueRecord[]
  }>
  /** Puts a match in the place of these tickets. false: one of them is not there, and nothing was changed. */
  takeMatch(match: QueueRecord, tickets: readonly string[]): Promise<boolean>
  /** The match has been carried out: this is what became of it, and its players may queue again. */
  settleMatch(match: QueueRecord): Promise<void>
  /** Nothing is kept of the match. */
  forgetMatch(id: string): Promise<void>
}

/** What one game changes of a player. */
export interface TallyChange {
  /** Whole numbers, added to the player's own of these names. */
  readonly add: Readonly<Record<string, number>>
  /** A line of its history: JSON text, made and parsed by scores/. */
  readonly line: string
}

/** A player's numbers, each the sum of what games added to it. */
export interface Tally {
  /** Games that were added: the higher, the newer. */
  readonly revision: number
  readonly numbers: Readonly<Record<string, number>>
}

/** A player's line of a board. */
export interface BoardLine {
  /** Boards are in the order of these texts, of which no two on a board are the same. They hold no line break. */
  readonly place: string
  readonly player: PlayerId
  readonly line: string
}

/** Lines of a player's history that are kept, the newest. */
export const KEPT_GAMES = 100

/** What became of games: by room what was settled, by player the sums of it, and players in order (ADR 0008). */
export interface ScoreStore {
  /** Keeps what was settled of a room's game, unless something is kept already. Gives what is kept. */
  keepSettlement(room: RoomId, settlement: string): Promise<string>
  settlement(room: RoomId): Promise<string | null>
  /** Adds what a room's game changes, unless it was added before: then nothing is changed. Gives the sums as they are then. */
  addOnce(player: PlayerId, room: RoomId, change: TallyChange): Promise<Tally>
  /** The room is gone, and nobody will add its game again: nothing is kept of that it was added. The sums stay. */
  forgetAdded(player: PlayerId, room: RoomId): Promise<void>
  tally(player: PlayerId): Promise<Tally>
  /** Lines of a player's history, the newest first. */
  recentGames(player: PlayerId, limit: number): Promise<readonly string[]>
  /** Gives a player its place on a board, instead of the one before; unless that is of a later revision. */
  placeOnBoard(board: string, revision: number, placed: BoardLine): Promise<void>
  /** Lines whose places come after `after` (all of them after ''), in order. */
  board(board: string, after: string, limit: number): Promise<readonly BoardLine[]>
}

/** Messages that are kept of a stream; older ones are forgotten. */
export const CHAT_KEPT = 100

/** What is said to the same listeners. Its messages are numbered 1, 2, 3 ... apart from all others. */
export interface ChatStream {
  /** Without a space in it. */
  readonly name: string
  /** A higher one takes the place of what was said under a lower one. */
  readonly part: number
}

export interface StoredChat {
  readonly number: number
  /** JSON text, made and parsed by room/chat-line.ts. */
  readonly data: string
}

/** What is said in rooms: streams apart from the logs. They are removed with their room. */
export interface ChatStore {
  /**
   * Gives the message's number in its stream; of a command id that was accepted before (the last 64 of a player in a room)
   * the first one, and nothing is changed. null: not kept, since there is no such room, or the stream has a higher part.
   */
  addChat(
    room: RoomId,
    stream: ChatStream,
    line: { readonly player: PlayerId; readonly id: CommandId; readonly data: string },
  ): Promise<number | null>
  /** Whether a message came with this command id, while it is remembered. */
  acceptedChat(room: RoomId, player: PlayerId, id: CommandId): Promise<boolean>
  /** What is kept of each of the streams after a number, in order. */
  readChat(
    room: RoomId,
    streams: readonly (ChatStream & { readonly after: number })[],
  ): Promise<readonly (readonly StoredChat[])[]>
  /** A player may say nothing in a room, or may again. false: `limit` others may not already. */
  setSilenced(
    room: RoomId,
    player: PlayerId,
    silenced: { readonly isIn: boolean; readonly limit: number },
  ): Promise<boolean>
  silencedIn(room: RoomId): Promise<readonly PlayerId[]>
  /** A player hears another one no more, or does again. false: it has muted `limit` others already. */
  setMuted(
    player: PlayerId,
    other: PlayerId,
    muted: { readonly isIn: boolean; readonly limit: number },
  ): Promise<boolean>
  mutedBy(player: PlayerId): Promise<readonly PlayerId[]>
}

/** An entry that another node appended: the store's own text of it, and of the entry before it. */
export interface ToldEntry extends StoredEntry {
  readonly previous: string
}

/** What other nodes did. Each is a hint: it can come late, twice, out of order or never. */
export interface Hints {
  /** The room's log has this version, or had it. `told`: its entry, where the hint came with it. */
  roomChanged(room: RoomId, version: number, told?: ToldEntry): void
  /** The room was removed or marked as failed. */
  roomGone(room: RoomId): void
  draftSaved(room: RoomId, player: PlayerId): void
  /** Something was said in the room. */
  chatSaid(room: RoomId): void
  /** The player hears others than before. */
  playerMuted(player: PlayerId): void
  /** Others look on in the room than before. */
  onlookersChanged(room: RoomId): void
  /** The player's first connection to another node was made, or its last one to that node has ended. */
  playerSeen(player: PlayerId): void
  /** Somebody seated the player in the room. */
  playerSeated(player: PlayerId, room: RoomId): void
  /** The room's game was taken over by all that take ended games over. */
  gameHandedOn(room: RoomId): void
  /** The list of rooms is another one now. */
  lobbyChanged(): void
  /** The store may have lost what it held (it was away, or is another one now): every copy is to be compared with it. */
  storeReplaced(): void
}

/** What nodes tell each other through the store. A store of one process has no other nodes. */
export interface NodeStore {
  /** Whether other nodes may write as well: then a copy of a room is never certain to be the newest. */
  readonly isShared: boolean
  /** Hints go there from now on. */
  listen(hints: Hints): void
  /** Hints about this room are wanted; resolves when none can be missed that comes later. */
  follow(room: RoomId): Promise<void>
  unfollow(room: RoomId): void
  /** This node has a connection of the player, or has none any more. Best effort; of a node that dies it is forgotten in seconds. */
  setConnected(player: PlayerId, isConnected: boolean): void
  /** Hints to the other nodes that the player was seated in the room. Best effort. */
  tellSeated(player: PlayerId, room: RoomId): void
  /** Hints to the other nodes that the room's game was handed on. Best effort. */
  tellHandedOn(room: RoomId): void
  /** Hints to the other nodes that the list of rooms is another one. Best effort. */
  tellLobby(): void
  /** Hints to the other nodes that the player hears others than before. Best effort. */
  tellMuted(player: PlayerId): void
  /**
   * Tells the other nodes who looks on in a room here (text that they understand; null: nobody), and gives what they told.
   * Who does not tell it again within a minute is forgotten. `isNews`: they are hinted at it.
   */
  shareOnlookers(room: RoomId, here: string | null, isNews: boolean): Promise<readonly string[]>
  /** Those of the players who have a connection to another node. */
  connectedElsewhere(players: readonly PlayerId[]): Promise<ReadonlySet<PlayerId>>
}

/** Everything that a node keeps; one adapter implements it whole. */
export interface Store
  extends RoomStore,
    DraftStore,
    PlayerStore,
    BanStore,
    QuotaStore,
    SeatIndex,
    ScoreStore,
    FormationStore,
    ArchiveStore,
    QueueStore,
    ChatStore,
    NodeStore {
  /** Service time; valid after the adapter has opened. */
  readonly clock: Clock
  /** 32 random bytes that are made once for a name and stay the same for the life of the store. */
  secret(name: string): Promise<Uint8Array>
  /** Resolves when the store answers; rejects with StoreUnavailableError. */
  ping(): Promise<void>
  close(): Promise<void>
}

export type { CommandId, PlayerId, RoomId }
