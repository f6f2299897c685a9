import { ok, PRESETS, type Result } from '@junqi/engine'
import {
  type ClientMessage,
  type CommandId,
  type Player,
  type PlayerId,
  parseRoomCode,
} from '@junqi/protocol'
import type { QueueRecord, QuotaStore, Rng } from '../ports.ts'
import type { Rate } from '../rate-limit.ts'
import { type Refusal, refuse, tooMany } from '../room/decision.ts'
import { drawId } from '../room/room-ids.ts'
import type { Session } from '../socket/session.ts'
import { QueueLook, type QueueLookDeps } from './queue-look.ts'
import { SeekersHere } from './seekers-here.ts'
import { CANCELLED, statusOf, statusOfTicket } from './status.ts'
import {
  encodeTicket,
  hasPairs,
  parseQueued,
  playersOf,
  type Seeker,
  type Ticket,
} from './ticket.ts'

/** How often one player may ask to wait, or try a code. */
const RATE: Rate = { perSecond: 0.5, burst: 30 }
/** Tickets that wait at a time, about: each look goes through all of them. */
const MOST_TICKETS = 5_000
const IDS = 4
const MATCHED = 'A table was found, and you have a seat at it: say stand or leave in its room.'

type Message<Type extends ClientMessage['type']> = Extract<ClientMessage, { type: Type }>
type Answer = Promise<Result<null, Refusal>>

export interface QuickPlayDeps extends Omit<QueueLookDeps, 'here' | 'store'> {
  readonly store: QueueLookDeps['store'] & Pick<QuotaStore, 'take'>
  readonly rng: Rng
  /** How strong a player is by now in games of this preset. */
  ratingOf(player: PlayerId, preset: Ticket['preset']): Promise<number>
  /** Whether the player may take one seat more. */
  hasPlaceFor(player: Player): Promise<boolean>
}

/** Quick play at one node: takes wishes in, and tells its own players how they stand. All that is known is in the store. */
export class QuickPlay {
  readonly #deps: QuickPlayDeps
  readonly #here = new SeekersHere()
  readonly #look: QueueLook

  constructor(deps: QuickPlayDeps) {
    this.#deps = deps
    this.#look = new QueueLook({ ...deps, here: this.#here })
  }

  start(): Promise<void> {
    return this.#look.start()
  }

  stop(): Promise<void> {
    return this.#look.stop()
  }

  connect(session: Session): void {
    this.#here.connect(session)
  }

  disconnect(session: Session): void {
    this.#here.disconnect(session)
  }

  /** Waits alone, or invites a partner. The same command again changes nothing. */
  async join(player: Player, message: Message<'quickPlay'>): Answer {
    const { store } = this.#deps
    const { preset, bots, rated = true } = message
    if (await this.#isRepeated(player, message.id)) return ok(null)
    if (message.with === 'partner' && !hasPairs(PRESETS[preset])) {
      return refuse('bad_rules', `Nobody has an ally in ${preset}; a pair plays siguo.`)
    }
    const refused = await this.#problemOf(player)
    if (refused !== null) return refused
    const ticket: Omit<Ticket, 'id'> = {
      preset,
      rated,
      seekers: [await this.#seeker(player, preset, message.id)],
      isInviting: message.with === 'partner',
      bots: bots === 'never' ? null : { afterMs: bots.afterSeconds * 1_000, level: bots.level },
      since: store.clock.now(),
    }
    return this.#enqueue(ticket)
  }

  /** Completes the ticket of who made the code. */
  async joinPair(player: Player, { id, code }: Message<'joinPair'>): Answer {
    const { store } = this.#deps
    if (await this.#isRepeated(player, id)) return ok(null)
    const refused = await this.#problemOf(player)
    if (refused !== null) return refused
    const name = parseRoomCode(code)
    const record = name === null ? null : await store.readTicket(name)
    const ticket = record === null ? null : ticketOf(record)
    if (record === null || ticket === null || !ticket.isInviting) return refuse('no_such_pair')
    if (playersOf(ticket).includes(player.id)) {
      return refuse('no_such_pair', 'Nobody is their own partner; give the code to another player.')
    }
    const pair: Ticket = {
      ...ticket,
      seekers: [...ticket.seekers, await this.#seeker(player, ticket.preset, id)],
      isInviting: false,
      since: store.clock.now(),
    }
    const changed = await store.changeTicket(encodeTicket(pair), record.data)
    if (changed === 'gone') return refuse('no_such_pair')
    if (changed === 'waiting') return refuse('already_waiting')
    this.#admitted(pair)
    return ok(null)
  }

  /** Of a pair both wait no longer. */
  async cancel(player: Player): Answer {
    const { store } = this.#deps
    const record = await store.queuedOf(player.id)
    if (record === null) return refuse('not_waiting', 'You wait in no queue.')
    const ticket = ticketOf(record)
    if (ticket === null) return refuse('not_waiting', MATCHED)
    if (!(await store.dequeue(ticket.id))) return refuse('not_waiting')
    for (const each of playersOf(ticket)) this.#here.tell(each, CANCELLED)
    return ok(null)
  }

  /** Tells the player how it stands. */
  async ask({ id }: Player): Promise<void> {
    const queued = await this.#deps.store.queuedOf(id)
    this.#here.tell(id, statusOf(id, queued, this.#look.withoutBots))
  }

  /** Whether the command has led to something already; that is told again. */
  async #isRepeated(player: Player, id: CommandId): Promise<boolean> {
    const record = await this.#deps.store.queuedOf(player.id)
    if (record === null) return false
    const parsed = parseQueued(record)
    const { seekers } = parsed.type === 'ticket' ? parsed.ticket : parsed.match
    const isRepeated = seekers.some((seeker) => {
      return seeker.player.id === player.id && seeker.command === id
    })
    if (isRepeated) {
      this.#here.tell(player.id, statusOf(player.id, record, this.#look.withoutBots))
    }
    return isRepeated
  }

  async #problemOf(player: Player): Promise<{ ok: false; error: Refusal } | null> {
    const waitMs = await this.#deps.store.take('quickPlay', player.id, RATE)
    if (waitMs > 0) return tooMany(waitMs)
    if (this.#look.size >= MOST_TICKETS) return refuse('busy', 'Too many players wait; send again.')
    return (await this.#deps.hasPlaceFor(player)) ? null : refuse('too_many_rooms')
  }

  async #seeker(player: Player, preset: Ticket['preset'], command: CommandId): Promise<Seeker> {
    return { player, rating: await this.#deps.ratingOf(player.id, preset), command }
  }

  async #enqueue(body: Omit<Ticket, 'id'>): Answer {
    for (let n = 0; n < IDS; n++) {
      const ticket = { id: drawId(this.#deps.rng), ...body }
      const queued = await this.#deps.store.enqueue(encodeTicket(ticket))
      if (queued === 'waiting') return refuse('already_waiting')
      if (queued === 'taken') continue
      this.#admitted(ticket)
      return ok(null)
    }
    return refuse('busy')
  }

  #admitted(ticket: Ticket): void {
    for (const player of playersOf(ticket)) this.#here.tell(player, statusOfTicket(player, ticket))
    this.#look.soon()
  }
}

function ticketOf(record: QueueRecord): Ticket | null {
  const parsed = parseQueued(record)
  return parsed.type === 'ticket' ? parsed.ticket : null
}
