import {
  InvariantError,
  invariant,
  type Layout,
  ok,
  type RequestedRules,
  type Result,
  shuffledLayout,
} from '@junqi/engine'
import {
  type BotLevel,
  type CommandId,
  LIMITS,
  type ListedRoom,
  type Player,
  type PlayerId,
  type RoomId,
  type RoomView,
  type Spectators,
} from '@junqi/protocol'
import type { EndConsumer } from '../outbox/consumer.ts'
import { DRAIN_ALONE, drainAmongOthers } from '../outbox/drain-turns.ts'
import { OutboxDrain } from '../outbox/outbox-drain.ts'
import type { StoredEntry } from '../ports.ts'
import { QuickPlay } from '../quick-play/quick-play.ts'
import { strengthOf } from '../quick-play/strength.ts'
import type { Match } from '../quick-play/ticket.ts'
import type { Rate } from '../rate-limit.ts'
import { RoomRouter } from '../socket/router.ts'
import type { Router } from '../socket/session.ts'
import { atMost } from './at-most.ts'
import { BotBench } from './bot-bench.ts'
import { type Refusal, refuse, tooMany } from './decision.ts'
import { traceOf } from './fault-log.ts'
import { Hosting, ROOMS_PER_HOST } from './hosting.ts'
import { listingOf } from './listing.ts'
import { beginning, roomRules } from './lobby.ts'
import { encodeEntry, type LogEntry, parseEntry } from './log-entry.ts'
import { type RegistryDeps, RoomRegistry } from './registry.ts'
import type { Outcome, Request } from './request.ts'
import type { RoomActor } from './room-actor.ts'
import type { Chance, DealtChance } from './room-command.ts'
import type { RoomCreated, RoomEvent } from './room-event.ts'
import { deriveRoomId, makeInvitation } from './room-ids.ts'
import { decideRoom, evolveRoom } from './room-reducer.ts'
import { hasLeft, maySee, nextHost, type RoomState, seated, seatOf } from './room-state.ts'
import { type RoomSummary, summaryOf } from './room-summary.ts'
import { drawSalts } from './sealing.ts'
import type { SeatHolder } from './seats.ts'
import { watchOf } from './spectating.ts'

/** Rooms in which one bot may sit, where the deployer says nothing. */
const BOT_GAMES = 8
/** Rooms of which is read at once what is told of them. */
const SUMMED_AT_ONCE = 16
/** How often another bot is looked for, because others were faster. */
const BOTS_TRIED = 8
/** Ids tried: two rooms with one id are as good as impossible. */
const IDS = 8

export type CreateRequest = RequestedRules & {
  readonly private: boolean
  /** Left out: everyone, at once. */
  readonly spectators?: Spectators | undefined
}

export interface CreatedRoom {
  readonly room: RoomId
  readonly version: number
}

export interface ServiceDeps extends Omit<RegistryDeps, 'ended' | 'botGames'> {
  /** Rooms that one player may make, over whichever node. */
  readonly newRooms: Rate
  /** Rooms in which one bot may sit, never more than its connection may watch; else as many as it can with ease. */
  readonly botGames?: number
  /** Who takes games over when they have ended. */
  readonly consumers: readonly EndConsumer[]
  /** Milliseconds since 1970: for dates that people read, and for nothing that is decided. */
  readonly date: () => number
  /** Deals the pieces of a flip game; not given: each game is shuffled anew (R-FLIP-1). */
  readonly deal?: (() => Layout) | undefined
}

/** Reads what the rooms of a store need, and makes their service. */
export async function makeRooms(deps: ServiceDeps): Promise<RoomService> {
  return new RoomService(deps, await deps.store.secret('room ids'))
}

/** The rooms of a node, for sockets and HTTP. */
export class RoomService {
  readonly router: Router
  readonly #deps: ServiceDeps
  readonly #registry: RoomRegistry
  readonly #hosting: Hosting
  readonly #drain: OutboxDrain
  readonly #secret: Uint8Array
  readonly #bench: BotBench
  readonly #quickPlay: QuickPlay

  constructor(deps: ServiceDeps, secret: Uint8Array) {
    this.#deps = deps
    this.#secret = secret
    const { store, rng } = deps
    const turns = store.isShared ? drainAmongOthers(rng) : DRAIN_ALONE
    this.#drain = new OutboxDrain({ ...deps, turns, done: (room) => this.#handedOn(room) })
    this.#registry = new RoomRegistry({
      ...deps,
      botGames: Math.min(deps.botGames ?? BOT_GAMES, LIMITS.subscriptions),
      ended: (room) => this.#drain.ended(room),
    })
    this.#hosting = new Hosting({
      store: deps.store,
      open: (room) => this.#registry.open(room),
    })
    this.#bench = new BotBench({
      store: deps.store,
      seats: this.#registry.seats,
      connected: (players) => this.#registry.connectedOf(players),
    })
    this.#quickPlay = new QuickPlay({
      store: deps.store,
      rng: deps.rng,
      ratingOf: (player, preset) => strengthOf(deps.store, player, preset),
      hasPlaceFor: (player) => this.#registry.seats.makePlaceFor({ whose: 'own', player }, null),
      takeSeats: (match) => this.#takeSeats(match),
      seat: (match) => this.#seatMatch(match),
      findBots: (level, count) => this.#bench.findSome(level, count),
      connected: (players) => this.#registry.connectedOf(players),
      random: () => deps.rng.random(),
      fault: (error) => deps.log.error(traceOf(error), 'quick play fault'),
    })
    this.router = new RoomRouter({
      registry: this.#registry,
      service: this,
      quickPlay: this.#quickPlay,
      chance: () => this.#chance(),
      dealtChance: () => this.#dealtChance(),
      fault: (error) => deps.log.error(traceOf(error), 'message fault'),
    })
  }

  #chance(): Chance {
    const { rng } = this.#deps
    return { random: rng.random(), salts: drawSalts(rng) }
  }

  #dealtChance(): DealtChance {
    const { rng, deal } = this.#deps
    const layout = deal === undefined ? shuffledLayout(() => rng.random()) : deal()
    return { ...this.#chance(), layout }
  }

  #handedOn(room: RoomId): void {
    this.#registry.gameHandedOn(room)
    this.#deps.store.tellHandedOn(room)
  }

  /** Wakes rooms whose time has come, until `stop`. */
  async start(): Promise<void> {
    await this.#registry.start()
    this.#drain.start()
    await this.#quickPlay.start()
  }

  /** Resolves when every append in hand is durable. */
  async stop(): Promise<void> {
    await this.#quickPlay.stop()
    await this.#drain.stop()
    await this.#registry.stop()
  }

  /** Rooms in memory. */
  get size(): number {
    return this.#registry.size
  }

  /** Whether the player sits in a game that is being played, and is still in. */
  isPlaying({ id }: Player): boolean {
    return [...this.#registry.roomsOf(id)].some(({ state }) => {
      const seat = seatOf(state, id)
      const isOn = state.phase === 'playing' && !state.closed
      return seat !== null && isOn && state.game?.seats[seat]?.out === null
    })
  }

  /** The same player and id make the same room, and what was made already is no more counted. */
  async createRoom(
    player: Player,
    request: CreateRequest,
    id: CommandId,
  ): Promise<Result<CreatedRoom, Refusal>> {
    const asked: Asked = {
      origin: `room ${player.id} ${id}`,
      player: player.id,
      command: id,
      rematchOf: null,
      match: null,
      askers: [],
      limit: ROOMS_PER_HOST,
    }
    const known = await this.#find(asked)
    if (known !== null) return ok({ room: known, version: 1 })
    const rules = roomRules(request)
    if (!rules.ok) return rules
    const { store, newRooms } = this.#deps
    const waitMs = await store.take('rooms', player.id, newRooms)
    if (waitMs > 0) return tooMany(waitMs)
    const created: RoomCreated = {
      type: 'roomCreated',
      host: player,
      rules: rules.value,
      invitation: request.private ? makeInvitation(this.#deps.rng) : null,
      members: request.private ? [player.id] : [],
      seats: [],
      rematchOf: null,
      ...(request.spectators !== undefined && { spectators: request.spectators }),
    }
    const room = await this.#make([created], asked)
    return room === null ? refuse('too_many_rooms') : ok({ room, version: 1 })
  }

  /** Takes a seat, unless the player has as many as it may have. Notes of seats that it has no more are dropped first. */
  async sit(actor: RoomActor, request: Request): Promise<Outcome> {
    const { player } = request
    if (seatOf(actor.state, player.id) === null) {
      await this.#registry.seats.makePlaceFor({ whose: 'own', player }, actor.room)
    }
    return actor.submit(request)
  }

  /** Seats a bot that is free. Whether the host may have one is decided first, and once more with each bot that is tried. */
  async addBot(actor: RoomActor, request: Request, level: BotLevel): Promise<Outcome> {
    const { action, player } = request
    invariant(action.type === 'addBot', 'a bot is added by addBot')
    await actor.refresh()
    const at = this.#deps.store.clock.now()
    const decided = decideRoom(actor.state, { ...request, ...action, at })
    const isWanted = !decided.ok && decided.error.code === 'no_bot_available'
    if (!isWanted) return actor.submit(request)
    await this.#registry.seats.makePlaceFor({ whose: 'bots', player }, actor.room)
    for (let tried = 0; ; tried++) {
      const bot = tried < BOTS_TRIED ? await this.#bench.find(level, actor.state) : null
      const outcome = await actor.submit({ ...request, action: { ...action, bot } })
      const isGone = !outcome.ok && outcome.error.code === 'no_bot_available'
      if (bot === null || !isGone) return outcome
    }
  }

  /** Where the player sits, in games that have not ended. */
  seatsOf(player: Player): Promise<readonly RoomId[]> {
    return this.#registry.seats.roomsOf(player.id)
  }

  /** Public rooms that have not ended, the newest first: as whoever watches the lobby without filters has them. */
  listRooms(): Promise<readonly ListedRoom[]> {
    return this.#registry.lobby.list()
  }

  /** As the player sees it, or a spectator; null: no such room, or not for this viewer. */
  async publicRoom(room: RoomId, player: Player | null): Promise<RoomView | null> {
    const actor = await this.#registry.open(room)
    return actor === null ? null : actor.view(player?.id ?? null)
  }

  /** Whether `publicRoom` shows the room: to look costs less than to see. */
  async isShown(room: RoomId, player: Player | null): Promise<boolean> {
    const actor = await this.#registry.open(room)
    return (await actor?.isShown(player?.id ?? null)) ?? false
  }

  /** Why a room that `publicRoom` does not show is not shown. */
  async whyUnseen(
    room: RoomId,
    player: Player | null,
  ): Promise<'no_spectators' | 'room_not_found'> {
    const actor = await this.#registry.open(room)
    if (actor === null) return 'room_not_found'
    actor.rest()
    const { state, hasFailed } = actor
    const id = player?.id ?? null
    const isHidden = hasFailed || !maySee(state, id) || watchOf(state, id) !== 'none'
    return isHidden ? 'room_not_found' : 'no_spectators'
  }

  /** What who runs the server is told of live rooms, those first in which something is due first. */
  async summaries(limit: number): Promise<readonly RoomSummary[]> {
    const live = await this.#deps.store.due(Number.MAX_SAFE_INTEGER, limit)
    const told = new Map<RoomId, RoomSummary>()
    await atMost(SUMMED_AT_ONCE, live, async ({ room }) => {
      const summary = await this.#summaryOf(room, (actor) => actor)
      if (summary !== null) told.set(room, summary)
    })
    return live.flatMap(({ room }) => told.get(room) ?? [])
  }

  /** The same of one room, live or over; null: there is none. */
  summary(room: RoomId): Promise<RoomSummary | null> {
    return this.#summaryOf(room, async (actor) => {
      if (!actor.hasFailed) await actor.refresh()
      return actor
    })
  }

  async #summaryOf(
    room: RoomId,
    ready: (actor: RoomActor) => RoomActor | Promise<RoomActor>,
  ): Promise<RoomSummary | null> {
    const actor = await this.#registry.open(room)
    if (actor === null) return null
    try {
      const { state, hasFailed } = await ready(actor)
      const isConnected = (player: PlayerId) => this.#registry.isConnected(player)
      return summaryOf(room, state, { hasFailed, isConnected })
    } finally {
      actor.rest()
    }
  }

  /** Closes a room for good, unless its game has ended (R-ROOM-6); null: there is none. */
  async closeRoom(room: RoomId): Promise<Outcome | null> {
    const actor = await this.#registry.open(room)
    return actor === null ? null : actor.close()
  }

  /** The room is not in the store any more. */
  removed(room: RoomId): void {
    this.#registry.roomGone(room)
  }

  /**
   * Makes the room of the next game, which is there before the old one names it. Asked for twice it is one room, unless that
   * has closed meanwhile.
   */
  async rematch(actor: RoomActor, request: Omit<Request, 'action'>): Promise<Outcome> {
    const closed = await this.#closedRematch(actor.state)
    const asked: Asked = {
      origin: `rematch ${actor.room}${closed === null ? '' : ` ${closed}`}`,
      player: null,
      command: null,
      rematchOf: actor.room,
      match: null,
      askers: [request.player],
      limit: Number.MAX_SAFE_INTEGER,
    }
    const action = { type: 'rematch', room: this.#roomId(asked, 0), closed } as const
    const at = this.#deps.store.clock.now()
    const decided = decideRoom(actor.state, { ...action, ...request, at })
    const isNew = !actor.hasFailed && decided.ok && decided.value.length > 0
    const room = isNew ? await this.#makeRematch(actor, asked) : null
    return actor.submit({ ...request, action: { ...action, room } })
  }

  /** The rematch of a room, if nobody can go there any more. */
  async #closedRematch({ rematch }: RoomState): Promise<RoomId | null> {
    if (rematch === null) return null
    const next = await this.#registry.open(rematch)
    next?.rest()
    return next === null || next.hasFailed || next.state.closed ? rematch : null
  }

  /** Everyone sits there again who did not leave and has a place for it. */
  async #makeRematch(actor: RoomActor, asked: Asked): Promise<RoomId | null> {
    const { askers } = asked
    const created = rematchOf(actor)
    const seats: RoomCreated['seats'][number][] = []
    for (const each of created.seats) {
      const seating = { version: 1, players: [each.player], askers }
      const lacking = await this.#registry.seats.take(this.#roomId(asked, 0), seating)
      if (lacking === null) seats.push(each)
    }
    return this.#make([{ ...created, seats }], asked)
  }

  /** Notes the seats of a match before its tickets are taken, so that none is given away twice. Who has no place is given. */
  #takeSeats(match: Match): Promise<SeatHolder | null> {
    const asked = askedBy(match)
    const players = match.seats.map(({ player }) => player)
    return this.#registry.seats.take(this.#roomId(asked, 0), { version: 1, players, ...asked })
  }

  /** The room of a match, with everyone on their seats and in deployment. Asked for twice, at whichever node, it is one room. */
  async #seatMatch(match: Match): Promise<RoomId> {
    const [first] = match.seekers
    invariant(first !== undefined, 'somebody is in a match')
    const options = match.rated ? {} : { scoring: 'none' as const }
    const rules = roomRules({ preset: match.preset, options })
    invariant(rules.ok, 'the rules of quick play can be played')
    const created: RoomCreated = {
      type: 'roomCreated',
      host: first.player,
      rules: rules.value,
      invitation: null,
      members: [],
      seats: [...match.seats],
      rematchOf: null,
    }
    const begun = beginning(rules.value.ruleSet, this.#dealtChance())
    const room = await this.#make([created, ...begun], askedBy(match))
    invariant(room !== null, 'a match is not counted')
    return room
  }

  /** Appends the first entry of a room, unless that was done before. null: its host has too many. */
  async #make(
    events: readonly [RoomCreated, ...RoomEvent[]],
    asked: Asked,
  ): Promise<RoomId | null> {
    const { store } = this.#deps
    const { player, command, askers } = asked
    const players = events[0].seats.map((seat) => seat.player)
    const entry: LogEntry = {
      version: 1,
      at: store.clock.now(),
      player,
      command,
      events: [...events],
    }
    const state = evolveRoom(null, entry)
    const data = encodeEntry(entry)
    for (let n = 0; n < IDS; n++) {
      const room = this.#roomId(asked, n)
      if (!(await this.#hosting.admit(state.host, room, asked.limit))) return null
      await this.#registry.seats.keep(room, { version: 1, players, askers })
      const appended = await this.#registry.append({
        room,
        expectedVersion: 0,
        previous: null,
        data,
        command: player === null || command === null ? null : { player, id: command },
        deadline: state.deadline,
        lobby: listingOf(state),
        ended: null,
      })
      if (appended.type === 'appended') {
        this.#registry.made(room, { log: [entry], state, data, fault: null })
      }
      if (appended.type !== 'conflict' || isMadeBy(await store.first(room), asked)) return room
      await store.uncountRoom(state.host, room)
    }
    throw new InvariantError('no free room id')
  }

  /** The room that was made when this was asked for before; null: it was not. */
  async #find(asked: Asked): Promise<RoomId | null> {
    for (let n = 0; n < IDS; n++) {
      const room = this.#roomId(asked, n)
      const stored = await this.#deps.store.first(room)
      if (stored === null) return null
      if (isMadeBy(stored, asked)) return room
    }
    return null
  }

  #roomId({ origin }: Asked, n: number): RoomId {
    return deriveRoomId(this.#secret, `${origin} ${n}`)
  }
}

/** Whether the first entry of a room is what was asked for, not another room of the same id; null: there is none. */
function isMadeBy(
  stored: StoredEntry | null,
  { player, command, rematchOf, match }: Asked,
): boolean {
  if (stored === null) return false
  const entry = parseEntry(stored)
  const [created] = entry.events
  return (
    entry.player === player &&
    entry.command === command &&
    created?.type === 'roomCreated' &&
    created.rematchOf === rematchOf &&
    (match === null || isSeatedAlike(created, match))
  )
}

/** What a room is made for: its id follows from it. */
interface Asked {
  readonly origin: string
  readonly player: PlayerId | null
  readonly command: CommandId | null
  readonly rematchOf: RoomId | null
  readonly match: Match | null
  /** On whose account bots sit there from the first entry on. */
  readonly askers: readonly Player[]
  /** Live rooms that its host may have, with this one. */
  readonly limit: number
}

const askedBy = (match: Match): Asked => ({
  origin: `match ${match.id} ${match.since}`,
  player: null,
  command: null,
  rematchOf: null,
  match,
  askers: match.seekers.map(({ player }) => player),
  limit: Number.MAX_SAFE_INTEGER,
})

const isSeatedAlike = (one: Pick<Match, 'seats'>, other: Pick<Match, 'seats'>): boolean =>
  one.seats.length === other.seats.length &&
  one.seats.every(({ seat, player }, n) => {
    const there = other.seats[n]
    return there?.seat === seat && there.player.id === player.id
  })

/** The same rules, invitation, members and seats, but for those who left (DESIGN 3). */
function rematchOf({ room, state }: RoomActor): RoomCreated {
  const staying = seated(state).filter(({ seat }) => !hasLeft(state, seat))
  const earlier = staying.find(({ occupant }) => occupant.player.id === state.host)
  const host = earlier?.occupant.player ?? nextHost(state, state.host)
  invariant(host !== null, 'who asks for a rematch is still there')
  return {
    type: 'roomCreated',
    host,
    rules: state.rules,
    invitation: state.invitation,
    members: [...state.members],
    seats: staying.map(({ seat, occupant }) => ({ seat, player: occupant.player })),
    rematchOf: room,
    spectators: state.spectators,
  }
}
