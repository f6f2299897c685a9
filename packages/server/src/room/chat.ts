import { ok } from '@junqi/engine'
import type {
  Channel,
  ChatPosition,
  CommandId,
  EncodedMessage,
  Phrase,
  Player,
  PlayerId,
  RoomId,
} from '@junqi/protocol'
import {
  type ChatStore,
  type ChatStream,
  type Clock,
  type QuotaStore,
  StoreUnavailableError,
} from '../ports.ts'
import type { Rate } from '../rate-limit.ts'
import type { Session } from '../socket/session.ts'
import { encodeLine } from './chat-line.ts'
import { decideSay, type HeardStream, heardBy } from './chat-rules.ts'
import { type Refusal, refusal, refuse, tooMany } from './decision.ts'
import { type KeptLine, KeptTalk, lastOf } from './kept-talk.ts'
import type { Outcome } from './request.ts'
import { type RoomState, seatOf } from './room-state.ts'
import { isRunning } from './spectating.ts'

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

const ACCEPTED: Outcome = ok({ version: null, isAnnounced: false })

/** What is said in a room (R-CHAT-3): apart from its log and its mailbox, so that it moves nothing of the game (R-CHAT-6). */
export class Chat {
  readonly #room: RoomId
  readonly #deps: ChatDeps
  readonly #kept: KeptTalk
  readonly #positions = new WeakMap<Session, Map<string, Position>>()
  /** Those who have subscribed, and were not told yet what was said before. */
  readonly #greeted = new WeakSet<Session>()
  #telling: Promise<void> = Promise.resolve()
  /** Begins when `#telling` is done. */
  #next: Promise<void> | null = null

  constructor(room: RoomId, deps: ChatDeps) {
    this.#room = room
    this.#deps = deps
    this.#kept = new KeptTalk(room, deps.store)
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

  /**
   * The host lets a player say nothing, but to its ally, or lets it again. While the game runs it is not told by that who looks on
   * or talks where it does not hear (R-ROOM-4): silencing somebody who is not there is harmless.
   */
  async silence(by: PlayerId, target: PlayerId, isSilenced: boolean): Promise<Outcome> {
    const { store, state } = this.#deps
    if (state().host !== by) return refuse('not_host')
    if (target === by) return refuse('not_yourself', 'The host cannot silence itself.')
    const mayBeTold = !isRunning(state())
    if (isSilenced && mayBeTold && !(await this.#isKnown(by, target))) {
      return refuse('no_such_player', UNKNOWN)
    }
    const change = { isIn: isSilenced, limit: MOST_SILENCED }
    const isDone = await store.setSilenced(this.#room, target, change)
    return isDone ? ACCEPTED : refuse('too_many_players')
  }

  /**
   * Whether a host can know that the player is or was here (R-CHAT-5): it has a seat, was let in, shows itself, or has said something
   * that the host hears, even if it is gone since. Who only looks on, unnamed, is not given away.
   */
  async #isKnown(host: PlayerId, player: PlayerId): Promise<boolean> {
    const { store, state, shown } = this.#deps
    if (seatOf(state(), player) !== null || state().members.has(player)) return true
    if (shown().some(({ id }) => id === player)) return true
    if ((await store.silencedIn(this.#room)).includes(player)) return true
    const streams = heardBy(state(), host)
    await this.#kept.read(streams)
    const lines = streams.flatMap((stream) => this.#kept.linesOf(stream))
    return lines.some(({ told }) => told.by === player)
  }

  /** A session watches from now on: it is told what it may hear, but for what it has, or was told if it watched before. */
  greet(
    session: Session,
    from: { readonly heard: readonly ChatPosition[]; readonly isWatching: boolean },
  ): void {
    const known = from.isWatching ? this.#positions.get(session) : undefined
    const positions = new Map<string, Position>(known)
    for (const { channel, name, part } of heardBy(this.#deps.state(), session.player.id)) {
      const has = from.heard.find((each) => each.channel === channel && each.part === part)
      if (has !== undefined) positions.set(name, { part, number: has.number })
    }
    this.#positions.set(session, positions)
    this.#greeted.add(session)
    void this.look()
  }

  /** The store may have something else than what was read. */
  forget(): void {
    this.#kept.forget()
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
    await this.#kept.read(this.#heardBy(sessions))
    const behind = sessions.filter((session) => this.#isBehind(session))
    const mutes = await Promise.all(behind.map(({ player }) => this.#deps.mutedBy(player.id)))
    // As the room is now: who may hear it no more does not.
    const here = new Set(this.#deps.sessions())
    for (const [n, session] of behind.entries()) {
      if (here.has(session)) this.#tellNews(session, mutes[n] ?? NOBODY)
    }
    for (const session of sessions) this.#greeted.delete(session)
  }

  /** Each stream that one of them hears. */
  #heardBy(sessions: readonly Session[]): readonly HeardStream[] {
    const state = this.#deps.state()
    const players = new Set(sessions.map(({ player }) => player.id))
    const streams = [...players].flatMap((player) => heardBy(state, player))
    return [...new Map(streams.map((stream) => [stream.name, stream])).values()]
  }

  #isBehind(session: Session): boolean {
    return heardBy(this.#deps.state(), session.player.id).some(
      (stream) => this.#newTo(session, stream).length > 0,
    )
  }

  #tellNews(session: Session, muted: ReadonlySet<PlayerId>): void {
    const told: EncodedMessage[] = []
    for (const stream of heardBy(this.#deps.state(), session.player.id)) {
      const news = this.#newTo(session, stream)
      const last = news.at(-1)
      if (last === undefined) continue
      this.#positions.get(session)?.set(stream.name, { part: stream.part, number: last.number })
      for (const line of news) if (!muted.has(line.told.by)) told.push(line.told.frame)
    }
    if (this.#greeted.has(session)) session.replay(told)
    else for (const frame of told) session.send(frame)
  }

  #newTo(session: Session, stream: ChatStream): readonly KeptLine[] {
    const lines = this.#kept.linesOf(stream)
    const position = this.#positions.get(session)?.get(stream.name)
    const after = position?.part === stream.part ? position.number : 0
    return lastOf(lines) > after ? lines.filter(({ number }) => number > after) : []
  }
}

const NOBODY: ReadonlySet<PlayerId> = new Set()
