import type { RoomHandle } from '@junqi/client'
import type { ClientMessage, ErrorCode, ServerMessage } from '@junqi/protocol'
import { ClientProgram, type Errand } from './client-program.ts'
import { type Admission, type Ear, Line, type Link, type ToldFrame } from './line.ts'
import { CLIENT_SEAT, Opponent } from './opponent.ts'
import { type Asked, goesElsewhere, undoneOf } from './way-in.ts'
import { Witness } from './witness.ts'

/** What the client did wrong, in a sentence. */
export class Blame extends Error {}

/** A message that the client sent. */
export interface Said {
  readonly message: ClientMessage
  readonly link: Link
  /** In milliseconds of this process. */
  readonly at: number
}

/** What a check does to the conversation. What it leaves out goes on as it comes. */
export interface Tampering {
  /** What the server gets in the place of a message. */
  readonly say?: (said: Said) => readonly ClientMessage[]
  /** What the client gets in the place of a message. */
  readonly tell?: (message: ServerMessage, link: Link) => readonly ToldFrame[]
  /** What becomes of the client's next handshake. */
  readonly admit?: () => Admission
  /** Before the opponent's turn; it gives up when it is told to. */
  readonly plan?: (turn: number, room: RoomHandle) => Promise<'move' | 'resign'>
}

export interface Staging {
  readonly server: string
  readonly command: string
  readonly turnSeconds: number
  readonly allowed: readonly ErrorCode[]
  /** How long the client may do nothing of what it has to. */
  readonly patienceMs: number
}

interface Wait {
  /** The client did something, so it is given its time anew. */
  readonly renew: () => void
  readonly look: () => void
  readonly fail: (error: unknown) => void
}

/** One game of the client, and all that it says in it. */
export class Scene implements Ear {
  readonly said: Said[] = []
  readonly links: Link[] = []
  readonly #asked: Asked[] = []
  /** What is done to the conversation. */
  tampering: Tampering = {}
  readonly #staging: Staging
  readonly #witness: Witness
  readonly #waits = new Set<Wait>()
  #failure: unknown = null
  /** The client has been told the end of the game. */
  #isOver = false
  #line: Line | null = null
  #opponent: Opponent | null = null
  #client: ClientProgram | null = null
  /** null: it is not started yet. */
  #errand: Errand | null = null

  constructor(staging: Staging) {
    this.#staging = staging
    this.#witness = new Witness(staging.allowed)
  }

  /** Lays the table and starts the client. */
  async begin(): Promise<void> {
    const { server, command, turnSeconds } = this.#staging
    this.#line = await Line.before(server, this)
    const plan = async (turn: number, room: RoomHandle) =>
      (await this.tampering.plan?.(turn, room)) ?? 'move'
    this.#opponent = await Opponent.at(server, turnSeconds, plan, (error) => this.#fail(error))
    this.#errand = { server: this.#line.url, room: this.#opponent.roomId, seat: CLIENT_SEAT }
    this.#client = new ClientProgram(command, this.#errand, () => this.#look())
  }

  async end(): Promise<void> {
    this.#fail(new Blame('The check is over.'))
    this.#client?.kill()
    this.#opponent?.close()
    await this.#line?.close()
  }

  get lastWords(): readonly string[] {
    return this.#client?.lastWords ?? []
  }

  blame(sentence: string): void {
    this.#fail(new Blame(sentence))
  }

  /** Resolves with what is looked for, once it is there. `missing`: what the client leaves undone if it never is. */
  until<T>(missing: string, look: () => T | null | undefined): Promise<T> {
    return this.#wait(missing, () => {
      const found = look() ?? null
      if (found === null && this.#client?.ending !== undefined && this.#client.ending !== null)
        throw new Blame(`It ${this.#client.ending} before its time. ${this.#undone(missing)}`)
      return found
    })
  }

  /** Resolves when the game is over and the client has ended as it should. */
  async hasEnded(): Promise<void> {
    await this.until('It did not play the game to its end.', () => this.#isOver || null)
    await this.#wait('It did not end after the game had.', () => this.#client?.ending ?? null)
    if (this.#client?.hasSucceeded !== true) {
      throw new Blame(`It ${this.#client?.ending} after the game; all was well, so that is 0.`)
    }
  }

  /** The first message of a kind that the client sent. */
  found<Type extends ClientMessage['type']>(
    type: Type,
    isIt: (message: Extract<ClientMessage, { readonly type: Type }>, said: Said) => boolean = () =>
      true,
  ): (Said & { readonly message: Extract<ClientMessage, { readonly type: Type }> }) | null {
    for (const said of this.said) {
      const { message } = said
      if (isOf(message, type) && isIt(message, said)) return { ...said, message }
    }
    return null
  }

  /** Resolves with the move that the client makes for a turn. */
  moveOf(turn: number) {
    return this.until(noMoveFor(turn), () => this.found('move', (move) => move.turn === turn))
  }

  asked(request: Asked): void {
    this.#asked.push(request)
    this.#keepsHere(request.what)
  }

  admits(): Admission {
    return this.tampering.admit?.() ?? 'open'
  }

  opened(link: Link): void {
    this.links.push(link)
    this.#witness.connected()
    if (link.credential !== this.links[0]?.credential)
      this.blame('It came back as another player: keep the token for as long as you play.')
    this.#look()
  }

  hears(link: Link, frame: string, isBinary: boolean): readonly string[] {
    const { said: message, blame } = this.#witness.hear(frame, isBinary)
    if (blame !== null) this.blame(blame)
    if (message === null) return [frame]
    const said = { message, link, at: performance.now() }
    this.said.push(said)
    this.#keepsHere(message.type)
    if (message.type !== 'ping') for (const { renew } of this.#waits) renew()
    const instead = this.tampering.say?.(said) ?? null
    this.#look()
    return instead === null ? [frame] : instead.map((other) => JSON.stringify(other))
  }

  tells(link: Link, message: ServerMessage): readonly ToldFrame[] {
    return this.tampering.tell?.(message, link) ?? [message]
  }

  told(message: ToldFrame): void {
    const blame = this.#witness.told(message)
    if (blame !== null) this.blame(blame)
    if (tellsTheEnd(message)) this.#isOver = true
    this.#look()
  }

  closed(): void {
    this.#look()
  }

  /** Blames the client if this is how one has a game elsewhere. */
  #keepsHere(by: string): void {
    const elsewhere = this.#errand === null ? null : goesElsewhere(by, this.#errand)
    if (elsewhere !== null) this.blame(elsewhere)
  }

  /** What the client left undone: what it had to do in this check, if it has come as far as that. */
  #undone(missing: string): string {
    if (this.#errand === null) return missing
    const said = new Set(this.said.map(({ message }) => message.type))
    const traces = { asked: this.#asked, connections: this.links.length, said }
    return undoneOf(traces, this.#errand) ?? missing
  }

  #fail(error: unknown): void {
    this.#failure ??= error
    for (const { fail } of [...this.#waits]) fail(this.#failure)
  }

  #look(): void {
    for (const { look } of [...this.#waits]) look()
  }

  #wait<T>(missing: string, look: () => T | null): Promise<T> {
    return new Promise((resolve, reject) => {
      const done = (settle: () => void): void => {
        clearTimeout(timer)
        this.#waits.delete(wait)
        settle()
      }
      const seconds = this.#staging.patienceMs / 1000
      const timer = setTimeout(
        () =>
          wait.fail(new Blame(`${this.#undone(missing)} (It did nothing for ${seconds} seconds.)`)),
        this.#staging.patienceMs,
      )
      const wait: Wait = {
        renew: () => void timer.refresh(),
        fail: (error) => done(() => reject(error)),
        look: () => {
          try {
            const found = look()
            if (found !== null) done(() => resolve(found))
          } catch (error) {
            wait.fail(error)
          }
        },
      }
      this.#waits.add(wait)
      if (this.#failure !== null) wait.fail(this.#failure)
      else wait.look()
    })
  }
}

/** What is missing if the client makes no move for a turn. */
export const noMoveFor = (turn: number): string =>
  `It made no move for turn ${turn}, which was its own.`

const tellsTheEnd = ({ type, events }: ToldFrame): boolean =>
  type === 'event' &&
  Array.isArray(events) &&
  events.some((event: ToldFrame) => event.type === 'gameEnded')

const isOf = <Type extends ClientMessage['type']>(
  message: ClientMessage,
  type: Type,
): message is Extract<ClientMessage, { readonly type: Type }> => message.type === type
