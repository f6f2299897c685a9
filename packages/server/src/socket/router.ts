import { assertNever, ok, type Result } from '@junqi/engine'
import {
  type CommandId,
  ERRORS,
  encodeServerMessage,
  type Invitation,
  LIMITS,
  type Player,
  type RoomId,
} from '@junqi/protocol'
import { type ServiceTime, StoreUnavailableError } from '../ports.ts'
import type { QuickPlay } from '../quick-play/quick-play.ts'
import { type Refusal, refusal, refuse } from '../room/decision.ts'
import type { RoomRegistry } from '../room/registry.ts'
import type { Outcome, Request } from '../room/request.ts'
import type { RoomActor } from '../room/room-actor.ts'
import type { Chance, DealtChance, PlayerAction } from '../room/room-command.ts'
import type { RoomService } from '../room/room-service.ts'
import { maySee, type RoomState } from '../room/room-state.ts'
import type { RoomMessage, Router, Session } from './session.ts'

export interface RouterDeps {
  readonly registry: RoomRegistry
  readonly service: Pick<RoomService, 'createRoom' | 'rematch' | 'sit' | 'addBot'>
  readonly quickPlay: Pick<
    QuickPlay,
    'connect' | 'disconnect' | 'join' | 'joinPair' | 'cancel' | 'ask'
  >
  /** Drawn anew for each command that may start play. */
  chance(): Chance
  /** And for each that may start a flip game. */
  dealtChance(): DealtChance
  /** A fault of ours that belongs to no room. */
  fault(error: unknown): void
}

type Message<Type extends RoomMessage['type']> = Extract<RoomMessage, { type: Type }>
/** Messages about no room that is there already. */
type Elsewhere = Exclude<RoomMessage, { room: RoomId }>
type InRoom = Exclude<RoomMessage, Elsewhere>
/** What is said stands apart from what is done (R-CHAT-6). */
type Talk = Extract<InRoom, { type: 'say' | 'silence' }>
type Command = Exclude<InRoom, Talk | { type: 'subscribe' | 'unsubscribe' | 'rematch' | 'addBot' }>
type QuickPlayMessage = Message<'quickPlay' | 'joinPair' | 'cancelQuickPlay' | 'askQuickPlay'>
type Asking = Omit<Request, 'action'> & { readonly id: CommandId; readonly session: Session }

/** Hands each message of a socket to its room, and answers it exactly once. */
export class RoomRouter implements Router {
  readonly #deps: RouterDeps

  constructor(deps: RouterDeps) {
    this.#deps = deps
  }

  open(session: Session): void {
    this.#deps.quickPlay.connect(session)
    this.#deps.registry.connect(session)
  }

  close(session: Session): void {
    this.#deps.registry.disconnect(session)
    this.#deps.quickPlay.disconnect(session)
  }

  queued({ player }: Session, message: RoomMessage): () => void {
    return isInTurn(message) ? this.#deps.registry.queued(player.id, message.room) : () => {}
  }

  async handle(session: Session, message: RoomMessage, receivedAt: ServiceTime): Promise<void> {
    try {
      if ('room' in message) await this.#handleInRoom(session, message, receivedAt)
      else await this.#handleElsewhere(session, message)
    } catch (error) {
      const isPassing = error instanceof StoreUnavailableError
      if (!isPassing) this.#deps.fault(error)
      const room = 'room' in message ? message.room : null
      answerRefused(session, message.id, {
        ...refusal(isPassing ? 'unavailable' : 'internal'),
        room,
      })
    }
  }

  async #handleElsewhere(session: Session, message: Elsewhere): Promise<void> {
    switch (message.type) {
      case 'createRoom':
        return this.#createRoom(session, message)
      case 'watchLobby':
        return this.#watchLobby(session, message)
      case 'mutePlayer':
        return this.#mutePlayer(session, message)
      case 'unwatchLobby':
        this.#deps.registry.lobby.unwatch(session)
        return answerAccepted(session, message.id, NOTHING_MADE)
      case 'quickPlay':
      case 'joinPair':
      case 'cancelQuickPlay':
      case 'askQuickPlay':
        return this.#quickPlay(session, message)
      default:
        return assertNever(message)
    }
  }

  async #quickPlay(session: Session, message: QuickPlayMessage): Promise<void> {
    const done = await this.#outcomeOfQuickPlay(session.player, message)
    if (done.ok) answerAccepted(session, message.id, NOTHING_MADE)
    else answerRefused(session, message.id, { ...done.error, room: null })
  }

  async #outcomeOfQuickPlay(
    player: Player,
    message: QuickPlayMessage,
  ): Promise<Result<null, Refusal>> {
    const { quickPlay } = this.#deps
    switch (message.type) {
      case 'quickPlay':
        return quickPlay.join(player, message)
      case 'joinPair':
        return quickPlay.joinPair(player, message)
      case 'cancelQuickPlay':
        return quickPlay.cancel(player)
      case 'askQuickPlay':
        await quickPlay.ask(player)
        return ok(null)
      default:
        return assertNever(message)
    }
  }

  async #watchLobby(session: Session, { id, filters }: Message<'watchLobby'>): Promise<void> {
    const accept = () => answerAccepted(session, id, NOTHING_MADE)
    const watched = await this.#deps.registry.lobby.watch(session, filters, accept)
    if (!watched.ok) answerRefused(session, id, { ...watched.error, room: null })
  }

  async #mutePlayer(session: Session, { id, player, muted }: Message<'mutePlayer'>): Promise<void> {
    const outcome = await this.#deps.registry.mutes.set(session.player.id, player, muted)
    if (outcome.ok) answerAccepted(session, id, NOTHING_MADE)
    else answerRefused(session, id, { ...outcome.error, room: null })
  }

  async #createRoom(session: Session, message: Message<'createRoom'>): Promise<void> {
    const { id, preset, options = {}, private: isPrivate = false, spectators } = message
    const request = { preset, options, private: isPrivate, spectators }
    const created = await this.#deps.service.createRoom(session.player, request, id)
    if (created.ok) answerAccepted(session, id, created.value)
    else answerRefused(session, id, { ...created.error, room: null })
  }

  async #handleInRoom(session: Session, message: InRoom, receivedAt: ServiceTime): Promise<void> {
    const { registry } = this.#deps
    const { id, room } = message
    // A room in memory gets the command at once: what came before a deadline stands before it in the mailbox.
    const actor = registry.get(room) ?? (await registry.open(room))
    if (actor === null) {
      answerRefused(session, id, { ...refusal('room_not_found'), room })
    } else {
      const outcome = await this.#outcomeOf(actor, session, message, receivedAt)
      answer(actor, session, message, outcome)
    }
  }

  #outcomeOf(
    actor: RoomActor,
    session: Session,
    message: InRoom,
    receivedAt: ServiceTime,
  ): Outcome | Promise<Outcome> {
    const request = { player: session.player, receivedAt, id: message.id, session }
    switch (message.type) {
      case 'subscribe':
        return this.#subscribe(actor, request, message)
      case 'unsubscribe':
        return this.#unsubscribe(actor, session)
      case 'rematch':
        return this.#deps.service.rematch(actor, request)
      case 'addBot': {
        const action = { type: 'addBot', seat: message.seat, bot: null } as const
        return this.#deps.service.addBot(actor, { ...request, action }, message.level)
      }
      case 'say': {
        const { id, channel, text = null, phrase = null } = message
        return actor.say(session.player, { id, channel, text, phrase })
      }
      case 'silence':
        return actor.silence(session.player.id, message.player, message.silenced)
      case 'sit':
        return this.#deps.service.sit(actor, { ...request, action: this.#actionOf(message) })
      default:
        return actor.submit({
          player: session.player,
          action: this.#actionOf(message),
          receivedAt,
          id: message.id,
          session,
        })
    }
  }

  async #subscribe(
    actor: RoomActor,
    request: Asking,
    { since, invitation, heard, shown }: Message<'subscribe'>,
  ): Promise<Outcome> {
    const { session, player, id } = request
    if (invitation !== undefined && !maySee(actor.state, player.id)) {
      const joined = await join(actor, request, invitation)
      if (!joined.ok) return joined
    }
    const watched = this.#deps.registry.watchedBy(session)
    const isFull = watched.size >= LIMITS.subscriptions && !watched.has(actor)
    if (isFull && maySee(actor.state, player.id)) {
      actor.rest()
      return refuse('too_many_rooms')
    }
    const from = { since: since ?? null, heard: heard ?? [], isShown: shown ?? false }
    const watch = (): Promise<Outcome> => actor.subscribe({ session, re: id }, from)
    const outcome = await watch()
    if (invitation === undefined || outcome.ok || outcome.error.code !== 'room_not_found') {
      return outcome
    }
    // Removed, as only another node knew when it was looked at: the invitation lets it in again.
    const joined = await join(actor, request, invitation)
    return joined.ok ? watch() : joined
  }

  #unsubscribe(actor: RoomActor, session: Session): Outcome {
    const { registry } = this.#deps
    const isWatching = registry.watchedBy(session).has(actor)
    actor.unsubscribe(session)
    if (!isWatching) {
      return refuse(maySee(actor.state, session.player.id) ? 'not_subscribed' : 'room_not_found')
    }
    registry.dropped(actor, session)
    return ok({ version: null, isAnnounced: false })
  }

  #actionOf(message: Command): PlayerAction {
    switch (message.type) {
      case 'sit':
        return { type: 'sit', seat: message.seat, invitation: message.invitation ?? null }
      case 'requestSwap':
        return { type: 'requestSwap', seat: message.seat }
      case 'answerSwap':
        return { type: 'answerSwap', swap: message.swap, accept: message.accept }
      case 'setRules':
        return { type: 'setRules', preset: message.preset, options: message.options ?? {} }
      case 'setSpectators':
        return { type: 'setSpectators', spectators: message.spectators }
      case 'removePlayer':
        return { type: 'removePlayer', target: message.player }
      case 'saveDraft':
        return { type: 'saveDraft', formation: message.formation }
      case 'submitFormation': {
        const { formation } = message
        return { type: 'submitFormation', formation, ...this.#deps.chance() }
      }
      case 'move':
        return { type: 'move', turn: message.turn, from: message.from, to: message.to }
      case 'flip':
        return { type: 'flip', turn: message.turn, space: message.space }
      case 'resign':
        return { type: 'resign', turn: message.turn }
      case 'answerDraw':
        return { type: 'answerDraw', offer: message.offer, accept: message.accept }
      case 'start':
        return { type: 'start', ...this.#deps.dealtChance() }
      case 'stand':
      case 'ready':
      case 'notReady':
      case 'leave':
      case 'offerDraw':
        return { type: message.type }
      default:
        return assertNever(message)
    }
  }
}

/** Whether a deadline waits for it, if it came before. */
const isInTurn = (message: RoomMessage): message is Command =>
  'room' in message && message.type !== 'say' && message.type !== 'silence'

/** One reply: none where the entry itself, with `re`, is it. */
function answer(actor: RoomActor, session: Session, message: InRoom, outcome: Outcome): void {
  const { id, room } = message
  if (!outcome.ok) {
    answerRefused(session, id, { ...outcome.error, room, state: actor.shownTo(session.player.id) })
  } else if (!outcome.value.isAnnounced) {
    const made = message.type === 'rematch' ? actor.state.rematch : room
    answerAccepted(session, id, { room: made, version: outcome.value.version })
  }
}

const NOTHING_MADE = { room: null, version: null }

function answerAccepted(
  session: Session,
  re: CommandId,
  { room, version }: { readonly room: RoomId | null; readonly version: number | null },
): void {
  session.send(encodeServerMessage({ type: 'ack', re, room, version }))
}

/** The room's version and turn are told to those who may see the room, and to nobody else. */
function answerRefused(
  session: Session,
  re: CommandId,
  refused: Refusal & { readonly room: RoomId | null; readonly state?: RoomState | null },
): void {
  const { code, message, room, retryAfterMs } = refused
  const state = code === 'room_not_found' ? null : refused.state
  session.send(
    encodeServerMessage({
      type: 'error',
      re,
      code,
      message,
      retryable: ERRORS[code].retryable,
      retryAfterMs,
      room,
      version: state?.version ?? null,
      turn: state?.game?.turn ?? null,
    }),
  )
}

/** Repeating it is harmless by itself: it is not remembered. */
const join = (actor: RoomActor, request: Asking, invitation: Invitation): Promise<Outcome> =>
  actor.submit({ ...request, id: null, session: null, action: { type: 'join', invitation } })
