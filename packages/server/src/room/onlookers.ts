import { InvariantError } from '@junqi/engine'
import { encodeServerMessage, type Player, player, type RoomId } from '@junqi/protocol'
import { z } from 'zod'
import { type Clock, type NodeStore, StoreUnavailableError } from '../ports.ts'
import type { Session } from '../socket/session.ts'
import type { RoomState } from './room-state.ts'
import { isAtTable, isRunning, looksOn } from './spectating.ts'

/** What changes within that time is told at once. */
const TOGETHER_MS = 500
/** How often the other nodes are told anew, and asked. */
const RENEW_MS = 20_000
/** Names that are shown. */
const MOST_NAMES = 20

const told = z.strictObject({ count: z.number().int().nonnegative(), players: z.array(player) })
type Told = z.infer<typeof told>

const NOBODY: Told = { count: 0, players: [] }

export interface OnlookersDeps {
  readonly store: Pick<NodeStore, 'isShared' | 'shareOnlookers'> & { readonly clock: Clock }
  state(): RoomState
  /** Those who watch the room here. */
  sessions(): readonly Session[]
  /** A fault of ours. */
  fault(error: unknown): void
}

/**
 * Who looks on without a seat, counted and told to all who watch, and in no log (R-ROOM-4). Over several nodes it is about
 * right: who looks on at two of them counts twice, and those of a node that died count for a minute more.
 */
export class Onlookers {
  readonly #room: RoomId
  readonly #deps: OnlookersDeps
  readonly #shown = new WeakSet<Session>()
  #told: Told = NOBODY
  /** Whether those who play were told no names. */
  #isApart = false
  /** What the other nodes were told last; null: nobody looks on here. */
  #shared: string | null = null
  #cancel = (): void => {}
  #isDue = false
  #isEnded = false

  constructor(room: RoomId, deps: OnlookersDeps) {
    this.#room = room
    this.#deps = deps
  }

  /** Those who were told by name last. */
  get shown(): readonly Player[] {
    return this.#told.players
  }

  /** A session watches from now on. */
  greet(session: Session, isShown: boolean): void {
    if (isShown) this.#shown.add(session)
    else this.#shown.delete(session)
    if (this.#told.count > 0) this.#send([session])
    this.changed()
  }

  /** Others may look on than before, here or at another node. */
  changed(): void {
    if (this.#isDue || this.#isEnded) return
    this.#isDue = true
    this.#wakeIn(TOGETHER_MS)
  }

  /** The room leaves memory. Resolves when the other nodes know that nobody looks on here. */
  async end(): Promise<void> {
    this.#isEnded = true
    this.#cancel()
    if (this.#shared !== null) await this.#share(null)
  }

  #wakeIn(milliseconds: number): void {
    const { clock } = this.#deps.store
    this.#cancel()
    this.#cancel = clock.schedule(clock.now() + milliseconds, () => void this.#look())
  }

  async #look(): Promise<void> {
    this.#isDue = false
    const { store, sessions } = this.#deps
    const here = this.#here()
    const others = await this.#share(here.count === 0 ? null : JSON.stringify(here))
    if (this.#isEnded) return
    this.#tell(sumOf([here, ...others]))
    const isWatched = sessions().length > 0
    if (store.isShared && isWatched && !this.#isDue) this.#wakeIn(RENEW_MS)
  }

  async #share(here: string | null): Promise<readonly Told[]> {
    const isNews = here !== this.#shared
    this.#shared = here
    try {
      const others = await this.#deps.store.shareOnlookers(this.#room, here, isNews)
      return others.map(parseTold)
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) this.#deps.fault(error)
      return []
    }
  }

  #here(): Told {
    const state = this.#deps.state()
    const looking = this.#deps.sessions().filter(({ player }) => looksOn(state, player.id))
    const shown = looking.filter((session) => this.#shown.has(session))
    const named = new Map(shown.map(({ player }) => [player.id, player]))
    return {
      count: new Set(looking.map(({ player }) => player.id)).size,
      players: [...named.values()].slice(0, MOST_NAMES),
    }
  }

  #tell(now: Told): void {
    const isApart = isRunning(this.#deps.state())
    const isNews = JSON.stringify(now) !== JSON.stringify(this.#told)
    if (!isNews && isApart === this.#isApart) return
    this.#told = now
    this.#isApart = isApart
    this.#send(this.#deps.sessions())
  }

  /** While the game runs who plays is told how many look on, not their names: a name can be words (R-CHAT-1). */
  #send(sessions: readonly Session[]): void {
    const state = this.#deps.state()
    const named = this.#encode(this.#told)
    const counted = this.#encode({ ...this.#told, players: [] })
    for (const session of sessions) {
      const plays = isRunning(state) && isAtTable(state, session.player.id)
      session.send(plays ? counted : named)
    }
  }

  #encode(told: Told) {
    return encodeServerMessage({ type: 'onlookers', room: this.#room, ...told })
  }
}

function sumOf(all: readonly Told[]): Told {
  const named = new Map(all.flatMap(({ players }) => players.map((each) => [each.id, each])))
  const players = [...named.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    players: players.slice(0, MOST_NAMES),
  }
}

function parseTold(text: string): Told {
  const parsed = told.safeParse(JSON.parse(text))
  if (!parsed.success) throw new InvariantError('who looks on is not of its form')
  return parsed.data
}
