import { setTimeout } from 'node:timers/promises'
import {
  type Accepted,
  type Client,
  connect,
  createGuest,
  type Refusal,
  type RoomHandle,
  type RoomUpdate,
} from '@junqi/client'
import { invariant, type Result, type Viewer } from '@junqi/engine'
import { decodeServerMessage, type Guest, type Invitation, type RoomId } from '@junqi/protocol'
import { type CommandFailure, inputFailure } from '../failure.ts'
import { countingSocket, type Tally } from './counting-socket.ts'
import type { ExpectedLog } from './expected-log.ts'
import { Observer } from './observer.ts'
import type { Patience } from './patience.ts'

/** Before one asks again for a guest, where many were made from one address. */
const GUEST_PAUSE_MS = 1000

/** What all at a table have in common. */
export interface Play {
  readonly log: ExpectedLog
  readonly patience: Patience
}

/** Where somebody is to sit, or watch, and by which server. */
export interface Place {
  readonly viewer: Viewer
  readonly server: string
}

/** A guest at the table who plays through the SDK; all that it is told is checked. */
export class Member {
  readonly viewer: Viewer
  readonly server: string
  readonly guest: Guest
  readonly tally: Tally = { messages: 0, bytes: 0 }
  readonly #play: Play
  readonly #observer: Observer
  readonly #client: Client
  #handle: RoomHandle | null = null

  private constructor({ viewer, server }: Place, guest: Guest, play: Play) {
    this.viewer = viewer
    this.server = server
    this.guest = guest
    this.#play = play
    this.#observer = new Observer(viewer, play.log)
    this.#client = connect({
      url: server,
      token: guest.token,
      clientName: 'junqi play',
      WebSocket: countingSocket(this.tally, (text) => this.#hear(text)),
    })
  }

  /** A new guest, whose client begins to connect. */
  static async join(place: Place, play: Play): Promise<Member> {
    const { viewer, server } = place
    for (;;) {
      const what = `${viewer}, a guest on ${server}`
      const made = await play.patience.wait(createGuest(server, `junqi ${viewer}`), what)
      if (made.ok) return new Member(place, made.value, play)
      if (made.error.code !== 'rate_limited') throw refused(what, made.error)
      await setTimeout(GUEST_PAUSE_MS)
    }
  }

  /** The room in which it plays. */
  get room(): RoomHandle {
    invariant(this.#handle !== null, `${this.viewer} has entered no room`)
    return this.#handle
  }

  createRoom(wish: Parameters<Client['createRoom']>[0]): Promise<Result<Accepted, Refusal>> {
    return this.#client.createRoom(wish)
  }

  /** Watches a room from now on. */
  async enter(id: RoomId, invitation: Invitation | null): Promise<void> {
    const room = this.#client.room(id, invitation === null ? {} : { invitation })
    this.#handle = room
    room.onUpdate((update) => this.#follow(update))
    const what = `${this.viewer}, entering the room by ${this.server}`
    const opened = await this.#play.patience.wait(room.opened(), what)
    if (!opened.ok) throw refused(what, explained(opened.error))
  }

  /** Resolves when its picture of the room is of this version. */
  reached(version: number): Promise<void> {
    const { room } = this
    const isThere = (): boolean => (room.state?.version ?? 0) >= version
    if (isThere()) return Promise.resolve()
    return new Promise((resolve) => {
      const stop = room.onUpdate(() => {
        if (!isThere()) return
        stop()
        resolve()
      })
    })
  }

  close(): void {
    this.#client.close()
  }

  #hear(text: string): void {
    const message = decodeServerMessage(text)
    if (!message.ok) this.#object(`${this.viewer}, not understood: ${message.error.message}`)
    else if (message.value.type !== 'unknown') {
      this.#object(this.#observer.problemOfMessage(message.value))
    }
  }

  #follow(update: RoomUpdate): void {
    if (update.type === 'lost') this.#play.patience.fail(refused(this.viewer, update.reason))
    else this.#object(this.#observer.problemOfState(update.state))
  }

  #object(problem: string | null): void {
    if (problem !== null) this.#play.patience.fail(inputFailure(problem))
  }
}

/** The room was made a moment ago, so a server that does not know it keeps its rooms elsewhere. */
const explained = (refusal: Refusal): Refusal =>
  refusal.code === 'room_not_found'
    ? { ...refusal, message: `${refusal.message} Servers play one game if they share one store.` }
    : refusal

export const refused = (what: string, { code, message }: Refusal): CommandFailure =>
  inputFailure(`${what}: ${code}: ${message}`)
