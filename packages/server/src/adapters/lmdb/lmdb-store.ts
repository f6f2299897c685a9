import { LIMITS, type Player } from '@junqi/protocol'
import {
  type AppendRequest,
  type AppendResult,
  type BoardLine,
  type ChatStream,
  type CommandId,
  type DueRoom,
  type IndexedGame,
  type KeptFormations,
  type LobbyEntry,
  LogDamagedError,
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
  StoreUnavailableError,
  type Tally,
  type TallyChange,
} from '../../ports.ts'
import type { Rate } from '../../rate-limit.ts'
import { Buckets } from '../buckets.ts'
import { ServiceClock } from '../service-clock.ts'
import { SingleNode } from '../single-node.ts'
import { decodeBot, decodePlayer, encodeBot, encodePlayer } from '../stored-player.ts'
import { listGames, readGame, removeGame, writeGame } from './archive-index.ts'
import { Batch, type Reader, type Tree } from './batch.ts'
import { addChat, hasChatId, playersOf, readChat, withPlayer } from './chat.ts'
import {
  decodeDraft,
  decodeEnd,
  decodeRooms,
  decodeSeats,
  encodeDraft,
  encodeEnd,
  encodeHead,
  encodeRooms,
  encodeSeats,
  HEAD_WINDOW,
  type Head,
  isLive,
  KEYS,
  roomOfKey,
} from './codec.ts'
import { readFormations, writeFormations } from './formations.ts'
import { GroupCommit } from './group-commit.ts'
import { backwards, type Command, commandsOf, entryAt, isBy, readAfter } from './log.ts'
import { queueIn, queueOf, readQueue } from './queue.ts'
import { RecentCommands } from './recent-commands.ts'
import {
  addOnce,
  keepSettlement,
  placeOnBoard,
  readBoard,
  readTally,
  recentGames,
} from './scores.ts'
import { Standing } from './standing.ts'

/** How often service time is stored when nothing else is, and the data file looked for. */
const BEAT = 1_000
/** Rooms that are gone through in one look. */
const ROOMS_AT_ONCE = 1_000

export interface LmdbStoreParts {
  readonly tree: Tree
  readonly rng: Rng
  /** Gives the data folder back. */
  readonly release: () => Promise<void>
  /** Called when the data file is no longer where it was. */
  readonly lost?: () => void
  readonly headWindow?: number
}

/** The durable store of a single process: an LMDB file that no other process may open. */
export class LmdbStore extends SingleNode implements Store {
  readonly clock: ServiceClock
  readonly #parts: LmdbStoreParts
  readonly #standing: Standing
  readonly #recents: RecentCommands
  readonly #commits: GroupCommit<Batch>
  readonly #buckets = new Buckets()
  #beat: NodeJS.Timeout
  #isInPlace = true
  #isOpen = true

  constructor(parts: LmdbStoreParts) {
    super()
    const { tree } = parts
    this.#parts = parts
    this.#standing = new Standing(tree, parts.headWindow ?? HEAD_WINDOW)
    this.#recents = new RecentCommands((room) => commandsOf(tree, this.#standing.head(room)))
    this.clock = new ServiceClock(Number(tree.get(KEYS.clock) ?? 0))
    this.#commits = new GroupCommit<Batch>({
      begin: () => new Batch(tree, this.#standing.next),
      commit: (batch) => this.#commit(batch),
      committed: (batch) => this.#adopt(batch),
      failed: () => this.clock.stop(),
    })
    this.#beat = this.#nextBeat()
  }

  append(request: AppendRequest): Promise<AppendResult> {
    return this.#commits.submit((batch) => this.#append(batch, request))
  }

  read(room: RoomId, after: number): Promise<readonly StoredEntry[]> {
    return this.#look((tree) => readAfter(tree, this.#standing.head(room), after))
  }

  first(room: RoomId): Promise<StoredEntry | null> {
    return this.#look((tree) => {
      const head = this.#standing.head(room)
      return head === null ? null : (entryAt(tree, head.first)?.stored ?? null)
    })
  }

  version(room: RoomId): Promise<number> {
    return this.#look(() => this.#standing.head(room)?.version ?? 0)
  }

  accepted(room: RoomId, player: PlayerId, id: CommandId): Promise<StoredEntry | null> {
    return this.#look((tree) => this.#findCommand(tree, room, { player, id }))
  }

  due(now: ServiceTime, limit: number): Promise<readonly DueRoom[]> {
    return this.#look(() => this.#standing.due(now, limit))
  }

  nextDeadline(): Promise<ServiceTime | null> {
    return this.#look(() => this.#standing.nextDeadline())
  }

  lobby(limit: number): Promise<readonly { readonly room: RoomId; readonly entry: LobbyEntry }[]> {
    return this.#look(() => this.#standing.lobby(limit))
  }

  remove(room: RoomId): Promise<void> {
    return this.#commits.submit((batch) => {
      const entries = [...backwards(batch, this.#head(batch, room))]
      for (const { sequence } of entries) batch.remove(KEYS.entry(sequence))
      for (const key of [KEYS.live, KEYS.archived, KEYS.lobby, KEYS.failed, KEYS.settlement])
        batch.remove(key(room))
      batch.removeAll(KEYS.drafts(room))
      batch.removeAll(KEYS.chat(room))
      batch.heads.set(room, null)
      batch.failures.set(room, false)
    })
  }

  markFailed(room: RoomId): Promise<void> {
    return this.#commits.submit((batch) => {
      batch.put(KEYS.failed(room), '-')
      batch.heads.set(room, this.#head(batch, room))
      batch.failures.set(room, true)
    })
  }

  isFailed(room: RoomId): Promise<boolean> {
    return this.#look(() => this.#standing.isFailed(room))
  }

  /** Without those whose commit is in the file and not adopted yet: read now, the log would not tell of the end (F-C7). */
  outbox(limit: number): Promise<readonly { readonly room: RoomId; readonly ended: string }[]> {
    return this.#look((tree) =>
      [...tree.range('O')]
        .map(({ key, value }) => ({ room: roomOfKey(key), ...decodeEnd(value) }))
        .filter(({ sequence }) => sequence < this.#standing.next)
        .sort((a, b) => a.sequence - b.sequence)
        .slice(0, limit)
        .map(({ room, ended }) => ({ room, ended })),
    )
  }

  async *rooms(): AsyncIterable<RoomId> {
    let last: RoomId | null = null
    for (;;) {
      const rooms: readonly RoomId[] = await this.#look((tree) => archivedAfter(tree, last))
      yield* rooms
      last = rooms.at(-1) ?? null
      if (last === null) return
    }
  }

  settle(room: RoomId): Promise<void> {
    return this.#commits.submit((batch) => batch.remove(KEYS.outbox(room)))
  }

  saveDraft(room: RoomId, player: PlayerId, id: CommandId, formation: string): Promise<void> {
    return this.#commits.submit((batch) => {
      const key = KEYS.draft(room, player)
      const text = batch.get(key)
      const accepted = text === undefined ? [] : decodeDraft(text).accepted
      if (accepted.includes(id)) return
      const remembered = [...accepted, id].slice(-LIMITS.rememberedCommands)
      batch.put(key, encodeDraft({ accepted: remembered, formation }))
    })
  }

  readDraft(room: RoomId, player: PlayerId): Promise<string | null> {
    return this.#look((tree) => {
      const text = tree.get(KEYS.draft(room, player))
      return text === undefined ? null : decodeDraft(text).formation
    })
  }

  acceptedDraft(room: RoomId, player: PlayerId, id: CommandId): Promise<boolean> {
    return this.#look((tree) => {
      const text = tree.get(KEYS.draft(room, player))
      return text !== undefined && decodeDraft(text).accepted.includes(id)
    })
  }

  createPlayer(player: PlayerRecord): Promise<void> {
    return this.#commits.submit((batch) => {
      const key = KEYS.player(player.id)
      if (batch.get(key) !== undefined) return
      batch.put(key, encodePlayer(player))
      if (player.bot !== undefined) batch.put(KEYS.bot(player.id), encodeBot(player))
    })
  }

  renamePlayer(id: PlayerId, name: string): Promise<void> {
    return this.#commits.submit((batch) => {
      const text = batch.get(KEYS.player(id))
      if (text === undefined) return
      batch.put(KEYS.player(id), encodePlayer({ ...decodePlayer(id, text), name }))
    })
  }

  findPlayer(id: PlayerId): Promise<PlayerRecord | null> {
    return this.#look((tree) => {
      const text = tree.get(KEYS.player(id))
      return text === undefined ? null : decodePlayer(id, text)
    })
  }

  keepBan(player: PlayerId, ban: string): Promise<void> {
    return this.#commits.submit((batch) => batch.put(KEYS.ban(player), ban))
  }

  dropBan(player: PlayerId): Promise<boolean> {
    return this.#commits.submit((batch) => {
      if (batch.get(KEYS.ban(player)) === undefined) return false
      batch.remove(KEYS.ban(player))
      return true
    })
  }

  bans(): Promise<ReadonlyMap<PlayerId, string>> {
    return this.#look(
      (tree) =>
        new Map([...tree.range('X')].map(({ key, value }) => [key.slice(1) as PlayerId, value])),
    )
  }

  bots(): Promise<readonly Player[]> {
    return this.#look((tree) =>
      [...tree.range('N')].map(({ key, value }) => decodeBot(key.slice(1) as PlayerId, value)),
    )
  }

  async take(quota: Quota, key: string, rate: Rate): Promise<number> {
    return this.#buckets.take(quota, key, rate)
  }

  countRoom(player: PlayerId, room: RoomId, limit: number): Promise<readonly RoomId[]> {
    return this.#commits.submit((batch) => {
      const counted = decodeRooms(batch.get(KEYS.counted(player)))
      if (counted.includes(room) || counted.length >= limit) return counted
      const more = [...counted, room]
      batch.put(KEYS.counted(player), encodeRooms(more))
      return more
    })
  }

  uncountRoom(player: PlayerId, room: RoomId): Promise<void> {
    return this.#commits.submit((batch) => {
      const counted = decodeRooms(batch.get(KEYS.counted(player)))
      const fewer = counted.filter((other) => other !== room)
      if (fewer.length === 0 && counted.length > 0) batch.remove(KEYS.counted(player))
      else if (fewer.length < counted.length) batch.put(KEYS.counted(player), encodeRooms(fewer))
    })
  }

  noteSeat(list: SeatList, room: RoomId, version: number, limit: number): Promise<boolean> {
    return this.#commits.submit((batch) => {
      const noted = decodeSeats(batch.get(KEYS.seats(list)))
      const known = noted.get(room)
      if (known === undefined && noted.size >= limit) return false
      if (known !== undefined && known >= version) return true
      batch.put(KEYS.seats(list), encodeSeats(new Map([...noted, [room, version]])))
      return true
    })
  }

  notedSeats(list: SeatList): Promise<ReadonlyMap<RoomId, number>> {
    return this.#look((tree) => decodeSeats(tree.get(KEYS.seats(list))))
  }

  dropSeat(list: SeatList, room: RoomId, version: number): Promise<void> {
    return this.#commits.submit((batch) => {
      const noted = new Map(decodeSeats(batch.get(KEYS.seats(list))))
      if ((noted.get(room) ?? Number.POSITIVE_INFINITY) > version) return
      noted.delete(room)
      if (noted.size === 0) batch.remove(KEYS.seats(list))
      else batch.put(KEYS.seats(list), encodeSeats(noted))
    })
  }

  keptFormations(player: PlayerId): Promise<KeptFormations> {
    return this.#look((tree) => readFormations(tree, player))
  }

  keepFormation(
    player: PlayerId,
    { name, formation }: { readonly name: string; readonly formation: string },
    limit: number,
  ): Promise<boolean> {
    return this.#commits.submit((batch) => {
      const { named, last } = readFormations(batch, player)
      if (!named.has(name) && named.size >= limit) return false
      writeFormations(batch, player, { named: new Map([...named, [name, formation]]), last })
      return true
    })
  }

  dropFormation(player: PlayerId, name: string): Promise<boolean> {
    return this.#commits.submit((batch) => {
      const { named, last } = readFormations(batch, player)
      const others = new Map([...named].filter(([other]) => other !== name))
      if (others.size < named.size) writeFormations(batch, player, { named: others, last })
      return others.size < named.size
    })
  }

  keepLastFormation(player: PlayerId, preset: string, formation: string): Promise<void> {
    return this.#commits.submit((batch) => {
      const { named, last } = readFormations(batch, player)
      writeFormations(batch, player, { named, last: new Map([...last, [preset, formation]]) })
    })
  }

  indexGame(game: IndexedGame): Promise<void> {
    return this.#commits.submit((batch) => writeGame(batch, game))
  }

  findGame(room: RoomId): Promise<IndexedGame | null> {
    return this.#look((tree) => readGame(tree, room))
  }

  listGames(list: string, after: string, limit: number) {
    return this.#look((tree) => listGames(tree, { list, after }, limit))
  }

  dropGame(room: RoomId): Promise<void> {
    return this.#commits.submit((batch) => removeGame(batch, room))
  }

  enqueue(ticket: QueueRecord) {
    return this.#commits.submit((batch) => queueIn(batch).enqueue(ticket))
  }

  changeTicket(ticket: QueueRecord, before: string) {
    return this.#commits.submit((batch) => queueIn(batch).changeTicket(ticket, before))
  }

  dequeue(id: string) {
    return this.#commits.submit((batch) => queueIn(batch).dequeue(id))
  }

  takeMatch(match: QueueRecord, tickets: readonly string[]) {
    return this.#commits.submit((batch) => queueIn(batch).takeMatch(match, tickets))
  }

  settleMatch(match: QueueRecord) {
    return this.#commits.submit((batch) => queueIn(batch).settleMatch(match))
  }

  forgetMatch(id: string) {
    return this.#commits.submit((batch) => queueIn(batch).forgetMatch(id))
  }

  readTicket(id: string) {
    return this.#look((tree) => queueOf(tree).readTicket(id))
  }

  queuedOf(player: PlayerId) {
    return this.#look((tree) => queueOf(tree).queuedOf(player))
  }

  readQueue() {
    return this.#look(readQueue)
  }

  keepSettlement(room: RoomId, settlement: string): Promise<string> {
    return this.#commits.submit((batch) => keepSettlement(batch, room, settlement))
  }

  settlement(room: RoomId): Promise<string | null> {
    return this.#look((tree) => tree.get(KEYS.settlement(room)) ?? null)
  }

  addOnce(player: PlayerId, room: RoomId, change: TallyChange): Promise<Tally> {
    return this.#commits.submit((batch) => addOnce(batch, { player, room }, change))
  }

  forgetAdded(player: PlayerId, room: RoomId): Promise<void> {
    return this.#commits.submit((batch) => batch.remove(KEYS.added(player, room)))
  }

  tally(player: PlayerId): Promise<Tally> {
    return this.#look((tree) => readTally(tree, player))
  }

  recentGames(player: PlayerId, limit: number): Promise<readonly string[]> {
    return this.#look((tree) => recentGames(tree, player, limit))
  }

  placeOnBoard(board: string, revision: number, placed: BoardLine): Promise<void> {
    return this.#commits.submit((batch) => placeOnBoard(batch, { board, revision }, placed))
  }

  board(board: string, after: string, limit: number): Promise<readonly BoardLine[]> {
    return this.#look((tree) => readBoard(tree, { board, after }, limit))
  }

  addChat(
    room: RoomId,
    stream: ChatStream,
    line: { readonly player: PlayerId; readonly id: CommandId; readonly data: string },
  ): Promise<number | null> {
    return this.#commits.submit((batch) =>
      this.#head(batch, room) === null ? null : addChat(batch, room, stream, line),
    )
  }

  acceptedChat(room: RoomId, player: PlayerId, id: CommandId): Promise<boolean> {
    return this.#look((tree) => hasChatId(tree, room, player, id))
  }

  readChat(
    room: RoomId,
    streams: readonly (ChatStream & { readonly after: number })[],
  ): Promise<readonly (readonly StoredChat[])[]> {
    return this.#look((tree) => streams.map((stream) => readChat(tree, room, stream)))
  }

  setSilenced(
    room: RoomId,
    player: PlayerId,
    silenced: { readonly isIn: boolean; readonly limit: number },
  ): Promise<boolean> {
    return this.#commits.submit((batch) =>
      this.#head(batch, room) === null
        ? true
        : putPlayer(batch, KEYS.silenced(room), player, silenced),
    )
  }

  silencedIn(room: RoomId): Promise<readonly PlayerId[]> {
    return this.#look((tree) => playersOf(tree.get(KEYS.silenced(room))))
  }

  setMuted(
    player: PlayerId,
    other: PlayerId,
    muted: { readonly isIn: boolean; readonly limit: number },
  ): Promise<boolean> {
    return this.#commits.submit((batch) => putPlayer(batch, KEYS.muted(player), other, muted))
  }

  mutedBy(player: PlayerId): Promise<readonly PlayerId[]> {
    return this.#look((tree) => playersOf(tree.get(KEYS.muted(player))))
  }

  secret(name: string): Promise<Uint8Array> {
    return this.#commits.submit((batch) => {
      const key = KEYS.secret(name)
      const hex = batch.get(key) ?? Buffer.from(this.#parts.rng.bytes(32)).toString('hex')
      if (batch.get(key) === undefined) batch.put(key, hex)
      return new Uint8Array(Buffer.from(hex, 'hex'))
    })
  }

  /** The last beat tells: it is a write. */
  ping(): Promise<void> {
    return this.#look(() => {
      if (this.clock.stands) throw new Error('the last write failed')
    })
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return
    clearTimeout(this.#beat)
    this.#storeTime()
    const ended = await this.#commits.close()
    this.#isOpen = false
    if (ended) await this.#parts.tree.close()
    await this.#parts.release()
  }

  #append(batch: Batch, request: AppendRequest): AppendResult {
    const { room, command, data, deadline, lobby, ended } = request
    const before = this.#head(batch, room)
    const accepted = command && this.#versionOf(batch, room, command)
    if (accepted !== null) return { type: 'duplicate', version: accepted }
    const current = before?.version ?? 0
    if (current !== request.expectedVersion) return { type: 'conflict', version: current }

    const version = current + 1
    const sequence = batch.next
    batch.append({ room, version, previous: before?.last ?? 0, deadline, command }, data)
    const first = before?.first ?? sequence
    writeHead(batch, room, { before, after: { version, last: sequence, first, deadline, lobby } })
    if (ended !== null) batch.put(KEYS.outbox(room), encodeEnd(sequence, ended))
    return { type: 'appended', version }
  }

  #head(batch: Batch, room: RoomId): Head | null {
    const changed = batch.heads.get(room)
    return changed === undefined ? this.#standing.head(room) : changed
  }

  /** Of the commands of this batch nothing is remembered yet. */
  #versionOf(batch: Batch, room: RoomId, command: Command): number | null {
    const here = batch.heads.has(room) && batch.entries.find((entry) => isBy(entry, room, command))
    return here ? here.version : (this.#findCommand(batch, room, command)?.version ?? null)
  }

  #findCommand(reader: Reader, room: RoomId, command: Command): StoredEntry | null {
    for (const sequence of this.#recents.placesOf(room, command)) {
      const found = entryAt(reader, sequence)
      if (found !== null && isBy(found.header, room, command)) return found.stored
    }
    return null
  }

  async #commit(batch: Batch): Promise<void> {
    if (batch.writes.size === 0) return
    if (!this.#isInPlace) throw new Error('the data file is gone')
    this.#standing.save(batch)
    batch.put(KEYS.clock, String(this.clock.now()))
    await this.#parts.tree.write(batch.writes)
    this.clock.resume()
  }

  #adopt(batch: Batch): void {
    for (const [n, { room, command }] of batch.entries.entries()) {
      if (!this.#standing.isKept(room)) this.#recents.forget(room)
      else if (command !== null) this.#recents.add(room, { ...command, sequence: batch.start + n })
    }
    this.#standing.adopt(batch)
  }

  #nextBeat(): NodeJS.Timeout {
    return setTimeout(async () => {
      await this.#findFile()
      this.#storeTime()
      if (this.#isOpen) this.#beat = this.#nextBeat()
    }, BEAT).unref()
  }

  /** While the file is not in its place nothing is written. */
  async #findFile(): Promise<void> {
    const isInPlace = await this.#parts.tree.isInPlace()
    if (this.#isInPlace && !isInPlace) this.#parts.lost?.()
    this.#isInPlace = isInPlace
  }

  /** That it fails is seen by the clock and by whoever asks. */
  #storeTime(): void {
    const beat = this.#commits.submit((batch) => batch.put(KEYS.clock, String(this.clock.now())))
    beat.catch(() => {})
  }

  /** A look at what is committed. */
  async #look<Answer>(look: (tree: Tree) => Answer): Promise<Answer> {
    try {
      if (!this.#isOpen) throw new Error('it is closed')
      return look(this.#parts.tree)
    } catch (cause) {
      if (cause instanceof LogDamagedError) throw cause
      throw new StoreUnavailableError('The store could not be read', { cause })
    }
  }
}

/** Some rooms that wait for nothing, in the order of their ids, so that no look takes long. */
function archivedAfter(tree: Tree, last: RoomId | null): readonly RoomId[] {
  const rooms: RoomId[] = []
  for (const { key } of tree.range(KEYS.archived((last ?? '') as RoomId))) {
    const room = roomOfKey(key)
    if (room !== last) rooms.push(room)
    if (rooms.length >= ROOMS_AT_ONCE) break
  }
  return rooms
}

/** Puts a player into a list, or takes it out; false: there is no place for it. */
function putPlayer(
  batch: Batch,
  key: string,
  player: PlayerId,
  change: { readonly isIn: boolean; readonly limit: number },
): boolean {
  const players = withPlayer(batch.get(key), player, change)
  if (players === null) return false
  if (players.length > 0) batch.put(key, players.join(' '))
  else if (batch.get(key) !== undefined) batch.remove(key)
  return true
}

/** Writes what changes, besides its log, with where a room stands (codec.ts). */
function writeHead(
  batch: Batch,
  room: RoomId,
  { before, after }: { readonly before: Head | null; readonly after: Head },
): void {
  const wasLive = before !== null && isLive(before)
  if (!isLive(after)) {
    batch.put(KEYS.archived(room), encodeHead(after))
    if (wasLive) batch.remove(KEYS.live(room))
  } else if (before !== null && !wasLive) {
    batch.put(KEYS.live(room), encodeHead(after))
    batch.remove(KEYS.archived(room))
  }
  if (after.lobby === null && before !== null && before.lobby !== null)
    batch.remove(KEYS.lobby(room))
  else if (after.lobby !== null && after.lobby !== before?.lobby) {
    batch.put(KEYS.lobby(room), after.lobby)
  }
  batch.heads.set(room, after)
}
