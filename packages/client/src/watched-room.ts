import { err, InvariantError, ok, type Result, type Seat, type SpaceId } from '@junqi/engine'
import {
  type BotLevel,
  type Channel,
  type ClientMessage,
  ERRORS,
  type Invitation,
  type Phrase,
  type PlayerId,
  type RoomId,
  type RoomView,
  type SeatScores,
  type ServerMessage,
  type Spectators,
  type ViewedEvent,
} from '@junqi/protocol'
import { ChatLog, NO_ONLOOKERS, type OnlookerCount, type Said } from './chat-log.ts'
import { Feed } from './feed.ts'
import { type Refusal, refusal } from './refusal.ts'
import type { Reply, Requests } from './requests.ts'
import { evolveRoom, type RoomMessage, type RoomState, roomOfSnapshot } from './room-state.ts'

/** What the readers of a room are told. After `lost` nothing comes. */
export type RoomUpdate =
  | {
      readonly type: 'event'
      readonly state: RoomState
      readonly events: readonly ViewedEvent[]
    }
  | { readonly type: 'snapshot' | 'presence' | 'draft'; readonly state: RoomState }
  /** The game was scored (R-SCORE); a client that is away then finds it by `scoresOf`. */
  | { readonly type: 'scored'; readonly state: RoomState; readonly seats: SeatScores }
  | { readonly type: 'said'; readonly state: RoomState; readonly said: Said }
  | {
      readonly type: 'onlookers'
      readonly state: RoomState
      readonly onlookers: OnlookerCount
    }
  | { readonly type: 'lost'; readonly reason: Refusal }

/** The command was accepted and made this version of the room; null: it made none. */
export interface Accepted {
  readonly room: RoomId | null
  readonly version: number | null
}

type Answer = Promise<Result<Accepted, Refusal>>
type About<Message> = Message extends { readonly room: RoomId }
  ? Omit<Message, 'id' | 'room'>
  : never
type Options = Extract<ClientMessage, { readonly type: 'setRules' }>['options']

export interface RoomDeps {
  readonly requests: Requests
  /** Who looks; known before anything is received. */
  readonly me: () => PlayerId | null
  /** The player has a seat in a game to come or going on here, or has none any more. */
  readonly onSeat: (isSeated: boolean) => void
  /** Nothing more is to be handed to this room. */
  readonly onEnd: () => void
}

/** A room that is watched: what the player sees of it, in step with the server, and what it may do there. */
export type RoomHandle = Omit<WatchedRoom, 'sync' | 'receive' | 'hear' | 'end' | 'isInGame'>

export class WatchedRoom {
  readonly id: RoomId
  readonly #invitation: { readonly invitation?: Invitation }
  readonly #isShown: boolean
  readonly #deps: RoomDeps
  readonly #feed = new Feed<RoomUpdate>()
  readonly #openers: ((result: Result<RoomState, Refusal>) => void)[] = []
  #state: RoomState | null = null
  #lost: Refusal | null = null
  #scores: SeatScores | null = null
  #isSyncing = false
  readonly #chat = new ChatLog()
  #onlookers: OnlookerCount = NO_ONLOOKERS

  constructor(
    id: RoomId,
    { invitation, isShown }: { readonly invitation: Invitation | null; readonly isShown: boolean },
    deps: RoomDeps,
  ) {
    this.id = id
    this.#isShown = isShown
    this.#invitation = invitation === null ? {} : { invitation }
    this.#deps = deps
  }

  /** What is known of the room; null: nothing yet. */
  get state(): RoomState | null {
    return this.#state
  }

  get view(): RoomView | null {
    return this.#state?.view ?? null
  }

  /** What the game did to its players; null: this client was not told. */
  get scores(): SeatScores | null {
    return this.#scores
  }

  /** What was said in a channel, the oldest first. */
  chat(channel: Channel): readonly Said[] {
    return this.#chat.said(channel)
  }

  /** Who looks on without a seat, as last told. */
  get onlookers(): OnlookerCount {
    return this.#onlookers
  }

  /** Whether the player has a seat in a game that is on: its clock runs. */
  get isInGame(): boolean {
    if (this.view === null) return false
    const { phase, game, you } = this.view
    if (you.seat === null) return false
    return phase === 'deployment' || (phase === 'playing' && game?.seats[you.seat]?.out === null)
  }

  /** Resolves when the room is known, or cannot be. */
  opened(): Promise<Result<RoomState, Refusal>> {
    if (this.#lost !== null) return Promise.resolve(err(this.#lost))
    if (this.#state !== null) return Promise.resolve(ok(this.#state))
    return new Promise((resolve) => this.#openers.push(resolve))
  }

  /** The room now, if it is known, and then every change. A slow loop gets one snapshot for all that it missed. */
  updates(): AsyncIterableIterator<RoomUpdate> {
    return this.#feed.read(this.#state === null ? [] : [{ type: 'snapshot', state: this.#state }])
  }

  /** Calls `listener` at every change; the function that comes back ends that. */
  onUpdate(listener: (update: RoomUpdate) => void): () => void {
    return this.#feed.listen(listener)
  }

  /** Watches the room no longer. The seat is kept; `leave` gives it up. */
  close(): void {
    if (this.#lost !== null) return
    this.#deps.requests.ask((id) => ({ type: 'unsubscribe', id, room: this.id }))
    this.end(refusal('closed', 'The room was closed by this client.'))
  }

  sit(seat: Seat): Answer {
    return this.#command({ type: 'sit', seat, ...this.#invitation })
  }

  stand(): Answer {
    return this.#command({ type: 'stand' })
  }

  requestSwap(seat: Seat): Answer {
    return this.#command({ type: 'requestSwap', seat })
  }

  answerSwap(swap: number, accept: boolean): Answer {
    return this.#command({ type: 'answerSwap', swap, accept })
  }

  ready(): Answer {
    return this.#command({ type: 'ready' })
  }

  notReady(): Answer {
    return this.#command({ type: 'notReady' })
  }

  /** Says something to those who hear the channel, in text. */
  say(channel: Channel, text: string): Answer {
    return this.#command({ type: 'say', channel, text })
  }

  /** The same by a phrase, which each client shows in its own language. */
  sayPhrase(channel: Channel, phrase: Phrase): Answer {
    return this.#command({ type: 'say', channel, phrase })
  }

  /** As host: a player may say nothing here, or may again. */
  silence(player: PlayerId, silenced: boolean): Answer {
    return this.#command({ type: 'silence', player, silenced })
  }

  setRules(preset: RoomView['rules']['preset'], options: Options = {}): Answer {
    return this.#command({ type: 'setRules', preset, options })
  }

  setSpectators(spectators: Spectators): Answer {
    return this.#command({ type: 'setSpectators', spectators })
  }

  removePlayer(player: PlayerId): Answer {
    return this.#command({ type: 'removePlayer', player })
  }

  /** The host's: a bot of this level that is connected takes the seat; `removePlayer` takes it away again. */
  addBot(seat: Seat, level: BotLevel): Answer {
    return this.#command({ type: 'addBot', seat, level })
  }

  start(): Answer {
    return this.#command({ type: 'start' })
  }

  saveDraft(formation: string): Answer {
    return this.#command({ type: 'saveDraft', formation })
  }

  submitFormation(formation: string): Answer {
    return this.#command({ type: 'submitFormation', formation })
  }

  /** For the turn that `view` shows now. If another has begun when it arrives, it is refused as `stale_turn` (F-R6). */
  move(from: SpaceId, to: SpaceId): Answer {
    return this.#command({ type: 'move', turn: this.#turn(), from, to })
  }

  /** Flip game: for the turn that `view` shows now, like `move`. */
  flip(space: SpaceId): Answer {
    return this.#command({ type: 'flip', turn: this.#turn(), space })
  }

  resign(): Answer {
    return this.#command({ type: 'resign', turn: this.#turn() })
  }

  leave(): Answer {
    return this.#command({ type: 'leave' })
  }

  offerDraw(): Answer {
    return this.#command({ type: 'offerDraw' })
  }

  answerDraw(offer: number, accept: boolean): Answer {
    return this.#command({ type: 'answerDraw', offer, accept })
  }

  /** The next game's room is `view.rematch` then. */
  rematch(): Answer {
    return this.#command({ type: 'rematch' })
  }

  /** Asks for what is missing. */
  sync(): void {
    if (this.#isSyncing || this.#lost !== null) return
    this.#isSyncing = true
    // Told anew, if there are any.
    this.#onlookers = NO_ONLOOKERS
    const heard = this.#chat.heard()
    const subscribed = this.#deps.requests.ask((id) => ({
      type: 'subscribe',
      id,
      room: this.id,
      ...this.#invitation,
      ...(this.#state !== null && { since: this.#state.version }),
      ...(heard.length > 0 && { heard }),
      ...(this.#isShown && { shown: true }),
    }))
    subscribed.then((result) => {
      this.#isSyncing = false
      if (!result.ok) this.end(result.error)
      else if (this.#state === null) this.sync()
    })
  }

  /** A message about this room has come. */
  receive(
    message: RoomMessage | Extract<ServerMessage, { readonly type: 'dropped' | 'scored' }>,
  ): void {
    if (message.type === 'dropped') this.end(refusal(message.code, ERRORS[message.code].text))
    else if (message.type === 'scored') this.#noteScores(message.seats)
    else if (message.type === 'snapshot') this.#adopt(roomOfSnapshot(message), message)
    else if (this.#state !== null) this.#follow(this.#state, message)
  }

  #noteScores(seats: SeatScores): void {
    const state = this.#state
    if (state === null) return
    this.#scores = seats
    this.#feed.push({ type: 'scored', state, seats }, () => ({ type: 'snapshot', state }))
  }

  /** Something apart from the room's log has come: what was said, and who looks on. */
  hear(message: Extract<ServerMessage, { readonly type: 'said' | 'onlookers' }>): void {
    if (message.type === 'onlookers') {
      const { count, players } = message
      this.#onlookers = { count, players }
    } else if (!this.#chat.add(message)) return
    const { state } = this
    if (state === null) return
    const update: RoomUpdate =
      message.type === 'said'
        ? { type: 'said', state, said: message }
        : { type: 'onlookers', state, onlookers: this.#onlookers }
    this.#feed.push(update, () => ({ type: 'snapshot', state }))
  }

  /** There is nothing more to come. */
  end(reason: Refusal): void {
    if (this.#lost !== null) return
    this.#lost = reason
    this.#deps.onEnd()
    for (const open of this.#openers.splice(0)) open(err(reason))
    const lost: RoomUpdate = { type: 'lost', reason }
    this.#feed.push(lost, () => lost)
    this.#feed.end()
  }

  #follow(state: RoomState, message: Exclude<RoomMessage, { readonly type: 'snapshot' }>): void {
    const ahead = message.type === 'event' ? message.version - state.version : 1
    if (ahead > 1) this.sync()
    if (ahead !== 1) return
    const next = this.#evolved(state, message)
    if (next === null) this.#beginAnew()
    else this.#adopt(next, message)
  }

  /** What the server tells does not fit what it told before. */
  #beginAnew(): void {
    this.#state = null
    this.sync()
  }

  #evolved(state: RoomState, message: RoomMessage): RoomState | null {
    const me = this.#deps.me()
    if (me === null) return null
    try {
      return evolveRoom(state, message, me)
    } catch (error) {
      if (error instanceof InvariantError) return null
      throw error
    }
  }

  #adopt(state: RoomState, { type, ...message }: RoomMessage): void {
    const wasSeated = this.#state === null ? null : isSeated(this.#state.view)
    this.#state = state
    if (isSeated(state.view) !== wasSeated) this.#deps.onSeat(isSeated(state.view))
    for (const open of this.#openers.splice(0)) open(ok(state))
    const update: RoomUpdate =
      type === 'event' && 'events' in message
        ? { type, state, events: message.events }
        : { type: type === 'event' ? 'snapshot' : type, state }
    this.#feed.push(update, () => ({ type: 'snapshot', state }))
  }

  #turn(): number {
    return this.#state?.view.game?.turn ?? 0
  }

  async #command(command: About<ClientMessage>): Answer {
    const result = await this.#deps.requests.ask((id) => ({ ...command, id, room: this.id }))
    return result.ok ? ok(accepted(result.value)) : result
  }
}

/** Whether the player's game here is to come or goes on, be it without the player. Who left has no part in it. */
function isSeated({ phase, closed, you, game }: RoomView): boolean {
  if (you.seat === null || closed || phase === 'finished') return false
  return game?.seats[you.seat]?.out !== 'left'
}

export const accepted = ({ room, version }: Reply): Accepted => ({ room, version })
