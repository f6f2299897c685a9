import { ok } from '@junqi/engine'
import {
  type Channel,
  type ChatPosition,
  type CommandId,
  type EncodedMessage,
  encodeServerMessage,
  type Phrase,
  type Player,
  type PlayerId,
  type RoomId,
} from '@junqi/protocol'
import {
  type ChatStore,
  type ChatStream,
  type Clock,
  type QuotaStore,
  type StoredChat,
  StoreUnavailableError,
} from '../ports.ts'
import type { Rate } from '../rate-limit.ts'
import type { Session } from '../socket/session.ts'
import { encodeLine, parseLine } from './chat-line.ts'
import { decideSay, type HeardStream, heardBy } from './chat-rules.ts'
import { type Refusal, refusal, refuse, tooMany } from './decision.ts'
import type { Outcome } from './request.ts'
import { type RoomState, seatOf } from './room-state.ts'

/** Players whom a host may silence in a room. */
const MOST_SILENCED = 100

export interface ChatDeps {
  readonly store: ChatStore & Pick<QuotaStore, 'take'> & { readonly clock: Clock }
  /** What one player may say, in all rooms and over all nodes. */
  readonly rate: Rate
  state(): RoomState
  /** Those who watch the room here. */
  sessions(): readonly Session[]
  /** Those who look on, and let it be known. */
  shown(): readonly Player[]
  /** Whom a player who is connected here does not hear. */
  mutedBy(player: PlayerId): Promise<ReadonlySet<PlayerId>>
  /** A fault of ours. */
  fault(error: unknown): void
}

/** What a player wants to say. */
export interface Speech {
  readonly id: CommandId
  readonly channel: Channel
  readonly text: string | null
  readonly phrase: Phrase | null
}

/** The last message of a stream that a session was told, or passed over. */
interface Position {
  readonly part: number
  readonly number: number
}

const UNKNOWN =
  'This player has no seat here, was not let in, does not look on by its name, and has said nothing.'

/** All that a player may have said but to its ally. */
const spokenTo = (part: number): readonly (ChatStream & { readonly after: number })[] => [
  { name: 'room', part: 0, after: 0 },
  { name: 'table', part, after: 0 },
  { name: 'spectators', part, after: 0 },
]

const ACCEPTED: Outcome = ok({ version: null, isAnnounced: false })

/** What is said in a room (R-CHAT-3): apart from its log and its mailbox, so that it moves nothing of the game (R-CHAT-6). */
export class Chat {
  readonly #room: RoomId
  readonly #deps: ChatDeps
  readonly #positions = new WeakMap<Session, Map<string, Position>>()
  #telling: Promise<void> = Promise.resolve()
  /** Begins when `#telling` is done. */
  #next: Promise<void> | null = null

  constructor(room: RoomId, deps: ChatDeps) {
    this.#room = room
    this.#deps = deps
  }

  /** The room's state is as new as it can be. */
  async say(player: Player, speech: Speech): Promise<Outcome> {
    const { store, rate } = this.#deps
    const { id, channel, text, phrase } = speech
    const decided = decideSay(this.#deps.state(), player.id, channel)
    if (!decided.ok) return this.#firstAnswer(player, id, decided.error)
    if (channel !== 'alliance' && (await store.silencedIn(this.#room)).includes(player.id)) {
      return this.#firstAnswer(player, id, refusal('silenced'))
    }
    const waitMs = await store.take('chat', player.id, rate)
    if (waitMs > 0) return this.#firstAnswer(player, id, tooMany(waitMs).error)
    const data = encodeLine({ by: player, at: store.clock.now(), text, phrase })
    const { name, part } = decided.value
    const line = { player: player.id, id, data }
    const number = await store.addChat(this.#room, { name, part }, line)
    if (number === null) return refuse('channel_closed')
    await this.look()
    return ACCEPTED
  }

  /** One that is refused now may have been accepted when it was first sent (F-R2). */
  async #firstAnswer(player: Player, id: CommandId, refused: Refusal): Promise<Outcome> {
    const isKnown = await this.#deps.store.acceptedChat(this.#room, player.id, id)
    return isKnown ? ACCEPTED : { ok: false, error: refused }
  }

  /** The host lets a player say nothing, but to its ally, or lets it again. */
  async silence(by: PlayerId, target: PlayerId, isSilenced: boolean): Promise<Outcome> {
    const { store, state } = this.#deps
    if (state().host !== by) return refuse('not_host')
    if (target === by) return refuse('not_yourself', 'The host cannot silence itself.')
    if (isSilenced && !(await this.#isKnown(target))) return refuse('no_such_player', UNKNOWN)
    const change = { isIn: isSilenced, limit: MOST_SILENCED }
    const isDone = await store.setSilenced(this.#room, target, change)
    return isDone ? ACCEPTED : refuse('too_many_players')
  }

  /**
   * Whether a host can know that the player is or was here (R-CHAT-5): it has a seat, was let in, shows itself, or has said something,
   * even if it is gone since. Who only looks on, unnamed, is not given away.
   */
  async #isKnown(player: PlayerId): Promise<boolean> {
    const { store, state, shown } = this.#deps
    const { members, begunAt } = state()
    if (seatOf(state(), player) !== null || members.has(player)) return true
    if (shown().some(({ id }) => id === player)) return true
    if ((await store.silencedIn(this.#room)).includes(player)) return true
    const said = await store.readChat(this.#room, spokenTo(begunAt))
    return said.flat().some(({ data }) => parseLine(data).by.id === player)
  }

  /** A session watches from now on: it is told what it may hear, but for what it has. */
  greet(session: Session, heard: readonly ChatPosition[]): void {
    const positions = new Map<string, Position>()
    for (const { channel, name, part } of heardBy(this.#deps.state(), session.player.id)) {
      const known = heard.find((has) => has.channel === channel && has.part === part)
      if (known !== undefined) positions.set(name, { part, number: known.number })
    }
    this.#positions.set(session, positions)
    void this.look()
  }

  /** Something may have been said. Resolves when it was told to those here who hear it. */
  look(): Promise<void> {
    if (this.#next === null) {
      this.#next = this.#telling.then(() => {
        this.#next = null
        return this.#tell()
      })
      this.#telling = this.#next
    }
    return this.#next
  }

  /** Resolves when nothing is on its way. */
  async settled(): Promise<void> {
    await this.#telling
  }

  async #tell(): Promise<void> {
    try {
      await this.#tellAll()
    } catch (error) {
      // It is told after the next message, or when the store is there again.
      if (!(error instanceof StoreUnavailableError)) this.#deps.fault(error)
    }
  }

  async #tellAll(): Promise<void> {
    const sessions = this.#deps.sessions().filter((session) => this.#positions.has(session))
    const wanted = this.#wantedBy(sessions)
    if (wanted.length === 0) return
    const found = await this.#deps.store.readChat(this.#room, wanted)
    const streams = new Map(wanted.map(({ name, part }, n) => [`${name} ${part}`, found[n] ?? []]))
    if (found.every((lines) => lines.length === 0)) return
    const frames = new Map<StoredChat, Told>()
    const mutes = new Map<PlayerId, ReadonlySet<PlayerId>>()
    for (const { player } of sessions) mutes.set(player.id, await this.#deps.mutedBy(player.id))
    // As the room is now: who may hear it no more does not.
    const here = new Set(this.#deps.sessions())
    for (const session of sessions.filter((each) => here.has(each))) {
      const muted = mutes.get(session.player.id) ?? NOBODY
      for (const stream of heardBy(this.#deps.state(), session.player.id)) {
        const lines = streams.get(`${stream.name} ${stream.part}`) ?? []
        for (const line of this.#newTo(session, stream, lines)) {
          const told = frames.get(line) ?? this.#encode(stream, line)
          frames.set(line, told)
          if (!muted.has(told.by)) session.send(told.frame)
        }
      }
    }
  }

  /** Each stream that one of them hears, from where one of them is. */
  #wantedBy(sessions: readonly Session[]): (ChatStream & { readonly after: number })[] {
    const wanted = new Map<string, ChatStream & { readonly after: number }>()
    for (const session of sessions) {
      for (const { name, part } of heardBy(this.#deps.state(), session.player.id)) {
        const after = this.#numberOf(session, { name, part })
        const known = wanted.get(name)
        wanted.set(name, { name, part, after: Math.min(after, known?.after ?? after) })
      }
    }
    return [...wanted.values()]
  }

  #numberOf(session: Session, { name, part }: ChatStream): number {
    const position = this.#positions.get(session)?.get(name)
    return position?.part === part ? position.number : 0
  }

  #newTo(
    session: Session,
    { name, part }: ChatStream,
    lines: readonly StoredChat[],
  ): readonly StoredChat[] {
    const after = this.#numberOf(session, { name, part })
    const last = lines.at(-1)?.number ?? 0
    if (last <= after) return []
    this.#positions.get(session)?.set(name, { part, number: last })
    return lines.filter(({ number }) => number > after)
  }

  #encode({ channel, part }: HeardStream, { number, data }: StoredChat): Told {
    const { by, at, text, phrase } = parseLine(data)
    const frame = encodeServerMessage({
      type: 'said',
      room: this.#room,
      channel,
      part,
      number,
      by,
      at,
      text,
      phrase,
    })
    return { by: by.id, frame }
  }
}

interface Told {
  readonly by: PlayerId
  readonly frame: EncodedMessage
}

const NOBODY: ReadonlySet<PlayerId> = new Set()
