import { encodeServerMessage, type Player, type PlayerId, type RoomId } from '@junqi/protocol'
import {
  type Clock,
  type NodeStore,
  type SeatIndex,
  type SeatList,
  StoreUnavailableError,
} from '../ports.ts'
import type { Session } from '../socket/session.ts'
import { atMost } from './at-most.ts'
import { type Refusal, refusal } from './decision.ts'
import { IndexOf } from './index-of.ts'
import { MissingRooms } from './missing-rooms.ts'
import type { RoomActor } from './room-actor.ts'
import { hasLeft, haveLeftAlike, type RoomState, seated } from './room-state.ts'

/** Live rooms in which one player may sit. */
export const SEATS_PER_PLAYER = 32
/** Live rooms in which bots may sit that one player asked for. */
export const BOT_ROOMS_PER_PLAYER = 4
/** Rooms of one player that are looked at together. */
const LOOKED_AT_ONCE = 8
/** How long to wait until the store is asked again, when it did not answer. */
const AGAIN_MS = 2_000
/** How often bots that wait to be seated are told their rooms anew: a hint from another node may be lost. */
const REPEAT_MS = 15_000

export interface SeatsDeps {
  readonly store: SeatIndex & Pick<NodeStore, 'isShared' | 'tellSeated'> & { readonly clock: Clock }
  /** Rooms in which one bot may sit. */
  readonly botGames: number
  open(room: RoomId): Promise<RoomActor | null>
  /** A fault of ours. */
  fault(error: unknown): void
}

/** Whose seats are counted: a player's own, or those of bots that sit where it asked for them. */
export interface SeatHolder {
  readonly whose: SeatList['whose']
  readonly player: Player
}

/** Who is going to sit in a room, by the entry of this version. */
export interface Seating {
  readonly version: number
  readonly players: readonly Player[]
  /** Who asked for the bots that are among them. */
  readonly askers: readonly Player[]
}

/** Why who has as many seats as it may have gets no other. */
export function withoutPlace({ whose, player }: SeatHolder): Refusal {
  if (whose === 'bots') return refusal('too_many_bots')
  return refusal(isBot(player) ? 'no_bot_available' : 'too_many_rooms')
}

/** Where players sit, told to their sockets: all of it after a welcome, and each seat as it comes. */
export class Seats {
  readonly #deps: SeatsDeps
  readonly #sessions = new IndexOf<PlayerId, Session>()
  /** Sockets that were not told yet, because the store did not answer. */
  readonly #untold = new Set<Session>()
  readonly #missing: MissingRooms
  #cancelAgain = (): void => {}
  #cancelRepeat = (): void => {}
  #isStopped = false

  constructor(deps: SeatsDeps) {
    this.#deps = deps
    this.#missing = new MissingRooms(deps.store.clock)
  }

  start(): void {
    if (this.#deps.store.isShared) this.#scheduleRepeat()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancelAgain()
    this.#cancelRepeat()
  }

  /** A socket was welcomed. */
  connect(session: Session): void {
    this.#sessions.add(session.player.id, session)
    void this.#tellAll(session)
  }

  disconnect(session: Session): void {
    this.#sessions.delete(session.player.id, session)
    this.#untold.delete(session)
  }

  /** This node wrote an entry (or the first one of a room): who was seated by it is told, wherever it is connected. */
  wrote(room: RoomId, before: RoomState | null, after: RoomState): void {
    if (before !== null && sitAlike(before, after)) return
    const { store } = this.#deps
    const [were, are] = [before === null ? [] : sitting(before), sitting(after)]
    for (const { id } of are) {
      if (were.some((player) => player.id === id)) continue
      this.tell(id, room)
      store.tellSeated(id, room)
    }
    // What is missed here, whoever reads the notes makes good.
    for (const { id } of were) {
      if (!are.some((player) => player.id === id)) void this.#drop(own(id), room, after.version)
    }
    if (were.some(isBot) && !are.some(isBot)) {
      for (const player of new Set([after.host, ...were.map(({ id }) => id)])) {
        void this.#drop({ whose: 'bots', player }, room, after.version)
      }
    }
  }

  /** The player was seated in the room, by this node or another one. */
  tell(player: PlayerId, room: RoomId): void {
    const frame = encodeServerMessage({ type: 'seated', room })
    for (const session of this.#sessions.get(player)) session.send(frame)
  }

  /** The live rooms in which the player sits, as the store has them now. */
  async roomsOf(player: PlayerId): Promise<readonly RoomId[]> {
    return [...(await this.#look(own(player)))].sort()
  }

  /** Whether one room more, or this one, may be noted. What is noted and is not so any more is dropped first. */
  async makePlaceFor(holder: SeatHolder, room: RoomId | null): Promise<boolean> {
    if (await this.#isBelowLimit(holder, room)) return true
    await this.#look(listOf(holder))
    return this.#isBelowLimit(holder, room)
  }

  /**
   * Notes who is going to sit in a room, before it is so, unless one of them has as many seats as it may have: that one is
   * given. What was noted for the others is dropped by who looks at it later. Looks at no room itself.
   */
  async note(room: RoomId, seating: Seating): Promise<SeatHolder | null> {
    for (const holder of holdersOf(seating)) {
      const limit = this.#mostOf(holder)
      if (!(await this.#deps.store.noteSeat(listOf(holder), room, seating.version, limit))) {
        return holder
      }
    }
    return null
  }

  /** The same; of who has no place the rooms are looked at. Not for who holds up a room meanwhile: two could wait for each other. */
  async take(room: RoomId, seating: Seating): Promise<SeatHolder | null> {
    const lacking = await this.note(room, seating)
    const isFull = lacking === null || !(await this.makePlaceFor(lacking, room))
    return isFull ? lacking : this.take(room, seating)
  }

  /** Notes those whose place was given to them before: what is noted is never too little. */
  async keep(room: RoomId, seating: Seating): Promise<void> {
    const { store } = this.#deps
    await Promise.all(
      holdersOf(seating).map((holder) =>
        store.noteSeat(listOf(holder), room, seating.version, Number.MAX_SAFE_INTEGER),
      ),
    )
  }

  #mostOf({ whose, player }: SeatHolder): number {
    if (whose === 'bots') return BOT_ROOMS_PER_PLAYER
    return isBot(player) ? this.#deps.botGames : SEATS_PER_PLAYER
  }

  async #isBelowLimit(holder: SeatHolder, room: RoomId | null): Promise<boolean> {
    const noted = await this.#deps.store.notedSeats(listOf(holder))
    return noted.size < this.#mostOf(holder) || (room !== null && noted.has(room))
  }

  /** Where somebody of the list sits. Of other rooms the notes are dropped, but for what may be on its way. */
  async #look(list: SeatList): Promise<readonly RoomId[]> {
    const noted = await this.#deps.store.notedSeats(list)
    const rooms: RoomId[] = []
    await atMost(LOOKED_AT_ONCE, noted, async ([room, version]) => {
      if (await this.#isSeat(list, room, version)) rooms.push(room)
    })
    return rooms
  }

  async #isSeat(list: SeatList, room: RoomId, version: number): Promise<boolean> {
    const actor = await this.#deps.open(room)
    if (actor === null) {
      if (this.#missing.isLongMissing(room)) await this.#drop(list, room, version)
      return false
    }
    this.#missing.found(room)
    try {
      if (actor.isBehind || !isSeatIn(actor, list)) await actor.refresh()
      if (isSeatIn(actor, list)) return true
      // Of a failed room nothing comes any more.
      await this.#drop(list, room, actor.hasFailed ? version : actor.state.version)
      return false
    } finally {
      actor.rest()
    }
  }

  async #drop(list: SeatList, room: RoomId, version: number): Promise<void> {
    try {
      await this.#deps.store.dropSeat(list, room, version)
    } catch (error) {
      this.#passOver(error)
    }
  }

  async #tellAll(session: Session): Promise<void> {
    try {
      const rooms = await this.roomsOf(session.player.id)
      this.#untold.delete(session)
      if (!this.#sessions.get(session.player.id).has(session)) return
      session.send(encodeServerMessage({ type: 'seats', rooms }))
    } catch (error) {
      this.#passOver(error)
      if (this.#sessions.get(session.player.id).has(session)) this.#tellLater(session)
    }
  }

  #tellLater(session: Session): void {
    if (this.#isStopped) return
    this.#untold.add(session)
    const { clock } = this.#deps.store
    this.#cancelAgain()
    this.#cancelAgain = clock.schedule(clock.now() + AGAIN_MS, () => {
      for (const other of this.#untold) void this.#tellAll(other)
    })
  }

  #scheduleRepeat(): void {
    const { clock } = this.#deps.store
    this.#cancelRepeat = clock.schedule(clock.now() + REPEAT_MS, () => {
      void this.#repeat()
      this.#scheduleRepeat()
    })
  }

  async #repeat(): Promise<void> {
    const waiting = [...this.#sessions.keys()].flatMap((id) =>
      [...this.#sessions.get(id)].filter(({ player }) => isBot(player)),
    )
    await atMost(LOOKED_AT_ONCE, waiting, (session) => this.#tellAll(session))
  }

  #passOver(error: unknown): void {
    if (!(error instanceof StoreUnavailableError)) this.#deps.fault(error)
  }
}

const own = (player: PlayerId): SeatList => ({ whose: 'own', player })

const listOf = ({ whose, player }: SeatHolder): SeatList => ({ whose, player: player.id })

/** Bots wait to be seated by others; people see what happens to them. */
const isBot = ({ bot }: Player): boolean => bot !== undefined

/** Everyone whose seats a seating adds to. */
function holdersOf({ players, askers }: Seating): readonly SeatHolder[] {
  const asking = players.some(isBot) ? askers : []
  return [
    ...asking.map((player) => ({ whose: 'bots', player }) as const),
    ...players.map((player) => ({ whose: 'own', player }) as const),
  ]
}

function isSeatIn({ hasFailed, state }: RoomActor, { whose, player }: SeatList): boolean {
  if (hasFailed) return false
  return sitting(state).some((each) => (whose === 'own' ? each.id === player : isBot(each)))
}

/** Those whose game here is not over: it is to come, or goes on without them only because they are out. */
function sitting(state: RoomState): readonly Player[] {
  if (state.closed || state.phase === 'finished') return []
  return seated(state)
    .filter(({ seat }) => !hasLeft(state, seat))
    .map(({ occupant }) => occupant.player)
}

/** Whether the same players sit in two states of a room, as far as it can be seen at a glance. */
const sitAlike = (before: RoomState, after: RoomState): boolean =>
  before.seats === after.seats &&
  before.phase === after.phase &&
  before.closed === after.closed &&
  haveLeftAlike(before, after)
