import { isDeepStrictEqual } from 'node:util'
import { evolveRoom, type RoomState, roomOfSnapshot } from '@junqi/client'
import { invariant, isSeat } from '@junqi/engine'
import type { PlayerId, ServerMessage, ViewedEvent } from '@junqi/protocol'
import { below, chance, pick, type Random } from '../non-interference/random.ts'
import { playerOf } from '../non-interference/rooms-site.ts'
import type { Actor } from '../non-interference/site.ts'
import { decoded, type Table, type Watch } from '../non-interference/table.ts'

/** What was compared. */
export interface Compared {
  /** Clients that came back. */
  readonly resumed: number
  /** Of them those of seats that were out. */
  readonly eliminated: number
  readonly versions: number
  /** What happened in the room, by the types of its events and the reasons that they name. */
  readonly happened: ReadonlySet<string>
}

/** A client that came back and sees another room than one that never went. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch'
}

/** So far back come most clients: the server may have these versions at hand. */
const RECENT = 40

/**
 * Keeps, for each actor, what a client knows that was there all along, at every version; and after
 * every command lets some of them come back by another connection, from a version or from none; at
 * the end, and once more from a restored room, everyone from every version that there was.
 */
export class Witnesses implements Watch {
  /** What each actor's client knew last at each version. */
  readonly #known = new Map<Actor, Map<number, RoomState>>()
  readonly #states = new Map<Actor, RoomState>()
  readonly #random: Random
  readonly #often: number
  readonly #happened = new Set<string>()
  #resumed = 0
  #eliminated = 0
  #wasOver = false

  constructor(random: Random, often: number) {
    this.#random = random
    this.#often = often
  }

  get compared(): Compared {
    return {
      resumed: this.#resumed,
      eliminated: this.#eliminated,
      versions: this.#states.get('spectator')?.version ?? 0,
      happened: this.#happened,
    }
  }

  notice(actor: Actor, frame: string): void {
    const message = decoded(frame)
    if (message.type === 'event') this.#note(message.events)
    const before = this.#states.get(actor) ?? null
    const state = received(before, message, playerOf(actor).id)
    if (state === null) return
    this.#states.set(actor, state)
    const known = this.#known.get(actor) ?? new Map<number, RoomState>()
    this.#known.set(actor, known.set(state.version, state))
  }

  async settled(table: Table): Promise<void> {
    const present = this.#present(table)
    for (let n = 0; n < this.#often; n++) {
      const chosen = pick(this.#random, present)
      if (chosen === undefined) return
      const [actor, { version }] = chosen
      const back = below(this.#random, chance(this.#random, 0.5) ? RECENT : version + 1)
      const since = chance(this.#random, 0.2) ? null : Math.max(0, version - back)
      await this.#compare(table, actor, since)
    }
    const isOver = this.#states.get('spectator')?.view.phase === 'finished'
    if (isOver && !this.#wasOver) await this.#resumeFromAll(table)
    this.#wasOver = isOver
  }

  async closing(table: Table): Promise<void> {
    await this.#resumeFromAll(table)
  }

  #note(events: readonly ViewedEvent[]): void {
    for (const event of events) {
      this.#happened.add(event.type)
      if ('reason' in event) this.#happened.add(event.reason)
    }
  }

  /** Lets every actor come back from every version that there was. */
  async #resumeFromAll(table: Table): Promise<void> {
    for (const [actor, { version }] of this.#present(table)) {
      for (let since = 0; since <= version; since++) await this.#compare(table, actor, since)
    }
  }

  #present(table: Table): readonly (readonly [Actor, RoomState])[] {
    return [...this.#states].filter(([actor]) => table.isWatching(actor))
  }

  async #compare(table: Table, actor: Actor, since: number | null): Promise<void> {
    const start = since === null ? null : (this.#known.get(actor)?.get(since) ?? null)
    const frames = await table.look(actor, start && since)
    const me = playerOf(actor).id
    const resumed = frames.reduce<RoomState | null>(
      (state, frame) => received(state, decoded(frame), me),
      start,
    )
    const state = this.#states.get(actor)
    this.#resumed += 1
    if (isSeat(actor) && state?.view.game?.seats[actor]?.out) this.#eliminated += 1
    if (isDeepStrictEqual(resumed, state)) return
    throw new Mismatch(
      `the ${actor}, back from version ${since}: ${firstDifference(resumed, state)}`,
    )
  }
}

/** A client without a socket: what it knows of the room after one more frame. */
function received(state: RoomState | null, message: ServerMessage, me: PlayerId): RoomState | null {
  switch (message.type) {
    case 'snapshot':
      return roomOfSnapshot(message)
    case 'event': {
      if (state === null || message.version <= state.version) return state
      invariant(message.version === state.version + 1, `a gap before version ${message.version}`)
      return evolveRoom(state, message, me)
    }
    case 'presence':
    case 'draft':
      return state && evolveRoom(state, message, me)
    default:
      return state
  }
}

/** Where two values differ first, for a person to read. */
function firstDifference(one: unknown, other: unknown, path = ''): string {
  if (!isObject(one) || !isObject(other)) {
    return `${path}: ${JSON.stringify(one)} instead of ${JSON.stringify(other)}`
  }
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  const key = [...keys].find((k) => !isDeepStrictEqual(one[k], other[k]))
  return key === undefined ? path : firstDifference(one[key], other[key], `${path}.${key}`)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
