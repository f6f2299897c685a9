import { invariant, PRESETS, randomFormation, SEATS, type Seat } from '@junqi/engine'
import {
  type ClientMessage,
  type CommandId,
  commandId,
  decodeServerMessage,
  type Invitation,
  type Player,
  type PlayerId,
  type RoomId,
  type ServerMessage,
} from '@junqi/protocol'
import type { RoomMessage } from '../../packages/server/src/socket/session.ts'
import { below, type Random } from './random.ts'
import { ACTORS, type Actor, type Death, type Frame, type Line, type Site } from './site.ts'

/** A command as its sender thinks of it. */
export type Ask = About<ClientMessage>
type About<Message> = Message extends { readonly room: RoomId }
  ? Omit<Message, 'id' | 'room'>
  : never

export interface Asked {
  readonly actor: Actor
  readonly ask: Ask
}

/** What is done at a table. */
export interface Step {
  readonly words: string
  /** The place of an act in the script; null: it is no act of the game. */
  readonly act: number | null
  /** The game ends in this step, or did before: what was hidden is shown. */
  readonly isAfterEnd: boolean
}

/** Something that reached an actor, and what was done at the table then. */
export interface Heard {
  readonly step: Step
  readonly whole: string
}

interface Seated {
  /** Everything that reached this player, in order. */
  readonly seen: Heard[]
  line: Line | null
  isWatching: boolean
  commands: number
  last: RoomMessage | null
}

/** Looks on as a table is played at. */
export interface Watch {
  /** Every frame that an actor's own connection gets. */
  notice(actor: Actor, frame: string): void
  /** After each command, and after each deadline. */
  settled(table: Table): Promise<void>
  /** When all is done. */
  closing(table: Table): Promise<void>
}

const NOBODY: Watch = { notice() {}, async settled() {}, async closing() {} }

/** A room of a site, and everyone who talks to it. */
export class Table {
  readonly #site: Site
  readonly #watch: Watch
  readonly #actors: ReadonlyMap<Actor, Seated> = new Map(ACTORS.map((actor) => [actor, newcomer()]))
  #step: Step = { words: 'opening', act: null, isAfterEnd: false }
  #room: RoomId | null = null
  #invitation: Invitation | null = null
  #version = 0
  #until: number | null = null
  #first: Seat | null = null

  private constructor(site: Site, watch: Watch) {
    this.#site = site
    this.#watch = watch
  }

  static async open(site: Site, watch: Watch = NOBODY): Promise<Table> {
    const table = new Table(site, watch)
    for (const actor of ACTORS) await table.connect(actor)
    return table
  }

  now(): number {
    return this.#site.now()
  }

  advance(milliseconds: number): Promise<void> {
    return this.#site.advance(milliseconds)
  }

  async close(): Promise<void> {
    await this.#watch.closing(this)
    this.#site.check()
  }

  /** What is done from now on. */
  note(words: string, act: number | null = null): void {
    this.#step = { ...this.#step, words, act }
  }

  /** What is done next ends the game. */
  noteEnd(): void {
    this.#step = { ...this.#step, isAfterEnd: true }
  }

  /** The room's version, as whoever is furthest knows it. */
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
    await this.advance(until + this.#site.graceMs - this.now())
    invariant(this.#version > version, 'time is up, and nothing has happened')
    await this.#watch.settled(this)
  }

  /** Everything that reached an actor, a frame or an answer each. */
  seenBy(actor: Actor): readonly Heard[] {
    return this.#seated(actor).seen
  }

  player(actor: Actor): Player {
    const player = this.#site.players.get(actor)
    invariant(player !== undefined, `nobody is ${actor}`)
    return player
  }

  playerId(actor: Actor): PlayerId {
    return this.player(actor).id
  }

  async connect(actor: Actor): Promise<void> {
    const seated = this.#seated(actor)
    if (seated.line !== null) return
    seated.line = await this.#open(actor, 0, (frame) => {
      if (isOfType(frame, 'dropped')) seated.isWatching = false
      this.#follow(frame)
      this.#watch.notice(actor, frame)
    })
  }

  async disconnect(actor: Actor): Promise<void> {
    const seated = this.#seated(actor)
    await seated.line?.close()
    seated.line = null
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
  async createRoom(host: Actor, request: CreateRoom): Promise<void> {
    const room = await this.#create(host, request)
    invariant(room !== null, 'there is no room')
    this.#room = room
    await this.subscribe(host, null)
    const snapshot = this.#textsOf(host).findLast((frame) => isOfType(frame, 'snapshot'))
    this.#invitation = invitationIn(snapshot ?? '')
  }

  /** Somebody makes private tables of its own, sits down, and talks to itself. */
  async playElsewhere(actor: Actor, random: Random): Promise<void> {
    const room = await this.#create(actor, { preset: 'duel', options: {}, private: true })
    // It has as many as it may have.
    if (room === null) return
    const text = 'y'.repeat(1 + below(random, 200))
    const asks: readonly Ask[] = [
      { type: 'subscribe' },
      { type: 'sit', seat: 'south' },
      { type: 'say', channel: 'room', text },
    ]
    for (const ask of asks) await this.#sayIn(room, actor, ask)
  }

  /** Two play a duel at a table of their own, until one of them leaves: by then it is in the archive, and may be scored. */
  async playGameElsewhere(
    [one, other]: readonly [Actor, Actor],
    request: Pick<CreateRoom, 'private' | 'options'>,
    random: Random,
  ): Promise<void> {
    const room = await this.#create(one, { preset: 'duel', ...request })
    if (room === null) return
    const told = decoded(await this.#sayIn(room, one, { type: 'subscribe' }))
    const invitation = told.type === 'snapshot' ? told.view.invitation : null
    await this.#sayIn(room, one, { type: 'sit', seat: 'south' })
    await this.#sayIn(room, other, {
      type: 'sit',
      seat: 'north',
      ...(invitation !== null && { invitation }),
    })
    for (const actor of [one, other]) await this.#sayIn(room, actor, { type: 'ready' })
    await this.#sayIn(room, one, { type: 'start' })
    for (const actor of [one, other]) {
      const formation = randomFormation(PRESETS.duel, random)
      await this.#sayIn(room, actor, { type: 'submitFormation', formation })
    }
    const ended = await this.#sayIn(room, other, { type: 'leave' })
    invariant(!isOfType(ended, 'error'), `a game elsewhere does not end: ${ended}`)
    await this.#sayIn(room, one, { type: 'unsubscribe' })
  }

  #sayIn(room: RoomId, actor: Actor, ask: Ask): Promise<string> {
    return this.#say(actor, { ...ask, id: this.#nextId(actor), room })
  }

  /** null: it is refused. */
  async #create(actor: Actor, request: CreateRoom): Promise<RoomId | null> {
    const id = this.#nextId(actor)
    const created = decoded(await this.#say(actor, { type: 'createRoom', id, ...request }))
    return created.type === 'ack' ? created.room : null
  }

  /** Follows the room over the actor's connection, from nothing or from a version on. */
  async subscribe(actor: Actor, since: number | null): Promise<void> {
    const answer = await this.ask(actor, subscription(since))
    if (!isOfType(answer, 'error')) this.#seated(actor).isWatching = true
  }

  /** Follows the list of public rooms over the actor's connection. */
  async watchLobby(actor: Actor): Promise<void> {
    await this.#say(actor, { type: 'watchLobby', id: this.#nextId(actor), filters: {} })
  }

  /** Whether the actor's own connection follows the room. */
  isWatching(actor: Actor): boolean {
    return this.#seated(actor).isWatching
  }

  /** Comes in by another tab, at the next node, from a version on, and closes it again; gives the frames that it got. */
  async look(actor: Actor, since: number | null): Promise<readonly string[]> {
    const frames: string[] = []
    const line = await this.#open(actor, 1, (frame) => frames.push(frame))
    await line.say(this.#message(actor, subscription(since)))
    await line.close()
    return frames
  }

  /** What an actor makes of what it was told: it is compared as that is. */
  decided(actor: Actor, what: string): void {
    this.#keep(actor, `decides ${what}`)
  }

  /** HTTP, for what concerns the room: some of it if `random` is given, else all. */
  async request(actor: Actor, random: Random | null = null, isListed = true): Promise<void> {
    const [room, other] = [this.#roomId(), this.playerId('outsider')]
    const answers = await this.#site.request(actor, { room, other, random, isListed })
    for (const whole of answers) this.#keep(actor, whole)
  }

  /**
   * Other processes on the same store: they know nothing but what is stored (F-H3). What somebody asked for, if anything, may
   * have been stored or not, and is not answered: it is sent again by the function that comes back.
   */
  async crash(over: Asked | null, when: Death['when']): Promise<() => Promise<string>> {
    const message = over && this.#message(over.actor, over.ask)
    const line = over && this.#seated(over.actor).line
    const connected = ACTORS.filter((actor) => this.#seated(actor).line !== null)
    await this.#site.restart(line && message && { line, message, when })
    for (const actor of connected) {
      const seated = this.#seated(actor)
      seated.line = null
      seated.isWatching = false
    }
    for (const actor of connected) await this.connect(actor)
    return async () => {
      invariant(over !== null && message !== null, 'nothing was asked')
      return this.#say(over.actor, message)
    }
  }

  #open(actor: Actor, other: number, notice: (frame: string) => void): Promise<Line> {
    return this.#site.open(actor, other, ({ text, whole }: Frame) => {
      this.#keep(actor, whole)
      notice(text)
    })
  }

  #keep(actor: Actor, whole: string): void {
    this.#seated(actor).seen.push({ step: this.#step, whole })
  }

  /** Takes from a frame what the course of things depends on; not parsed, for that takes longer than all else. */
  #follow(frame: string): void {
    if (!isOfType(frame, 'event') && !isOfType(frame, 'snapshot')) return
    const version = this.#room !== null && frame.includes(this.#room) ? versionIn(frame) : null
    if (version === null || version < this.#version) return
    this.#version = version
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

  #textsOf(actor: Actor): readonly string[] {
    return this.#seated(actor).seen.map(({ whole }) => whole)
  }

  async #say(actor: Actor, message: RoomMessage): Promise<string> {
    const seated = this.#seated(actor)
    const { line, seen } = seated
    invariant(line !== null, `${actor} is not connected`)
    const from = seen.length
    await line.say(message)
    this.#site.check()
    const answer = seen.slice(from).find(({ whole }) => whole.includes(`"re":"${message.id}"`))
    invariant(answer !== undefined, `no answer to ${message.type}`)
    if (!isOfType(answer.whole, 'error') && message.type !== 'subscribe') seated.last = message
    await this.#watch.settled(this)
    return answer.whole
  }
}

type CreateRoom = Omit<Extract<ClientMessage, { type: 'createRoom' }>, 'type' | 'id'>

/** What a frame says, whatever went before its text over the wire. */
export function decoded(frame: string): Exclude<ServerMessage, { type: 'unknown' }> {
  const message = decodeServerMessage(frame.slice(frame.indexOf('{')))
  invariant(message.ok && message.value.type !== 'unknown', `not a message: ${frame}`)
  return message.value
}

export const isOfType = (frame: string, type: ServerMessage['type']): boolean =>
  frame.includes(`"type":"${type}"`)

const versionIn = (frame: string): number | null => numberIn(frame, 'version')

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

const newcomer = (): Seated => ({
  seen: [],
  line: null,
  isWatching: false,
  commands: 0,
  last: null,
})
