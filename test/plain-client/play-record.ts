import { type JsonObject, objectAt, objectsAt, parseObject, stringAt } from './json.ts'
import { type Guest, makeGuest, PlainSocket } from './plain-socket.ts'
import { SEATS, type SiguoRecord, type Viewer } from './record.ts'
import { gameIn, Witness } from './witness.ts'

/** What one viewer saw of a game. */
export interface Sighting {
  readonly viewer: Viewer
  /** Each thing that the viewer was told before the end and may not know. */
  readonly leaks: readonly string[]
  /** Pieces that were left out of a view. */
  readonly missing: readonly string[]
  readonly notRepliedOnce: readonly string[]
  readonly lastVersion: number
  /** What `gameEnded` said: winners, reason, formations. */
  readonly end: JsonObject | null
  /** The commitments as `gameSealed` told them. */
  readonly sealed: JsonObject | null
}

export interface PlayedGame {
  readonly sightings: readonly Sighting[]
  /** The record as the server gives it out after the end. */
  readonly record: JsonObject
  /** The answers to who asked for the record before the end. */
  readonly earlyRecords: readonly number[]
}

/** How many actions apart the views are asked for anew. */
const VIEW_EVERY = 40

/** Plays a record from its first action to its last: four guests, a spectator and a server. */
export async function playRecord(url: string, record: SiguoRecord): Promise<PlayedGame> {
  const viewers = [...SEATS, 'spectator'] as const
  const members = await Promise.all(viewers.map((viewer) => Member.join(url, viewer, record)))
  const table = new Table(url, members)
  try {
    await table.seat(record)
    await table.deploy(record)
    for (const [index, action] of record.actions.entries()) {
      if (index % VIEW_EVERY === VIEW_EVERY - 1) await table.lookAgain()
      await table.act(action)
    }
    await table.settle()
    return {
      sightings: members.map((member) => member.sighting()),
      record: parseObject(await table.get('/v1/games', '/record').then(({ text }) => text)),
      earlyRecords: table.earlyRecords,
    }
  } finally {
    for (const { socket } of members) socket.close()
  }
}

/** A guest with a socket and a witness. */
class Member {
  readonly viewer: Viewer
  readonly guest: Guest
  readonly socket: PlainSocket
  readonly witness: Witness
  readonly #notes: Notes

  private constructor(viewer: Viewer, guest: Guest, parts: MemberParts) {
    this.viewer = viewer
    this.guest = guest
    this.socket = parts.socket
    this.witness = parts.witness
    this.#notes = parts.notes
  }

  static async join(url: string, viewer: Viewer, record: SiguoRecord): Promise<Member> {
    const guest = await makeGuest(url, `plain ${viewer}`)
    const witness = new Witness(viewer, record.formations)
    const notes: Notes = { leaks: [], missing: [], end: null, sealed: null }
    const socket = await PlainSocket.open(url, guest.token, (frame) => {
      note(notes, witness, frame)
    })
    return new Member(viewer, guest, { socket, witness, notes })
  }

  /** Reads what came over HTTP as if it had come over the socket. */
  read(frame: JsonObject): void {
    note(this.#notes, this.witness, frame)
  }

  sighting(): Sighting {
    const { version: lastVersion } = this.socket
    const notRepliedOnce = this.socket.notRepliedOnce()
    return { viewer: this.viewer, ...this.#notes, notRepliedOnce, lastVersion }
  }
}

interface Notes {
  readonly leaks: string[]
  readonly missing: string[]
  end: JsonObject | null
  sealed: JsonObject | null
}

interface MemberParts {
  readonly socket: PlainSocket
  readonly witness: Witness
  readonly notes: Notes
}

function note(notes: Notes, witness: Witness, frame: JsonObject): void {
  notes.leaks.push(...witness.leaks(frame))
  if (frame.type === 'event') {
    const events = objectsAt(frame, 'events')
    const sealed = events.find(({ type }) => type === 'gameSealed')
    if (sealed !== undefined) notes.sealed ??= objectAt(sealed, 'commitments')
    notes.end ??= events.find(({ type }) => type === 'gameEnded') ?? null
  }
  const game = 'view' in frame ? gameIn(objectAt(frame, 'view')) : null
  if (game !== null) notes.missing.push(...witness.missing(game))
}

/** The members round one room. */
class Table {
  readonly earlyRecords: number[] = []
  readonly #url: string
  readonly #members: readonly Member[]
  #room = ''

  constructor(url: string, members: readonly Member[]) {
    this.#url = url
    this.#members = members
  }

  async seat(record: SiguoRecord): Promise<void> {
    const { preset } = record.rules
    const options = { ...record.rules.options, ...tableOptions(record) }
    const host = this.#at('south').socket
    const created = await host.ask('createRoom', { preset, options, private: false })
    this.#room = stringAt(created, 'room')
    await Promise.all(this.#members.map(({ socket }) => this.#ask(socket, 'subscribe')))
    for (const seat of SEATS) {
      await this.#ask(this.#at(seat).socket, 'sit', { seat })
      await this.#ask(this.#at(seat).socket, 'ready')
    }
    await this.#ask(host, 'start')
  }

  async deploy(record: SiguoRecord): Promise<void> {
    for (const seat of SEATS) {
      const { socket } = this.#at(seat)
      const formation = record.formations[seat]
      await this.#ask(socket, 'saveDraft', { formation })
      await this.lookAgain()
      await this.#ask(socket, 'submitFormation', { formation })
    }
    await this.settle()
  }

  async act(action: string): Promise<void> {
    const [word = '', seat] = action.split(' ')
    if (action === 'draw agreed') await this.#agreeDraw()
    else if (word === 'timeout') await this.#timeout()
    else if (word === 'leave') await this.#ask(this.#at(seat).socket, 'leave')
    else if (word === 'resign') await this.#inTurn(seat, 'resign', {})
    else {
      const [from = '', to = ''] = word.split('-')
      await this.#inTurn(this.#at('spectator').socket.next, 'move', { from, to })
    }
    await this.settle()
  }

  /** Everyone catches up with the furthest. */
  async settle(): Promise<void> {
    const version = Math.max(...this.#members.map(({ socket }) => socket.version))
    await Promise.all(
      this.#members.map(({ socket }) => socket.until(() => socket.version === version)),
    )
  }

  /** Everyone asks for the room anew, over the socket and over HTTP, and for the record, which is not out yet. */
  async lookAgain(): Promise<void> {
    await Promise.all(
      this.#members.map(async (member) => {
        await this.#ask(member.socket, 'subscribe')
        const { token } = member.guest
        const room = await this.get('/v1/rooms', '', token)
        member.read({ view: parseObject(room.text) })
        const early = await this.get('/v1/games', '/record', token)
        member.read({ answer: parseObject(early.text) })
        this.earlyRecords.push(early.status)
      }),
    )
  }

  async get(
    before: string,
    after: string,
    token?: string,
  ): Promise<{ status: number; text: string }> {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const answer = await fetch(`${this.#url}${before}/${this.#room}${after}`, { headers })
    return { status: answer.status, text: await answer.text() }
  }

  /** The seat to move lets its turn run out. */
  async #timeout(): Promise<void> {
    const { socket } = this.#at('spectator')
    const { turn } = socket
    await socket.until(() => socket.turn > turn)
  }

  async #agreeDraw(): Promise<void> {
    const { socket, witness } = this.#at('spectator')
    const maker = socket.next
    const offered = await this.#ask(this.#at(maker).socket, 'offerDraw')
    const offer = objectsAt(offered, 'events').find(({ type }) => type === 'drawOffered')?.offer
    for (const seat of SEATS.filter((seat) => seat !== maker && witness.isIn(seat))) {
      await this.#ask(this.#at(seat).socket, 'answerDraw', { offer: offer ?? null, accept: true })
    }
  }

  async #inTurn(seat: unknown, type: string, fields: JsonObject): Promise<void> {
    const { socket } = this.#at(seat)
    await this.#ask(socket, type, { turn: socket.turn, ...fields })
  }

  #ask(socket: PlainSocket, type: string, fields: JsonObject = {}): Promise<JsonObject> {
    return socket.ask(type, { room: this.#room, ...fields })
  }

  #at(viewer: unknown): Member {
    const member = this.#members.find((each) => each.viewer === viewer)
    if (member === undefined) throw new Error(`nobody is at ${viewer}`)
    return member
  }
}

/** Whoever begins, begins; and where turns run out, the shortest ones there are. */
const tableOptions = (record: SiguoRecord): JsonObject => ({
  firstSeat: record.first,
  ...(record.actions.some((action) => action.startsWith('timeout')) ? { turnSeconds: 5 } : {}),
})

/** The record that the server should give out: the one that was played, by the rules of the table. */
export const recordAtTable = (record: SiguoRecord): SiguoRecord => ({
  ...record,
  rules: {
    ...record.rules,
    options: { ...record.rules.options, ...tableOptions(record) },
  },
})
