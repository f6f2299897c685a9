import type { Player } from '@junqi/protocol'
import type {
  AppendRequest,
  AppendResult,
  ChatStream,
  CommandId,
  DueRoom,
  IndexedGame,
  KeptFormations,
  LobbyEntry,
  PlayerId,
  PlayerRecord,
  QueueRecord,
  Quota,
  Rng,
  RoomId,
  ScoreStore,
  SeatList,
  ServiceTime,
  Store,
  StoredChat,
  StoredEntry,
} from '../../ports.ts'
import type { Rate } from '../../rate-limit.ts'
import type { ServiceClock } from '../service-clock.ts'
import { decodeBot, decodePlayer, encodeBot, encodePlayer } from '../stored-player.ts'
import { appendCall, appendResultOf, appendSource } from './append.ts'
import { ArchiveIndex } from './archive-index.ts'
import {
  addChatSource,
  chatIdsField,
  chatsOf,
  hasChatId,
  MUTED,
  PLAYER_LIST_SOURCE,
  playersOfList,
  READ_CHAT_SOURCE,
  SILENCED,
} from './chat.ts'
import { draftIdsField, hasDraftId, saveDraftSource } from './drafts.ts'
import { type Durability, readDurability } from './durability.ts'
import { firstOfAll, highestFirst, lowestFirst, type Order } from './first-of-all.ts'
import { formationsOf, KEEP_FORMATION_SOURCE, lastField, namedField } from './formations.ts'
import { Heartbeat } from './heartbeat.ts'
import type { Keys, PartitionKeys } from './keys.ts'
import type { Argument, Link } from './link.ts'
import { RedisQueue } from './queue.ts'
import { COUNT_ROOM_SOURCE, TAKE_SOURCE } from './quotas.ts'
import { RedisNode } from './redis-node.ts'
import { failKeys, failSource, removeKeys, removeSource } from './removal.ts'
import {
  integerOf,
  listOf,
  maybeTextOf,
  type Ranked,
  rankedOf,
  scoreOf,
  textOf,
  textsOf,
} from './reply.ts'
import { Scores } from './scores.ts'
import { makeScript } from './script.ts'
import { DROP_SEAT_SOURCE, NOTE_SEAT_SOURCE } from './seats.ts'
import type { Timing } from './timing.ts'

export interface RedisStoreParts {
  readonly link: Link
  readonly keys: Keys
  readonly node: string
  readonly rng: Rng
  readonly timing: Timing
  readonly monotonic: () => number
  /** Right already. */
  readonly clock: ServiceClock
  readonly lost: () => void
  readonly found: () => void
}

const READ_CHAT = makeScript(READ_CHAT_SOURCE)
const PLAYER_LIST = makeScript(PLAYER_LIST_SOURCE)
const TAKE = makeScript(TAKE_SOURCE)
const COUNT_ROOM = makeScript(COUNT_ROOM_SOURCE)
const KEEP_FORMATION = makeScript(KEEP_FORMATION_SOURCE)
const NOTE_SEAT = makeScript(NOTE_SEAT_SOURCE)
const DROP_SEAT = makeScript(DROP_SEAT_SOURCE)
/** Lua: a range of each sorted set. */
const RANGE = makeScript(`
table.insert(ARGV, 'WITHSCORES')
local answers = {}
for n, key in ipairs(KEYS) do answers[n] = redis.call('ZRANGE', key, unpack(ARGV)) end
return answers`)
/** Lua: one field of each hash. */
const FIELD = makeScript(`
local answers = {}
for n, key in ipairs(KEYS) do answers[n] = redis.call('HGET', key, ARGV[n]) end
return answers`)
/** Lua: the version that a command made, and its entry. */
const ACCEPTED = makeScript(`
local version = redis.call('ZSCORE', KEYS[1], ARGV[1])
return version and {version, redis.call('LINDEX', KEYS[2], version - 1)}`)
const SETTLE = makeScript(`
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])`)

/** The store that nodes share: one server, one that sentinels name, or a cluster. As durable as Redis is (durability.ts). */
export class RedisStore extends RedisNode implements Store {
  readonly clock: ServiceClock
  readonly #link: Link
  readonly #keys: Keys
  readonly #node: string
  readonly #rng: Rng
  readonly #archive: ArchiveIndex
  readonly #queue: RedisQueue
  readonly #scripts
  readonly #heartbeat: Heartbeat
  readonly #scores: Scores
  #isOpen = true

  constructor(parts: RedisStoreParts) {
    super({ ...parts, random: () => parts.rng.random() })
    const { link, clock } = parts
    this.clock = clock
    this.#link = link
    this.#keys = parts.keys
    this.#node = parts.node
    this.#scores = new Scores(link, parts.keys)
    this.#rng = parts.rng
    this.#archive = new ArchiveIndex(link, parts.keys)
    this.#queue = new RedisQueue(link, parts.keys.queue)
    this.#scripts = {
      append: makeScript(appendSource(link)),
      remove: makeScript(removeSource(link)),
      fail: makeScript(failSource(link)),
      addChat: makeScript(addChatSource(link)),
      saveDraft: makeScript(saveDraftSource(link)),
    }
    this.#heartbeat = new Heartbeat(parts, clock, {
      lost: parts.lost,
      found: parts.found,
      replaced: () => this.replaced(),
      renewed: (connected) => {
        this.presence.renewed(connected).catch(() => {})
      },
    })
  }

  /** The connection for commands is there again. */
  linkUp(): void {
    this.#heartbeat.replaced()
  }

  linkDown(): void {
    this.#heartbeat.interrupted()
  }

  linkMoved(): void {
    this.moved()
    this.#heartbeat.replaced()
  }

  async append(request: AppendRequest): Promise<AppendResult> {
    const { room } = request
    const call = appendCall(this.#keys, request, { node: this.#node, heard: this.heard(room) })
    const reply = await this.#link.run(this.#scripts.append, call.keys, call.args)
    const { result, mark } = appendResultOf(reply)
    if (mark !== null) this.wrote(room, mark)
    return result
  }

  async read(room: RoomId, after: number): Promise<readonly StoredEntry[]> {
    const entries = textsOf(await this.#link.send('LRANGE', this.#keys.log(room), after, -1))
    return entries.map((data, n) => ({ version: after + n + 1, data }))
  }

  async first(room: RoomId): Promise<StoredEntry | null> {
    const data = maybeTextOf(await this.#link.send('LINDEX', this.#keys.log(room), 0))
    return data === null ? null : { version: 1, data }
  }

  async version(room: RoomId): Promise<number> {
    return integerOf(await this.#link.send('LLEN', this.#keys.log(room)))
  }

  async accepted(room: RoomId, player: PlayerId, id: CommandId): Promise<StoredEntry | null> {
    const keys = [this.#keys.commands(room, player), this.#keys.log(room)]
    const found = await this.#link.run(ACCEPTED, keys, [id])
    if (found === null) return null
    const [version, data] = listOf(found)
    return { version: scoreOf(version), data: textOf(data) }
  }

  async due(now: ServiceTime, limit: number): Promise<readonly DueRoom[]> {
    const found = await this.#first(limit, lowestFirst, {
      key: ({ due }) => due,
      range: (count) => ['-inf', now, 'BYSCORE', 'LIMIT', 0, count],
    })
    return found.map(({ member, score }) => ({ room: member as RoomId, deadline: score }))
  }

  async nextDeadline(): Promise<ServiceTime | null> {
    const [first] = await this.due(Number.MAX_SAFE_INTEGER, 1)
    return first?.deadline ?? null
  }

  async lobby(
    limit: number,
  ): Promise<readonly { readonly room: RoomId; readonly entry: LobbyEntry }[]> {
    const found = await this.#first(limit, highestFirst, {
      key: ({ lobby }) => lobby,
      range: (count) => [0, count - 1, 'REV'],
    })
    const rooms = found.map(({ member }) => member as RoomId)
    const lines = await this.#texts(rooms, (room) => [this.#keys.room(room), 'line'])
    return rooms.flatMap((room, n) => (lines[n] == null ? [] : [{ room, entry: lines[n] }]))
  }

  async remove(room: RoomId): Promise<void> {
    let players: readonly PlayerId[] = []
    for (;;) {
      const missing = textsOf(
        await this.#link.run(this.#scripts.remove, removeKeys(this.#keys, room, players), [
          room,
          this.heard(room),
          this.#node,
          ...players,
        ]),
      )
      if (missing.length === 0) return
      players = [...players, ...(missing as readonly PlayerId[])]
    }
  }

  async markFailed(room: RoomId): Promise<void> {
    const args = [room, this.heard(room), this.#node]
    await this.#link.run(this.#scripts.fail, failKeys(this.#keys, room), args)
  }

  async isFailed(room: RoomId): Promise<boolean> {
    return (await this.#link.send('HEXISTS', this.#keys.room(room), 'failed')) === 1
  }

  async outbox(
    limit: number,
  ): Promise<readonly { readonly room: RoomId; readonly ended: string }[]> {
    const found = await this.#first(limit, lowestFirst, {
      key: ({ outbox }) => outbox,
      range: (count) => [0, count - 1],
    })
    const rooms = found.map(({ member }) => member as RoomId)
    const ends = await this.#texts(rooms, (room) => [this.#keys.of(room).ends, room])
    return rooms.flatMap((room, n) => (ends[n] == null ? [] : [{ room, ended: ends[n] }]))
  }

  async *rooms(): AsyncIterable<RoomId> {
    for await (const keys of this.#link.keysLike(this.#keys.anyLog)) {
      for (const key of keys) yield key.slice(key.lastIndexOf(':') + 1) as RoomId
    }
  }

  async settle(room: RoomId): Promise<void> {
    const { outbox, ends } = this.#keys.of(room)
    await this.#link.run(SETTLE, [outbox, ends], [room])
  }

  async saveDraft(room: RoomId, player: PlayerId, id: CommandId, formation: string): Promise<void> {
    await this.#link.run(
      this.#scripts.saveDraft,
      [this.#keys.drafts(room), this.#keys.hint(room)],
      [player, id, formation, this.heard(room), this.#node],
    )
  }

  async readDraft(room: RoomId, player: PlayerId): Promise<string | null> {
    return maybeTextOf(await this.#link.send('HGET', this.#keys.drafts(room), player))
  }

  async acceptedDraft(room: RoomId, player: PlayerId, id: CommandId): Promise<boolean> {
    const ids = await this.#link.send('HGET', this.#keys.drafts(room), draftIdsField(player))
    return hasDraftId(maybeTextOf(ids), id)
  }

  async createPlayer(player: PlayerRecord): Promise<void> {
    // In the list first: who is in it and has no account can never be connected.
    if (player.bot !== undefined) {
      await this.#link.send('HSETNX', this.#keys.bots, player.id, encodeBot(player))
    }
    await this.#link.send('SET', this.#keys.player(player.id), encodePlayer(player), 'NX')
  }

  /** Nothing but the name of an account ever changes: of two at once one stays. */
  async renamePlayer(id: PlayerId, name: string): Promise<void> {
    const player = await this.findPlayer(id)
    if (player === null) return
    await this.#link.send('SET', this.#keys.player(id), encodePlayer({ ...player, name }), 'XX')
  }

  async findPlayer(id: PlayerId): Promise<PlayerRecord | null> {
    const text = maybeTextOf(await this.#link.send('GET', this.#keys.player(id)))
    return text === null ? null : decodePlayer(id, text)
  }

  async keepBan(player: PlayerId, ban: string): Promise<void> {
    await this.#link.send('HSET', this.#keys.bans, player, ban)
  }

  async dropBan(player: PlayerId): Promise<boolean> {
    return (await this.#link.send('HDEL', this.#keys.bans, player)) === 1
  }

  async bans(): Promise<ReadonlyMap<PlayerId, string>> {
    const flat = textsOf(await this.#link.send('HGETALL', this.#keys.bans))
    const bans = new Map<PlayerId, string>()
    for (let at = 0; at < flat.length; at += 2) bans.set(flat[at] as PlayerId, flat[at + 1] ?? '')
    return bans
  }

  async bots(): Promise<readonly Player[]> {
    const ids = textsOf(await this.#link.send('HKEYS', this.#keys.bots))
    if (ids.length === 0) return []
    const texts = listOf(await this.#link.send('HMGET', this.#keys.bots, ...ids)).map(maybeTextOf)
    return texts.flatMap((text, n) => (text === null ? [] : [decodeBot(ids[n] as PlayerId, text)]))
  }

  async take(quota: Quota, key: string, { perSecond, burst }: Rate): Promise<number> {
    const args = [1000 / perSecond, burst]
    return integerOf(await this.#link.run(TAKE, [this.#keys.quota(quota, key)], args))
  }

  async countRoom(player: PlayerId, room: RoomId, limit: number): Promise<readonly RoomId[]> {
    const counted = await this.#link.run(COUNT_ROOM, [this.#keys.host(player)], [room, limit])
    return textsOf(counted) as readonly RoomId[]
  }

  async uncountRoom(player: PlayerId, room: RoomId): Promise<void> {
    await this.#link.send('LREM', this.#keys.host(player), 0, room)
  }

  async noteSeat(list: SeatList, room: RoomId, version: number, limit: number): Promise<boolean> {
    const args = [room, version, limit]
    return (await this.#link.run(NOTE_SEAT, [this.#keys.seats(list)], args)) === 1
  }

  async notedSeats(list: SeatList): Promise<ReadonlyMap<RoomId, number>> {
    const noted = await this.#link.send('ZRANGE', this.#keys.seats(list), 0, -1, 'WITHSCORES')
    return new Map(rankedOf(noted).map(({ member, score }) => [member as RoomId, score]))
  }

  async dropSeat(list: SeatList, room: RoomId, version: number): Promise<void> {
    await this.#link.run(DROP_SEAT, [this.#keys.seats(list)], [room, version])
  }

  async keptFormations(player: PlayerId): Promise<KeptFormations> {
    return formationsOf(await this.#link.send('HGETALL', this.#keys.formations(player)))
  }

  async keepFormation(
    player: PlayerId,
    { name, formation }: { readonly name: string; readonly formation: string },
    limit: number,
  ): Promise<boolean> {
    const args = [namedField(name), formation, limit]
    return (await this.#link.run(KEEP_FORMATION, [this.#keys.formations(player)], args)) === 1
  }

  async dropFormation(player: PlayerId, name: string): Promise<boolean> {
    return (await this.#link.send('HDEL', this.#keys.formations(player), namedField(name))) === 1
  }

  async keepLastFormation(player: PlayerId, preset: string, formation: string): Promise<void> {
    await this.#link.send('HSET', this.#keys.formations(player), lastField(preset), formation)
  }

  indexGame(game: IndexedGame): Promise<void> {
    return this.#archive.indexGame(game)
  }

  findGame(room: RoomId): Promise<IndexedGame | null> {
    return this.#archive.findGame(room)
  }

  listGames(list: string, after: string, limit: number) {
    return this.#archive.listGames(list, after, limit)
  }

  dropGame(room: RoomId): Promise<void> {
    return this.#archive.dropGame(room)
  }

  enqueue(ticket: QueueRecord) {
    return this.#queue.enqueue(ticket)
  }

  changeTicket(ticket: QueueRecord, before: string) {
    return this.#queue.changeTicket(ticket, before)
  }

  dequeue(id: string) {
    return this.#queue.dequeue(id)
  }

  takeMatch(match: QueueRecord, tickets: readonly string[]) {
    return this.#queue.takeMatch(match, tickets)
  }

  settleMatch(match: QueueRecord) {
    return this.#queue.settleMatch(match)
  }

  forgetMatch(id: string) {
    return this.#queue.forgetMatch(id)
  }

  readTicket(id: string) {
    return this.#queue.readTicket(id)
  }

  queuedOf(player: PlayerId) {
    return this.#queue.queuedOf(player)
  }

  readQueue() {
    return this.#queue.readQueue()
  }

  keepSettlement(...asked: Parameters<ScoreStore['keepSettlement']>) {
    return this.#scores.keepSettlement(...asked)
  }

  settlement(...asked: Parameters<ScoreStore['settlement']>) {
    return this.#scores.settlement(...asked)
  }

  addOnce(...asked: Parameters<ScoreStore['addOnce']>) {
    return this.#scores.addOnce(...asked)
  }

  forgetAdded(...asked: Parameters<ScoreStore['forgetAdded']>) {
    return this.#scores.forgetAdded(...asked)
  }

  tally(...asked: Parameters<ScoreStore['tally']>) {
    return this.#scores.tally(...asked)
  }

  recentGames(...asked: Parameters<ScoreStore['recentGames']>) {
    return this.#scores.recentGames(...asked)
  }

  placeOnBoard(...asked: Parameters<ScoreStore['placeOnBoard']>) {
    return this.#scores.placeOnBoard(...asked)
  }

  board(...asked: Parameters<ScoreStore['board']>) {
    return this.#scores.board(...asked)
  }

  async addChat(
    room: RoomId,
    { name, part }: ChatStream,
    line: { readonly player: PlayerId; readonly id: CommandId; readonly data: string },
  ): Promise<number | null> {
    const { touched } = this.#keys.of(room)
    const keys = [this.#keys.log(room), this.#keys.chat(room), touched, this.#keys.hint(room)]
    const { player, id, data } = line
    const args = [room, name, player, id, data, this.heard(room), this.#node, part]
    const number = integerOf(await this.#link.run(this.#scripts.addChat, keys, args))
    return number === 0 ? null : number
  }

  async acceptedChat(room: RoomId, player: PlayerId, id: CommandId): Promise<boolean> {
    const ids = await this.#link.send('HGET', this.#keys.chat(room), chatIdsField(player))
    return hasChatId(maybeTextOf(ids), id)
  }

  async readChat(
    room: RoomId,
    streams: readonly (ChatStream & { readonly after: number })[],
  ): Promise<readonly (readonly StoredChat[])[]> {
    const args = streams.flatMap(({ name, part, after }) => [name, part, after])
    return chatsOf(await this.#link.run(READ_CHAT, [this.#keys.chat(room)], args))
  }

  async setSilenced(
    room: RoomId,
    player: PlayerId,
    silenced: { readonly isIn: boolean; readonly limit: number },
  ): Promise<boolean> {
    const keys = [this.#keys.chat(room), this.#keys.log(room)]
    return this.#putPlayer(keys, SILENCED, player, silenced)
  }

  async silencedIn(room: RoomId): Promise<readonly PlayerId[]> {
    return this.#playersIn(this.#keys.chat(room), SILENCED)
  }

  async setMuted(
    player: PlayerId,
    other: PlayerId,
    muted: { readonly isIn: boolean; readonly limit: number },
  ): Promise<boolean> {
    return this.#putPlayer([this.#keys.muted(player)], MUTED, other, muted)
  }

  async mutedBy(player: PlayerId): Promise<readonly PlayerId[]> {
    return this.#playersIn(this.#keys.muted(player), MUTED)
  }

  async #putPlayer(
    keys: readonly string[],
    field: string,
    player: PlayerId,
    { isIn, limit }: { readonly isIn: boolean; readonly limit: number },
  ): Promise<boolean> {
    const args = [field, player, isIn ? '1' : '', limit]
    return (await this.#link.run(PLAYER_LIST, keys, args)) === 1
  }

  async #playersIn(hash: string, field: string): Promise<readonly PlayerId[]> {
    return playersOfList(maybeTextOf(await this.#link.send('HGET', hash, field)))
  }

  /** Of nodes that make it at once, one does. */
  async secret(name: string): Promise<Uint8Array> {
    const made = Buffer.from(this.#rng.bytes(32)).toString('hex')
    await this.#link.send('HSETNX', this.#keys.secrets, name, made)
    const kept = textOf(await this.#link.send('HGET', this.#keys.secrets, name))
    return new Uint8Array(Buffer.from(kept, 'hex'))
  }

  /** A beat: it is a write. */
  ping(): Promise<void> {
    return this.#heartbeat.now()
  }

  durability(): Promise<Durability> {
    return readDurability(this.#link)
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    await this.#heartbeat.stop()
    // Of a node that cannot tell, its end shows in time.
    if (!this.clock.stands) await this.presence.end().catch(() => {})
    await this.endNode()
    await this.#link.close()
    this.clock.stop()
  }

  /** The first members of a sorted set that each partition has. */
  #first(limit: number, order: Order, set: PartitionSet): Promise<readonly Ranked[]> {
    return firstOfAll(limit, order, async (partitions, count) => {
      const keys = this.#keys.partitions.filter(({ number }) => partitions.includes(number))
      const common = set.range(count)
      const answers = await this.#link.runOnEach(RANGE, keys.map(set.key), { common })
      return answers.map(rankedOf)
    })
  }

  /** A field of a hash of each room; null: it is there no longer. */
  async #texts(
    rooms: readonly RoomId[],
    fieldOf: (room: RoomId) => readonly [hash: string, field: string],
  ): Promise<readonly (string | null)[]> {
    const fields = rooms.map(fieldOf)
    const hashes = fields.map(([hash]) => hash)
    const own = fields.map(([, field]) => field)
    return (await this.#link.runOnEach(FIELD, hashes, { own })).map(maybeTextOf)
  }
}

/** Of the sorted set that each partition has: its key, and the arguments of ZRANGE for so many of its members. */
interface PartitionSet {
  readonly key: (keys: PartitionKeys) => string
  readonly range: (count: number) => readonly Argument[]
}
