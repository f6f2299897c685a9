import { invariant, type Layout, SEATS, type Seat } from '@junqi/engine'
import {
  type ClientMessage,
  type CommandId,
  commandId,
  decodeServerMessage,
  type EncodedMessage,
  type Invitation,
  type Player,
  playerId,
  type RoomId,
  type ServerMessage,
} from '@junqi/protocol'
import { MemoryStore } from '../../packages/server/src/adapters/memory/memory-store.ts'
import { Archive } from '../../packages/server/src/archive/archive.ts'
import type { Rng, Store } from '../../packages/server/src/ports.ts'
import type { FaultLog } from '../../packages/server/src/room/fault-log.ts'
import { UNOBSERVED } from '../../packages/server/src/room/observer.ts'
import {
  makeRooms,
  type RoomService,
  type ServiceDeps,
} from '../../packages/server/src/room/room-service.ts'
import type { RoomMessage, Router, Session } from '../../packages/server/src/socket/session.ts'
import { FakeClock } from '../../packages/server/test/support/fake-clock.ts'
import { SharedStore } from '../../packages/server/test/support/shared-store.ts'
import { seededRandom } from './random.ts'

/** Who is at a table: a player for each seat, one who watches, and one who has nothing to do with it. */
export const ACTORS = [...SEATS, 'spectator', 'stranger'] as const
export type Actor = (typeof ACTORS)[number]

/** A command as its sender thinks of it. */
export type Ask = About<ClientMessage>
type About<Message> = Message extends { readonly room: RoomId }
  ? Omit<Message, 'id' | 'room'>
  : never

/** A connection without a socket: keeps every frame that it is sent. */
class Tab implements Session {
  readonly player: Player
  readonly #keep: (frame: EncodedMessage) => void

  constructor(player: Player, keep: (frame: EncodedMessage) => void) {
    this.player = player
    this.#keep = keep
  }

  send(frame: EncodedMessage): void {
    this.#keep(frame)
  }
}

interface Seated {
  readonly player: Player
  /** Everything that reached this player, in order. */
  readonly seen: string[]
  tab: Tab | null
  isWatching: boolean
  commands: number
  last: RoomMessage | null
}

/** Looks on as a table is played at. */
export interface Watch {
  /** Every frame that an actor's own connection gets. */
  notice(actor: Actor, frame: EncodedMessage): void
  /** After each command, and after each deadline. */
  settled(table: Table): Promise<void>
  /** When all is done. */
  closing(table: Table): Promise<void>
}

const NOBODY: Watch = { notice() {}, async settled() {}, async closing() {} }

interface Parts {
  readonly clock: FakeClock
  /** One node, or several over a store that they share. */
  readonly nodes: readonly ServiceDeps[]
  readonly rooms: readonly RoomService[]
  /** Faults of the server's own, which are none of the things that happen at a table. */
  readonly log: FaultLog & { readonly faults: string[] }
}

/** So long after a deadline a node serves it where others may have something to say (room/sweep-turns.ts). */
const GRACE_MS = 150

function faultLog(): Parts['log'] {
  const faults: string[] = []
  return {
    faults,
    warn: () => {},
    error: (details, message) => faults.push(`${message} ${JSON.stringify(details)}`),
  }
}

/** The real rooms on a memory store and a clock that stands still, and everyone who talks to them. */
export class Table {
  readonly #parts: Parts
  readonly #watch: Watch
  readonly #actors: ReadonlyMap<Actor, Seated>
  #rooms: readonly RoomService[]
  #room: RoomId | null = null
  #invitation: Invitation | null = null
  #version = 0
  #until: number | null = null
  #first: Seat | null = null

  private constructor(parts: Parts, watch: Watch) {
    this.#parts = parts
    this.#watch = watch
    this.#rooms = parts.rooms
    this.#actors = new Map(ACTORS.map((actor) => [actor, newcomer(actor)]))
  }

  /** With several nodes everyone is at another one than the next. */
  static async open(
    seed: number,
    { watch = NOBODY, nodes: count = 1, deal }: Occasion = {},
  ): Promise<Table> {
    const [clock, rng] = [new FakeClock(), rngOf(seed)]
    const log = faultLog()
    const newRooms = { perSecond: 1, burst: 1 }
    const chatRate = { perSecond: 1, burst: 1_000 }
    const nodes = storesOf({ clock, rng }, count).map((store) => {
      const date = () => clock.now()
      return {
        store,
        rng,
        log,
        observer: UNOBSERVED,
        newRooms,
        chatRate,
        consumers: [],
        date,
        deal,
      }
    })
    const table = new Table({ clock, nodes, log, rooms: await started(nodes) }, watch)
    for (const actor of ACTORS) table.connect(actor)
    return table
  }

  get clock(): FakeClock {
    return this.#parts.clock
  }

  async close(): Promise<void> {
    await this.#watch.closing(this)
    for (const rooms of this.#rooms) await rooms.stop()
  }

  /** The room's version, as the spectator knows it. */
  get version(): number {
    return this.#version
  }

  /** When deployment or the turn ends; null: nothing is timed. */
  get until(): number | null {
    return this.#until
  }

  /** Who made the first turn; null: play has not begun. */
  get first(): Seat | null {
    return this.#first
  }

  /** Lets the time of the turn, or of deployment, run out. */
  async passDeadline(): Promise<void> {
    const [until, version] = [this.#until, this.#version]
    invariant(until !== null, 'nothing is timed')
    const graceMs = this.#rooms.length > 1 ? GRACE_MS : 0
    await this.clock.advance(until + graceMs - this.clock.now())
    invariant(this.#version > version, 'time is up, and nothing has happened')
    await this.#watch.settled(this)
  }

  /** Everything that reached an actor, a frame or an answer each. */
  seenBy(actor: Actor): readonly string[] {
    return this.#seated(actor).seen
  }

  connect(actor: Actor): void {
    const seated = this.#seated(actor)
    if (seated.tab !== null) return
    const { router } = this.#roomsOf(actor)
    const notice = (frame: EncodedMessage): void => {
      if (isOfType(frame, 'dropped')) seated.isWatching = false
      if (actor === 'spectator') this.#follow(frame)
      this.#watch.notice(actor, frame)
    }
    seated.tab = this.#open(actor, { router, notice })
  }

  disconnect(actor: Actor): void {
    const seated = this.#seated(actor)
    if (seated.tab !== null) this.#roomsOf(actor).router.close(seated.tab)
    seated.tab = null
    seated.isWatching = false
  }

  /** Sends a command over the actor's connection and gives the frame that answers it. */
  async ask(actor: Actor, ask: Ask): Promise<string> {
    return this.#say(actor, this.#message(actor, ask))
  }

  /** Sends the last command of the actor's that was accepted once more, id and all (F-R2). */
  async repeat(actor: Actor): Promise<void> {
    const { last } = this.#seated(actor)
    if (last !== null) await this.#say(actor, last)
  }

  /** Makes the room, public or private; its members get to know the invitation. */
  async createRoom(host: Actor, request: Omit<CreateRoom, 'type' | 'id'>): Promise<void> {
    const created = await this.#say(host, {
      type: 'createRoom',
      id: this.#nextId(host),
      ...request,
    })
    const ack = decoded(created)
    invariant(ack.type === 'ack' && ack.room !== null, `no room: ${created}`)
    this.#room = ack.room
    await this.subscribe(host, null)
    this.#invitation = invitationIn(
      this.seenBy(host).findLast((frame) => isOfType(frame, 'snapshot')) ?? '',
    )
  }

  /** Follows the room over the actor's connection, from nothing or from a version on. */
  async subscribe(actor: Actor, since: number | null): Promise<void> {
    this.#seated(actor).isWatching = true
    await this.ask(actor, subscription(since))
  }

  /** Whether the actor's own connection follows the room. */
  isWatching(actor: Actor): boolean {
    return this.#seated(actor).isWatching
  }

  /** Comes in by another tab, at the next node, from a version on, and closes it again; gives the frames that it got. */
  async look(actor: Actor, since: number | null): Promise<readonly EncodedMessage[]> {
    const frames: EncodedMessage[] = []
    const { router } = this.#roomsOf(actor, 1)
    const tab = this.#open(actor, { router, notice: (frame) => frames.push(frame) })
    const message = this.#message(actor, subscription(since))
    await router.handle(tab, message, this.clock.now())
    await this.clock.advance(0)
    router.close(tab)
    return frames
  }

  /** Everything that HTTP serves of the room, and the list of rooms. */
  async request(actor: Actor): Promise<void> {
    const { player, seen } = this.#seated(actor)
    const room = this.#roomId()
    const rooms = this.#roomsOf(actor)
    for (const who of [player, null]) {
      seen.push(JSON.stringify(await rooms.publicRoom(room, who)))
      for (const served of await this.#archived(actor, room, who)) seen.push(JSON.stringify(served))
    }
    seen.push(JSON.stringify(await rooms.listRooms()))
  }

  /** What the archive serves of the room; nothing while the game runs. */
  #archived(actor: Actor, room: RoomId, player: Player | null): Promise<readonly unknown[]> {
    const node = this.#parts.nodes[ACTORS.indexOf(actor) % this.#parts.nodes.length]
    invariant(node !== undefined, 'there is no node')
    const archive = new Archive(node, new Uint8Array(32))
    const reader = { player, share: null }
    return Promise.all([
      archive.record(room, reader),
      archive.summary(room, reader),
      archive.jgs(room, reader),
      archive.position(room, { n: 0, as: 'truth' }, reader),
      archive.list({}, player),
      ...(player === null ? [] : [archive.list({ player: player.id }, player)]),
      ...(player === null ? [] : [archive.share(room, player)]),
    ])
  }

  /** Other processes on the same store: they know nothing but what is stored (F-H3). */
  async restart(): Promise<void> {
    const connected = ACTORS.filter((actor) => this.#seated(actor).tab !== null)
    for (const actor of connected) this.disconnect(actor)
    for (const rooms of this.#rooms) await rooms.stop()
    this.#rooms = await started(this.#parts.nodes)
    for (const actor of connected) this.connect(actor)
  }

  #roomsOf(actor: Actor, offset = 0): RoomService {
    const rooms = this.#rooms[(ACTORS.indexOf(actor) + offset) % this.#rooms.length]
    invariant(rooms !== undefined, 'there is no node')
    return rooms
  }

  #open(
    actor: Actor,
    { router, notice }: { router: Router; notice: (frame: EncodedMessage) => void },
  ): Tab {
    const { player, seen } = this.#seated(actor)
    const tab = new Tab(player, (frame) => {
      seen.push(frame)
      notice(frame)
    })
    router.open(tab)
    return tab
  }

  /** Takes from a frame what the course of things depends on; not parsed, for that takes longer than all else. */
  #follow(frame: EncodedMessage): void {
    if (!isOfType(frame, 'event') && !isOfType(frame, 'snapshot')) return
    this.#version = numberIn(frame, 'version') ?? this.#version
    this.#until = numberIn(frame, 'until')
    this.#first = SEATS.find((seat) => frame.includes(`"first":"${seat}"`)) ?? this.#first
  }

  #seated(actor: Actor): Seated {
    const seated = this.#actors.get(actor)
    invariant(seated !== undefined, `nobody is ${actor}`)
    return seated
  }

  #roomId(): RoomId {
    invariant(this.#room !== null, 'no room yet')
    return this.#room
  }

  #message(actor: Actor, ask: Ask): RoomMessage {
    const addressed = { ...ask, id: this.#nextId(actor), room: this.#roomId() }
    const isEntering = addressed.type === 'subscribe' || addressed.type === 'sit'
    if (!isEntering || actor === 'stranger' || this.#invitation === null) return addressed
    return { ...addressed, invitation: this.#invitation }
  }

  #nextId(actor: Actor): CommandId {
    const seated = this.#seated(actor)
    seated.commands += 1
    return commandId.parse(`c${seated.commands}`)
  }

  async #say(actor: Actor, message: RoomMessage): Promise<string> {
    const seated = this.#seated(actor)
    const { tab, seen } = seated
    invariant(tab !== null, `${actor} is not connected`)
    const from = seen.length
    await this.#roomsOf(actor).router.handle(tab, message, this.clock.now())
    await this.clock.advance(0)
    const [fault] = this.#parts.log.faults
    invariant(fault === undefined, fault ?? '')
    const answer = seen.slice(from).find((frame) => frame.includes(`"re":"${message.id}"`))
    invariant(answer !== undefined, `no answer to ${message.type}`)
    if (!isOfType(answer, 'error') && message.type !== 'subscribe') seated.last = message
    await this.#watch.settled(this)
    return answer
  }
}

interface Occasion {
  readonly watch?: Watch | undefined
  /** Over which it is played. */
  readonly nodes?: number
  /** What lies where in a flip game. */
  readonly deal?: () => Layout
}

function storesOf(
  parts: { readonly clock: FakeClock; readonly rng: Rng },
  count: number,
): readonly Store[] {
  if (count === 1) return [new MemoryStore(parts)]
  const shared = new SharedStore(parts)
  return Array.from({ length: count }, () => shared.node())
}

async function started(nodes: readonly ServiceDeps[]): Promise<readonly RoomService[]> {
  const rooms = await Promise.all(nodes.map((deps) => makeRooms(deps)))
  for (const each of rooms) await each.start()
  return rooms
}

type CreateRoom = Extract<ClientMessage, { type: 'createRoom' }>

export function decoded(frame: string): Exclude<ServerMessage, { type: 'unknown' }> {
  const message = decodeServerMessage(frame)
  invariant(message.ok && message.value.type !== 'unknown', `not a message: ${frame}`)
  return message.value
}

export const isOfType = (frame: string, type: ServerMessage['type']): boolean =>
  frame.includes(`"type":"${type}"`)

/** The first number of this name in a frame; null: it is null there. */
function numberIn(frame: string, name: string): number | null {
  const digits = new RegExp(`"${name}":(\\d+)`).exec(frame)?.[1]
  return digits === undefined ? null : Number(digits)
}

function invitationIn(frame: string): Invitation | null {
  const message = decoded(frame)
  invariant(message.type === 'snapshot', 'the host does not see its room')
  return message.view.invitation
}

const subscription = (since: number | null): Ask => ({
  type: 'subscribe',
  ...(since !== null && { since }),
})

/** The account of an actor. */
export const playerOf = (actor: Actor): Player => ({
  id: playerId.parse(`${ACTORS.indexOf(actor)}`.padStart(12, '0')),
  name: actor,
})

const newcomer = (actor: Actor): Seated => ({
  player: playerOf(actor),
  seen: [],
  tab: null,
  isWatching: false,
  commands: 0,
  last: null,
})

/** The same bytes and numbers in both runs of a pair, however often either run asks. */
function rngOf(seed: number): Rng {
  const [number, bytes] = [seededRandom(seed)(), seededRandom(seed + 1)]
  return {
    random: () => number,
    bytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(bytes() * 256)),
  }
}
