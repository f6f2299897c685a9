import { LIMITS, type Player } from '@junqi/protocol'
import {
  type AppendRequest,
  type AppendResult,
  type BoardLine,
  type ChatStream,
  type Clock,
  type CommandId,
  type DueRoom,
  type IndexedGame,
  KEPT_GAMES,
  type KeptFormations,
  type LobbyEntry,
  type PlayerId,
  type PlayerRecord,
  type QueueRecord,
  type Quota,
  type Rng,
  type RoomId,
  type SeatList,
  type ServiceTime,
  type Store,
  type StoredChat,
  type StoredEntry,
  type Tally,
  type TallyChange,
} from '../../ports.ts'
import type { Rate } from '../../rate-limit.ts'
import { Buckets } from '../buckets.ts'
import { SingleNode } from '../single-node.ts'
import { RoomChat } from './chat.ts'
import { MemoryQueue } from './memory-queue.ts'

interface StoredRoom {
  readonly log: StoredEntry[]
  /** The versions that each player's commands made, the oldest first. */
  readonly accepted: Map<PlayerId, Map<CommandId, number>>
  deadline: ServiceTime | null
  lobby: LobbyEntry | null
}

interface Draft {
  readonly accepted: Map<CommandId, true>
  formation: string
}

const nameOf = ({ whose, player }: SeatList): string => `${whose} ${player}`

/**
 * The store of unit tests: nothing is durable, every answer comes in the same turn.
 * Written to be obviously right: the model that the other adapters are held to.
 */
export class MemoryStore extends SingleNode implements Store {
  readonly clock: Clock
  readonly #rng: Rng
  readonly #rooms = new Map<RoomId, StoredRoom>()
  readonly #failed = new Set<RoomId>()
  readonly #outbox = new Map<RoomId, string>()
  readonly #drafts = new Map<RoomId, Map<PlayerId, Draft>>()
  readonly #players = new Map<PlayerId, PlayerRecord>()
  readonly #bans = new Map<PlayerId, string>()
  readonly #queue = new MemoryQueue()
  readonly #chats = new Map<RoomId, RoomChat>()
  readonly #muted = new Map<PlayerId, Set<PlayerId>>()
  readonly #secrets = new Map<string, Uint8Array>()
  readonly #counted = new Map<PlayerId, Set<RoomId>>()
  readonly #seats = new Map<string, Map<RoomId, number>>()
  readonly #formations = new Map<
    PlayerId,
    { named: Map<string, string>; last: Map<string, string> }
  >()
  readonly #games = new Map<RoomId, IndexedGame>()
  readonly #settlements = new Map<RoomId, string>()
  readonly #tallies = new Map<
    PlayerId,
    { numbers: Map<string, number>; added: Set<RoomId>; lines: string[] }
  >()
  readonly #boards = new Map<string, Map<PlayerId, BoardLine & { readonly revision: number }>>()
  readonly #buckets: Buckets

  /** `now`: milliseconds for quotas. */
  constructor(parts: { readonly clock: Clock; readonly rng: Rng; readonly now?: () => number }) {
    super()
    this.clock = parts.clock
    this.#rng = parts.rng
    this.#buckets = new Buckets(parts.now)
  }

  async append(request: AppendRequest): Promise<AppendResult> {
    const room = this.#rooms.get(request.room) ?? newRoom()
    const first = request.command && recall(room.accepted, request.command)
    if (first !== null) return { type: 'duplicate', version: first }
    if (request.expectedVersion !== room.log.length) {
      return { type: 'conflict', version: room.log.length }
    }
    const version = room.log.length + 1
    room.log.push({ version, data: request.data })
    room.deadline = request.deadline
    room.lobby = request.lobby
    if (request.command) {
      const { player, id } = request.command
      remember(
        entry(room.accepted, player, () => new Map()),
        id,
        version,
      )
    }
    if (request.ended !== null) {
      this.#outbox.delete(request.room)
      this.#outbox.set(request.room, request.ended)
    }
    this.#rooms.set(request.room, room)
    return { type: 'appended', version }
  }

  async read(room: RoomId, after: number): Promise<readonly StoredEntry[]> {
    return this.#rooms.get(room)?.log.slice(after) ?? []
  }

  async first(room: RoomId): Promise<StoredEntry | null> {
    return this.#rooms.get(room)?.log[0] ?? null
  }

  async version(room: RoomId): Promise<number> {
    return this.#rooms.get(room)?.log.length ?? 0
  }

  async accepted(room: RoomId, player: PlayerId, id: CommandId): Promise<StoredEntry | null> {
    const stored = this.#rooms.get(room)
    const version = stored ? recall(stored.accepted, { player, id }) : null
    return version === null ? null : (stored?.log[version - 1] ?? null)
  }

  async due(now: ServiceTime, limit: number): Promise<readonly DueRoom[]> {
    return this.#deadlines()
      .filter(({ deadline }) => deadline <= now)
      .slice(0, limit)
  }

  async nextDeadline(): Promise<ServiceTime | null> {
    return this.#deadlines()[0]?.deadline ?? null
  }

  async lobby(
    limit: number,
  ): Promise<readonly { readonly room: RoomId; readonly entry: LobbyEntry }[]> {
    return this.#served()
      .flatMap(([room, { lobby }]) => (lobby === null ? [] : [{ room, entry: lobby }]))
      .reverse()
      .slice(0, limit)
  }

  async remove(room: RoomId): Promise<void> {
    this.#rooms.delete(room)
    this.#drafts.delete(room)
    this.#settlements.delete(room)
    this.#chats.delete(room)
    this.#failed.delete(room)
  }

  async markFailed(room: RoomId): Promise<void> {
    this.#failed.add(room)
  }

  async isFailed(room: RoomId): Promise<boolean> {
    return this.#failed.has(room)
  }

  async outbox(
    limit: number,
  ): Promise<readonly { readonly room: RoomId; readonly ended: string }[]> {
    return [...this.#outbox].map(([room, ended]) => ({ room, ended })).slice(0, limit)
  }

  async *rooms(): AsyncIterable<RoomId> {
    yield* [...this.#rooms.keys()]
  }

  async settle(room: RoomId): Promise<void> {
    this.#outbox.delete(room)
  }

  async saveDraft(room: RoomId, player: PlayerId, id: CommandId, formation: string): Promise<void> {
    const drafts = entry(this.#drafts, room, () => new Map<PlayerId, Draft>())
    const draft = entry(drafts, player, () => ({ accepted: new Map(), formation }))
    if (draft.accepted.has(id)) return
    remember(draft.accepted, id, true)
    draft.formation = formation
  }

  async readDraft(room: RoomId, player: PlayerId): Promise<string | null> {
    return this.#drafts.get(room)?.get(player)?.formation ?? null
  }

  async acceptedDraft(room: RoomId, player: PlayerId, id: CommandId): Promise<boolean> {
    return this.#drafts.get(room)?.get(player)?.accepted.has(id) ?? false
  }

  async createPlayer(player: PlayerRecord): Promise<void> {
    entry(this.#players, player.id, () => player)
  }

  async renamePlayer(id: PlayerId, name: string): Promise<void> {
    const player = this.#players.get(id)
    if (player !== undefined) this.#players.set(id, { ...player, name })
  }

  async findPlayer(id: PlayerId): Promise<PlayerRecord | null> {
    return this.#players.get(id) ?? null
  }

  async keepBan(player: PlayerId, ban: string): Promise<void> {
    this.#bans.set(player, ban)
  }

  async dropBan(player: PlayerId): Promise<boolean> {
    return this.#bans.delete(player)
  }

  async bans(): Promise<ReadonlyMap<PlayerId, string>> {
    return new Map(this.#bans)
  }

  async bots(): Promise<readonly Player[]> {
    return [...this.#players.values()].flatMap(({ id, name, bot }) =>
      bot === undefined ? [] : [{ id, name, bot }],
    )
  }

  async take(quota: Quota, key: string, rate: Rate): Promise<number> {
    return this.#buckets.take(quota, key, rate)
  }

  async countRoom(player: PlayerId, room: RoomId, limit: number): Promise<readonly RoomId[]> {
    const counted = entry(this.#counted, player, () => new Set<RoomId>())
    if (counted.size < limit) counted.add(room)
    return [...counted]
  }

  async uncountRoom(player: PlayerId, room: RoomId): Promise<void> {
    const counted = this.#counted.get(player)
    counted?.delete(room)
    if (counted?.size === 0) this.#counted.delete(player)
  }

  async noteSeat(list: SeatList, room: RoomId, version: number, limit: number): Promise<boolean> {
    const noted = entry(this.#seats, nameOf(list), () => new Map<RoomId, number>())
    if (!noted.has(room) && noted.size >= limit) return false
    noted.set(room, Math.max(version, noted.get(room) ?? 0))
    return true
  }

  async notedSeats(list: SeatList): Promise<ReadonlyMap<RoomId, number>> {
    return new Map(this.#seats.get(nameOf(list)))
  }

  async dropSeat(list: SeatList, room: RoomId, version: number): Promise<void> {
    const noted = this.#seats.get(nameOf(list))
    if ((noted?.get(room) ?? version) <= version) noted?.delete(room)
    if (noted?.size === 0) this.#seats.delete(nameOf(list))
  }

  async keptFormations(player: PlayerId): Promise<KeptFormations> {
    const { named, last } = this.#formationsOf(player)
    return { named: new Map(named), last: new Map(last) }
  }

  async keepFormation(
    player: PlayerId,
    { name, formation }: { readonly name: string; readonly formation: string },
    limit: number,
  ): Promise<boolean> {
    const { named } = this.#formationsOf(player)
    if (!named.has(name) && named.size >= limit) return false
    named.set(name, formation)
    return true
  }

  async dropFormation(player: PlayerId, name: string): Promise<boolean> {
    return this.#formationsOf(player).named.delete(name)
  }

  async keepLastFormation(player: PlayerId, preset: string, formation: string): Promise<void> {
    this.#formationsOf(player).last.set(preset, formation)
  }

  #formationsOf(player: PlayerId) {
    return entry(this.#formations, player, () => ({ named: new Map(), last: new Map() }))
  }

  async indexGame(game: IndexedGame): Promise<void> {
    entry(this.#games, game.room, () => game)
  }

  async findGame(room: RoomId): Promise<IndexedGame | null> {
    return this.#games.get(room) ?? null
  }

  async listGames(list: string, after: string, limit: number) {
    return [...this.#games.values()]
      .flatMap((game) => {
        const place = game.places[list]
        return place === undefined || place <= after ? [] : [{ place, game }]
      })
      .sort((a, b) => (a.place < b.place ? -1 : 1))
      .slice(0, limit)
  }

  async dropGame(room: RoomId): Promise<void> {
    this.#games.delete(room)
  }

  async enqueue(ticket: QueueRecord) {
    return this.#queue.enqueue(ticket)
  }

  async changeTicket(ticket: QueueRecord, before: string) {
    return this.#queue.changeTicket(ticket, before)
  }

  async dequeue(id: string) {
    return this.#queue.dequeue(id)
  }

  async takeMatch(match: QueueRecord, tickets: readonly string[]) {
    return this.#queue.takeMatch(match, tickets)
  }

  async settleMatch(match: QueueRecord) {
    return this.#queue.settleMatch(match)
  }

  async forgetMatch(id: string) {
    return this.#queue.forgetMatch(id)
  }

  async readTicket(id: string) {
    return this.#queue.readTicket(id)
  }

  async queuedOf(player: PlayerId) {
    return this.#queue.queuedOf(player)
  }

  async readQueue() {
    return this.#queue.readQueue()
  }

  async keepSettlement(room: RoomId, settlement: string): Promise<string> {
    return entry(this.#settlements, room, () => settlement)
  }

  async settlement(room: RoomId): Promise<string | null> {
    return this.#settlements.get(room) ?? null
  }

  async addOnce(player: PlayerId, room: RoomId, { add, line }: TallyChange): Promise<Tally> {
    const { numbers, added, lines } = entry(this.#tallies, player, () => ({
      numbers: new Map(),
      added: new Set<RoomId>(),
      lines: [],
    }))
    if (!added.has(room)) {
      added.add(room)
      lines.push(line)
      for (const [name, value] of Object.entries(add)) {
        numbers.set(name, (numbers.get(name) ?? 0) + value)
      }
    }
    return this.tally(player)
  }

  async forgetAdded(player: PlayerId, room: RoomId): Promise<void> {
    this.#tallies.get(player)?.added.delete(room)
  }

  async tally(player: PlayerId): Promise<Tally> {
    const { numbers, lines } = this.#tallies.get(player) ?? { numbers: [], lines: [] }
    return { revision: lines.length, numbers: Object.fromEntries(numbers) }
  }

  async recentGames(player: PlayerId, limit: number): Promise<readonly string[]> {
    const { lines } = this.#tallies.get(player) ?? { lines: [] }
    return lines.toReversed().slice(0, Math.min(limit, KEPT_GAMES))
  }

  async placeOnBoard(board: string, revision: number, placed: BoardLine): Promise<void> {
    const lines = entry(this.#boards, board, () => new Map())
    if ((lines.get(placed.player)?.revision ?? 0) > revision) return
    lines.set(placed.player, { ...placed, revision })
  }

  async board(board: string, after: string, limit: number): Promise<readonly BoardLine[]> {
    return [...(this.#boards.get(board)?.values() ?? [])]
      .filter(({ place }) => place > after)
      .sort((a, b) => (a.place < b.place ? -1 : 1))
      .slice(0, limit)
      .map(({ place, player, line }) => ({ place, player, line }))
  }

  async addChat(
    room: RoomId,
    stream: ChatStream,
    line: { readonly player: PlayerId; readonly id: CommandId; readonly data: string },
  ): Promise<number | null> {
    return this.#rooms.has(room) ? this.#chatOf(room).add(stream, line) : null
  }

  async acceptedChat(room: RoomId, player: PlayerId, id: CommandId): Promise<boolean> {
    return this.#chats.get(room)?.isAccepted(player, id) ?? false
  }

  async readChat(
    room: RoomId,
    streams: readonly (ChatStream & { readonly after: number })[],
  ): Promise<readonly (readonly StoredChat[])[]> {
    return streams.map((stream) => this.#chats.get(room)?.read(stream, stream.after) ?? [])
  }

  async setSilenced(
    room: RoomId,
    player: PlayerId,
    { isIn, limit }: { readonly isIn: boolean; readonly limit: number },
  ): Promise<boolean> {
    return !this.#rooms.has(room) || put(this.#chatOf(room).silenced, player, isIn, limit)
  }

  async silencedIn(room: RoomId): Promise<readonly PlayerId[]> {
    return [...(this.#chats.get(room)?.silenced ?? [])]
  }

  async setMuted(
    player: PlayerId,
    other: PlayerId,
    { isIn, limit }: { readonly isIn: boolean; readonly limit: number },
  ): Promise<boolean> {
    const muted = entry(this.#muted, player, () => new Set<PlayerId>())
    const isDone = put(muted, other, isIn, limit)
    if (muted.size === 0) this.#muted.delete(player)
    return isDone
  }

  async mutedBy(player: PlayerId): Promise<readonly PlayerId[]> {
    return [...(this.#muted.get(player) ?? [])]
  }

  #chatOf(room: RoomId): RoomChat {
    return entry(this.#chats, room, () => new RoomChat())
  }

  async secret(name: string): Promise<Uint8Array> {
    return entry(this.#secrets, name, () => this.#rng.bytes(32))
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {}

  #served(): (readonly [RoomId, StoredRoom])[] {
    return [...this.#rooms].filter(([room]) => !this.#failed.has(room))
  }

  #deadlines(): DueRoom[] {
    return this.#served()
      .flatMap(([room, { deadline }]) => (deadline === null ? [] : [{ room, deadline }]))
      .sort((a, b) => a.deadline - b.deadline || (a.room < b.room ? -1 : 1))
  }
}

function newRoom(): StoredRoom {
  return { log: [], accepted: new Map(), deadline: null, lobby: null }
}

/** false: there is no place for one more. */
function put<Value>(set: Set<Value>, value: Value, isIn: boolean, limit: number): boolean {
  if (!isIn) set.delete(value)
  else if (!set.has(value) && set.size >= limit) return false
  else set.add(value)
  return true
}

/** The value of a key, made now if there is none yet. */
function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

function recall(
  accepted: StoredRoom['accepted'],
  command: { readonly player: PlayerId; readonly id: CommandId },
): number | null {
  return accepted.get(command.player)?.get(command.id) ?? null
}

function remember<Value>(accepted: Map<CommandId, Value>, id: CommandId, value: Value): void {
  accepted.set(id, value)
  for (const oldest of accepted.keys()) {
    if (accepted.size <= LIMITS.rememberedCommands) break
    accepted.delete(oldest)
  }
}
