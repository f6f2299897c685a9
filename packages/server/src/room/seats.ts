import { encodeServerMessage, type PlayerId, type RoomId } from '@junqi/protocol'
import { type Clock, type NodeStore, type SeatIndex, StoreUnavailableError } from '../ports.ts'
import type { Session } from '../socket/session.ts'
import { atMost } from './at-most.ts'
import { IndexOf } from './index-of.ts'
import { MissingRooms } from './missing-rooms.ts'
import type { RoomActor } from './room-actor.ts'
import type { RoomEvent } from './room-event.ts'
import { hasLeft, haveLeftAlike, type RoomState, seated } from './room-state.ts'

/** Live rooms in which one player may take a seat of its own accord. */
export const SEATS_PER_PLAYER = 32
/** Rooms of one player that are looked at together. */
const LOOKED_AT_ONCE = 8
/** How long to wait until the store is asked again, when it did not answer. */
const AGAIN_MS = 2_000
/** How often bots that wait to be seated are told their rooms anew: a hint from another node may be lost. */
const REPEAT_MS = 15_000

export interface SeatsDeps {
  readonly store: SeatIndex & Pick<NodeStore, 'isShared' | 'tellSeated'> & { readonly clock: Clock }
  open(room: RoomId): Promise<RoomActor | null>
  /** A fault of ours. */
  fault(error: unknown): void
}

interface Entry {
  readonly version: number
  readonly events: readonly RoomEvent[]
}

/** Whether `noteSeats` has anything to note: of most entries it has not, and they need not wait. */
export const seatsSomebody = ({ events }: Pick<Entry, 'events'>): boolean =>
  events.some(({ type }) => type === 'seatTaken' || type === 'roomCreated')

/** Notes which players an entry is going to seat. Before it is appended: so what is noted is never too little. */
export async function noteSeats(
  store: Pick<SeatIndex, 'noteSeat'>,
  room: RoomId,
  { version, events }: Entry,
): Promise<void> {
  const players = events.flatMap((event) => {
    if (event.type === 'seatTaken') return [event.player.id]
    return event.type === 'roomCreated' ? event.seats.map(({ player }) => player.id) : []
  })
  await Promise.all(players.map((player) => store.noteSeat(player, room, version)))
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
    for (const player of are) {
      if (were.includes(player)) continue
      this.tell(player, room)
      store.tellSeated(player, room)
    }
    // What is missed here, whoever reads the notes makes good.
    for (const player of were) {
      if (!are.includes(player)) this.#drop(player, room, after.version)
    }
  }

  /** The player was seated in the room, by this node or another one. */
  tell(player: PlayerId, room: RoomId): void {
    const frame = encodeServerMessage({ type: 'seated', room })
    for (const session of this.#sessions.get(player)) session.send(frame)
  }

  /** The live rooms in which the player sits, as the store has them now. */
  async roomsOf(player: PlayerId): Promise<readonly RoomId[]> {
    const noted = await this.#deps.store.notedSeats(player)
    const rooms: RoomId[] = []
    await atMost(LOOKED_AT_ONCE, noted, async ([room, version]) => {
      if (await this.#isSeat(player, room, version)) rooms.push(room)
    })
    return rooms.sort()
  }

  /** Whether the player may take one seat more. */
  async hasPlaceFor(player: PlayerId, limit: number): Promise<boolean> {
    const noted = await this.#deps.store.notedSeats(player)
    return noted.size < limit || (await this.roomsOf(player)).length < limit
  }

  async #isSeat(player: PlayerId, room: RoomId, version: number): Promise<boolean> {
    const actor = await this.#deps.open(room)
    if (actor === null) {
      if (this.#missing.isLongMissing(room)) this.#drop(player, room, version)
      return false
    }
    this.#missing.found(room)
    try {
      if (!isSeatIn(actor, player)) await actor.refresh()
      if (isSeatIn(actor, player)) return true
      // Of a failed room nothing comes any more.
      this.#drop(player, room, actor.hasFailed ? version : actor.state.version)
      return false
    } finally {
      actor.rest()
    }
  }

  #drop(player: PlayerId, room: RoomId, version: number): void {
    this.#deps.store.dropSeat(player, room, version).catch((error) => this.#passOver(error))
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
    const waiting = [...this.#sessions.keys()].flatMap((player) =>
      [...this.#sessions.get(player)].filter(isBot),
    )
    await atMost(LOOKED_AT_ONCE, waiting, (session) => this.#tellAll(session))
  }

  #passOver(error: unknown): void {
    if (!(error instanceof StoreUnavailableError)) this.#deps.fault(error)
  }
}

/** Bots wait to be seated by others; people see what happens to them. */
const isBot = ({ player }: Session): boolean => player.bot !== undefined

const isSeatIn = ({ hasFailed, state }: RoomActor, player: PlayerId): boolean =>
  !hasFailed && sitting(state).includes(player)

/** Those whose game here is not over: it is to come, or goes on without them only because they are out. */
function sitting(state: RoomState): readonly PlayerId[] {
  if (state.closed || state.phase === 'finished') return []
  return seated(state)
    .filter(({ seat }) => !hasLeft(state, seat))
    .map(({ occupant }) => occupant.player.id)
}

/** Whether the same players sit in two states of a room, as far as it can be seen at a glance. */
const sitAlike = (before: RoomState, after: RoomState): boolean =>
  before.seats === after.seats &&
  before.phase === after.phase &&
  before.closed === after.closed &&
  haveLeftAlike(before, after)
