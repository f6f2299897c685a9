import { MemoryStore } from '../../src/adapters/memory/memory-store.ts'
import {
  type AppendRequest,
  type AppendResult,
  type CommandId,
  type Hints,
  type PlayerId,
  type Quota,
  type Rng,
  type RoomId,
  type SeatList,
  type ServiceTime,
  type Store,
  StoreUnavailableError,
} from '../../src/ports.ts'
import type { Rate } from '../../src/rate-limit.ts'
import type { FakeClock } from './fake-clock.ts'
import type { Outage } from './flaky-store.ts'

/** A word for a node that has not been delivered. */
export interface Hint {
  readonly to: SharedNode
  deliver(): void
}

type Draft = readonly [RoomId, PlayerId, CommandId, string]

/**
 * One store that several nodes share, in memory: questions are answered one after the other, as Redis does it.
 * Hints come before the answer to what they are about, unless a test holds them back or loses them.
 */
export class SharedStore {
  readonly clock: FakeClock
  readonly truth: MemoryStore
  readonly nodes: SharedNode[] = []
  /** What becomes of hints: they are delivered at once, kept in `held`, or lost. */
  hints: 'told' | 'held' | 'lost' = 'told'
  readonly held: Hint[] = []
  readonly #logs = new Map<RoomId, AppendRequest[]>()
  readonly #drafts: Draft[] = []
  #turn: Promise<unknown> = Promise.resolve()

  constructor(parts: { readonly clock: FakeClock; readonly rng: Rng }) {
    const { clock } = parts
    this.clock = clock
    this.truth = new MemoryStore({ ...parts, now: () => clock.now() })
  }

  /** Another node's way to it. */
  node(): SharedNode {
    const node = new SharedNode(this)
    this.nodes.push(node)
    return node
  }

  /** Delivers what was held back, in the order that a test wants. */
  deliver(order: (hints: readonly Hint[]) => readonly Hint[] = (hints) => hints): void {
    for (const hint of order(this.held.splice(0))) hint.deliver()
  }

  /** A failover: of a room only so many entries are left, and of its drafts and commands what came with them. */
  cut(room: RoomId, version: number): Promise<void> {
    return this.inTurn(async () => {
      const log = this.#logs.get(room) ?? []
      this.#logs.set(room, log.slice(0, version))
      await this.truth.remove(room)
      for (const request of log.slice(0, version)) await this.truth.append(request)
      for (const draft of this.#drafts) if (draft[0] === room) await this.truth.saveDraft(...draft)
    })
  }

  /** Nobody else asks meanwhile. */
  inTurn<T>(job: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(job)
    this.#turn = done.catch(() => {})
    return done
  }

  async append(request: AppendRequest): Promise<AppendResult> {
    const { room, expectedVersion, previous, command } = request
    const log = this.#logs.get(room) ?? []
    const isBranch =
      log.length === expectedVersion && previous !== null && log.at(-1)?.data !== previous
    const known = command && (await this.truth.accepted(room, command.player, command.id))
    if (isBranch && known === null) return { type: 'conflict', version: log.length }
    const result = await this.truth.append(request)
    if (result.type !== 'appended') return result
    this.#logs.set(room, [...log, request])
    const { version } = result
    const told = { version, previous: previous ?? '', data: request.data }
    this.tellFollowers(room, (hints) => hints.roomChanged(room, version, told))
    return result
  }

  async remove(room: RoomId): Promise<void> {
    await this.truth.remove(room)
    this.#logs.delete(room)
    this.tellFollowers(room, (hints) => hints.roomGone(room))
  }

  async saveDraft(...draft: Draft): Promise<void> {
    const [room, player] = draft
    await this.truth.saveDraft(...draft)
    this.#drafts.push(draft)
    this.tellFollowers(room, (hints) => hints.draftSaved(room, player))
  }

  /** Also the node whose doing it is. */
  tellFollowers(room: RoomId, tell: (hints: Hints) => void): void {
    for (const node of this.nodes) if (node.followed.has(room)) this.tell(node, tell)
  }

  tell(to: SharedNode, tell: (hints: Hints) => void): void {
    const hint = { to, deliver: () => to.hear(tell) }
    if (this.hints === 'told') hint.deliver()
    else if (this.hints === 'held') this.held.push(hint)
  }
}

/** The shared store as one node has it: what it asks can fail, or wait, when a test says so. */
export class SharedNode implements Store {
  readonly isShared = true
  readonly clock: FakeClock
  readonly followed = new Set<RoomId>()
  readonly connected = new Set<PlayerId>()
  readonly onlookers = new Map<RoomId, string>()
  /** While true, nothing is answered. */
  isDown = false
  /** What is not answered otherwise. */
  readonly failing = new Set<keyof Store>()
  /** Questions and writes so far, by name. */
  readonly asked: (keyof Store)[] = []
  readonly #shared: SharedStore
  readonly #outages: Outage[] = []
  #hints: Hints | null = null
  #questions = new Gate()
  #answers = new Gate()

  constructor(shared: SharedStore) {
    this.#shared = shared
    this.clock = shared.clock
  }

  // What a test does

  /** The next appends fail so, one each. */
  failNext(...outages: readonly Outage[]): void {
    this.#outages.push(...outages)
  }

  /** What this node asks, all or one kind of it, does not reach the store until `release`. */
  holdQuestions(only: keyof Store | null = null): void {
    this.#questions.shut(only)
  }

  /** What the store answers does not reach this node until `release`. */
  holdAnswers(): void {
    this.#answers.shut(null)
  }

  release(): void {
    this.#questions.open()
    this.#answers.open()
  }

  /** Its process was killed: it asks no more, and after a while it is forgotten. */
  die(): void {
    this.isDown = true
    this.#hints = null
    this.followed.clear()
  }

  /** A hint. */
  hear(tell: (hints: Hints) => void): void {
    if (this.#hints !== null) tell(this.#hints)
  }

  // What the node asks

  append(request: AppendRequest): Promise<AppendResult> {
    const outage = this.#outages.shift()
    return this.#ask('append', async () => {
      if (outage === 'lost') throw new StoreUnavailableError('lost')
      const result = await this.#shared.append(request)
      if (outage === 'unanswered') throw new StoreUnavailableError('no answer')
      return result
    })
  }

  read(room: RoomId, after: number) {
    return this.#ask('read', () => this.#truth.read(room, after))
  }

  first(room: RoomId) {
    return this.#ask('first', () => this.#truth.first(room))
  }

  version(room: RoomId) {
    return this.#ask('version', () => this.#truth.version(room))
  }

  accepted(room: RoomId, player: PlayerId, id: CommandId) {
    return this.#ask('accepted', () => this.#truth.accepted(room, player, id))
  }

  due(now: ServiceTime, limit: number) {
    return this.#ask('due', () => this.#truth.due(now, limit))
  }

  nextDeadline() {
    return this.#ask('nextDeadline', () => this.#truth.nextDeadline())
  }

  lobby(limit: number) {
    return this.#ask('lobby', () => this.#truth.lobby(limit))
  }

  remove(room: RoomId) {
    return this.#ask('remove', () => this.#shared.remove(room))
  }

  markFailed(room: RoomId) {
    return this.#ask('markFailed', async () => {
      await this.#truth.markFailed(room)
      this.#shared.tellFollowers(room, (hints) => hints.roomGone(room))
    })
  }

  isFailed(room: RoomId) {
    return this.#ask('isFailed', () => this.#truth.isFailed(room))
  }

  outbox(limit: number) {
    return this.#ask('outbox', () => this.#truth.outbox(limit))
  }

  settle(room: RoomId) {
    return this.#ask('settle', () => this.#truth.settle(room))
  }

  saveDraft(...draft: Draft) {
    return this.#ask('saveDraft', () => this.#shared.saveDraft(...draft))
  }

  readDraft(room: RoomId, player: PlayerId) {
    return this.#ask('readDraft', () => this.#truth.readDraft(room, player))
  }

  acceptedDraft(room: RoomId, player: PlayerId, id: CommandId) {
    return this.#ask('acceptedDraft', () => this.#truth.acceptedDraft(room, player, id))
  }

  createPlayer(...player: Parameters<Store['createPlayer']>) {
    return this.#ask('createPlayer', () => this.#truth.createPlayer(...player))
  }

  renamePlayer(...renamed: Parameters<Store['renamePlayer']>) {
    return this.#ask('renamePlayer', () => this.#truth.renamePlayer(...renamed))
  }

  findPlayer(id: PlayerId) {
    return this.#ask('findPlayer', () => this.#truth.findPlayer(id))
  }

  keepBan(...banned: Parameters<Store['keepBan']>) {
    return this.#ask('keepBan', () => this.#truth.keepBan(...banned))
  }

  dropBan(player: PlayerId) {
    return this.#ask('dropBan', () => this.#truth.dropBan(player))
  }

  bans() {
    return this.#ask('bans', () => this.#truth.bans())
  }

  bots() {
    return this.#ask('bots', () => this.#truth.bots())
  }

  take(quota: Quota, key: string, rate: Rate) {
    return this.#ask('take', () => this.#truth.take(quota, key, rate))
  }

  countRoom(player: PlayerId, room: RoomId, limit: number) {
    return this.#ask('countRoom', () => this.#truth.countRoom(player, room, limit))
  }

  uncountRoom(player: PlayerId, room: RoomId) {
    return this.#ask('uncountRoom', () => this.#truth.uncountRoom(player, room))
  }

  noteSeat(...noted: Parameters<Store['noteSeat']>) {
    return this.#ask('noteSeat', () => this.#truth.noteSeat(...noted))
  }

  notedSeats(list: SeatList) {
    return this.#ask('notedSeats', () => this.#truth.notedSeats(list))
  }

  dropSeat(...dropped: Parameters<Store['dropSeat']>) {
    return this.#ask('dropSeat', () => this.#truth.dropSeat(...dropped))
  }

  rooms() {
    return this.#truth.rooms()
  }

  keptFormations(player: PlayerId) {
    return this.#ask('keptFormations', () => this.#truth.keptFormations(player))
  }

  keepFormation(...kept: Parameters<Store['keepFormation']>) {
    return this.#ask('keepFormation', () => this.#truth.keepFormation(...kept))
  }

  dropFormation(player: PlayerId, name: string) {
    return this.#ask('dropFormation', () => this.#truth.dropFormation(player, name))
  }

  keepLastFormation(...kept: Parameters<Store['keepLastFormation']>) {
    return this.#ask('keepLastFormation', () => this.#truth.keepLastFormation(...kept))
  }

  indexGame(...indexed: Parameters<Store['indexGame']>) {
    return this.#ask('indexGame', () => this.#truth.indexGame(...indexed))
  }

  findGame(room: RoomId) {
    return this.#ask('findGame', () => this.#truth.findGame(room))
  }

  listGames(...asked: Parameters<Store['listGames']>) {
    return this.#ask('listGames', () => this.#truth.listGames(...asked))
  }

  dropGame(room: RoomId) {
    return this.#ask('dropGame', () => this.#truth.dropGame(room))
  }

  enqueue(...asked: Parameters<Store['enqueue']>) {
    return this.#ask('enqueue', () => this.#truth.enqueue(...asked))
  }

  changeTicket(...asked: Parameters<Store['changeTicket']>) {
    return this.#ask('changeTicket', () => this.#truth.changeTicket(...asked))
  }

  dequeue(...asked: Parameters<Store['dequeue']>) {
    return this.#ask('dequeue', () => this.#truth.dequeue(...asked))
  }

  takeMatch(...asked: Parameters<Store['takeMatch']>) {
    return this.#ask('takeMatch', () => this.#truth.takeMatch(...asked))
  }

  settleMatch(...asked: Parameters<Store['settleMatch']>) {
    return this.#ask('settleMatch', () => this.#truth.settleMatch(...asked))
  }

  forgetMatch(...asked: Parameters<Store['forgetMatch']>) {
    return this.#ask('forgetMatch', () => this.#truth.forgetMatch(...asked))
  }

  readTicket(...asked: Parameters<Store['readTicket']>) {
    return this.#ask('readTicket', () => this.#truth.readTicket(...asked))
  }

  queuedOf(...asked: Parameters<Store['queuedOf']>) {
    return this.#ask('queuedOf', () => this.#truth.queuedOf(...asked))
  }

  readQueue() {
    return this.#ask('readQueue', () => this.#truth.readQueue())
  }

  keepSettlement(...asked: Parameters<Store['keepSettlement']>) {
    return this.#ask('keepSettlement', () => this.#truth.keepSettlement(...asked))
  }

  settlement(room: RoomId) {
    return this.#ask('settlement', () => this.#truth.settlement(room))
  }

  addOnce(...asked: Parameters<Store['addOnce']>) {
    return this.#ask('addOnce', () => this.#truth.addOnce(...asked))
  }

  forgetAdded(player: PlayerId, room: RoomId) {
    return this.#ask('forgetAdded', () => this.#truth.forgetAdded(player, room))
  }

  tally(player: PlayerId) {
    return this.#ask('tally', () => this.#truth.tally(player))
  }

  recentGames(...asked: Parameters<Store['recentGames']>) {
    return this.#ask('recentGames', () => this.#truth.recentGames(...asked))
  }

  placeOnBoard(...asked: Parameters<Store['placeOnBoard']>) {
    return this.#ask('placeOnBoard', () => this.#truth.placeOnBoard(...asked))
  }

  board(...asked: Parameters<Store['board']>) {
    return this.#ask('board', () => this.#truth.board(...asked))
  }

  async addChat(...said: Parameters<Store['addChat']>) {
    return this.#ask('addChat', async () => {
      const number = await this.#truth.addChat(...said)
      this.#shared.tellFollowers(said[0], (hints) => hints.chatSaid(said[0]))
      return number
    })
  }

  acceptedChat(room: RoomId, player: PlayerId, id: CommandId) {
    return this.#ask('acceptedChat', () => this.#truth.acceptedChat(room, player, id))
  }

  readChat(...asked: Parameters<Store['readChat']>) {
    return this.#ask('readChat', () => this.#truth.readChat(...asked))
  }

  setSilenced(...silenced: Parameters<Store['setSilenced']>) {
    return this.#ask('setSilenced', () => this.#truth.setSilenced(...silenced))
  }

  silencedIn(room: RoomId) {
    return this.#ask('silencedIn', () => this.#truth.silencedIn(room))
  }

  setMuted(...muted: Parameters<Store['setMuted']>) {
    return this.#ask('setMuted', () => this.#truth.setMuted(...muted))
  }

  mutedBy(player: PlayerId) {
    return this.#ask('mutedBy', () => this.#truth.mutedBy(player))
  }

  tellMuted(player: PlayerId): void {
    for (const node of this.#others()) this.#shared.tell(node, (hints) => hints.playerMuted(player))
  }

  shareOnlookers(room: RoomId, here: string | null, isNews: boolean) {
    return this.#ask('shareOnlookers', async () => {
      if (here === null) this.onlookers.delete(room)
      else this.onlookers.set(room, here)
      const others = this.#others()
      for (const node of isNews ? others : []) {
        if (node.followed.has(room))
          this.#shared.tell(node, (hints) => hints.onlookersChanged(room))
      }
      return others.flatMap(({ onlookers }) => onlookers.get(room) ?? [])
    })
  }

  secret(name: string) {
    return this.#ask('secret', () => this.#truth.secret(name))
  }

  ping() {
    return this.#ask('ping', () => this.#truth.ping())
  }

  async close(): Promise<void> {}

  /** A process begins, in the place of an earlier one. */
  listen(hints: Hints): void {
    this.#hints = hints
    this.followed.clear()
    this.connected.clear()
  }

  follow(room: RoomId): Promise<void> {
    return this.#ask('follow', async () => void this.followed.add(room))
  }

  unfollow(room: RoomId): void {
    this.followed.delete(room)
  }

  setConnected(player: PlayerId, isConnected: boolean): void {
    if (isConnected) this.connected.add(player)
    else this.connected.delete(player)
    for (const node of this.#others()) this.#shared.tell(node, (hints) => hints.playerSeen(player))
  }

  tellLobby(): void {
    for (const node of this.#others()) this.#shared.tell(node, (hints) => hints.lobbyChanged())
  }

  tellHandedOn(room: RoomId): void {
    for (const node of this.#others()) this.#shared.tell(node, (hints) => hints.gameHandedOn(room))
  }

  tellSeated(player: PlayerId, room: RoomId): void {
    for (const node of this.#others()) {
      this.#shared.tell(node, (hints) => hints.playerSeated(player, room))
    }
  }

  connectedElsewhere(players: readonly PlayerId[]): Promise<ReadonlySet<PlayerId>> {
    const isElsewhere = (player: PlayerId) =>
      this.#others().some(({ connected }) => connected.has(player))
    return this.#ask('connectedElsewhere', async () => new Set(players.filter(isElsewhere)))
  }

  get #truth(): MemoryStore {
    return this.#shared.truth
  }

  #others(): readonly SharedNode[] {
    return this.#shared.nodes.filter((node) => node !== this)
  }

  async #ask<T>(name: keyof Store, job: () => Promise<T>): Promise<T> {
    this.asked.push(name)
    await this.#questions.passed(name)
    if (this.isDown || this.failing.has(name)) throw new StoreUnavailableError('down')
    try {
      return await this.#shared.inTurn(job)
    } finally {
      await this.#answers.passed(name)
    }
  }
}

/** Lets nothing through while it is shut, or nothing of one kind. */
class Gate {
  #shut: Promise<void> | null = null
  #only: keyof Store | null = null
  #open = (): void => {}

  shut(only: keyof Store | null): void {
    this.#only = only
    this.#shut ??= new Promise((resolve) => {
      this.#open = resolve
    })
  }

  open(): void {
    this.#shut = null
    this.#open()
  }

  async passed(name: keyof Store): Promise<void> {
    if (this.#only === null || this.#only === name) await this.#shut
  }
}
