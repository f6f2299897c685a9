import { invariant } from '@junqi/engine'
import { leaderboardQuery, type Player, playerId } from '@junqi/protocol'
import { MemoryStore } from '../../packages/server/src/adapters/memory/memory-store.ts'
import { Archive } from '../../packages/server/src/archive/archive.ts'
import { archiveConsumer } from '../../packages/server/src/archive/archive-consumer.ts'
import type { Rng, Store } from '../../packages/server/src/ports.ts'
import type { FaultLog } from '../../packages/server/src/room/fault-log.ts'
import { UNOBSERVED } from '../../packages/server/src/room/observer.ts'
import {
  makeRooms,
  type RoomService,
  type ServiceDeps,
} from '../../packages/server/src/room/room-service.ts'
import { ScoreKeeper } from '../../packages/server/src/scores/score-keeper.ts'
import { ScoreReader } from '../../packages/server/src/scores/score-reader.ts'
import type { Session } from '../../packages/server/src/socket/session.ts'
import { FakeClock } from '../../packages/server/test/support/fake-clock.ts'
import { SharedStore } from '../../packages/server/test/support/shared-store.ts'
import type { Bots } from './bots.ts'
import { seededRandom } from './random.ts'
import {
  ACTORS,
  type Actor,
  botLevelOf,
  type Frame,
  type Line,
  type Request,
  type Setting,
  type Site,
} from './site.ts'

/** So long after a deadline a node serves it where others may have something to say (room/sweep-turns.ts). */
const GRACE_MS = 150

/** The account of an actor. */
export function playerOf(actor: Actor, bots: Bots = {}): Player {
  const bot = botLevelOf(actor, bots)
  return {
    id: playerId.parse(`${ACTORS.indexOf(actor)}`.padStart(12, '0')),
    name: actor,
    ...(bot !== undefined && { bot }),
  }
}

/** The real rooms without sockets and HTTP, on a memory store: the fast form, of which there can be many. */
export class RoomsSite implements Site {
  readonly players: ReadonlyMap<Actor, Player>
  readonly #clock: FakeClock
  readonly #nodes: readonly ServiceDeps[]
  readonly #faults: readonly string[]
  #rooms: readonly RoomService[] = []

  private constructor(
    clock: FakeClock,
    {
      nodes,
      faults,
      bots,
    }: { nodes: readonly ServiceDeps[]; faults: readonly string[]; bots: Bots },
  ) {
    this.players = new Map(ACTORS.map((actor) => [actor, playerOf(actor, bots)]))
    this.#clock = clock
    this.#nodes = nodes
    this.#faults = faults
  }

  static async open({ seed, nodes: count, layout, bots }: Setting): Promise<RoomsSite> {
    const [clock, rng] = [new FakeClock(), rngOf(seed)]
    const faults: string[] = []
    const deps: Omit<ServiceDeps, 'store' | 'consumers'> = {
      rng,
      log: faultLog(faults),
      observer: UNOBSERVED,
      newRooms: { perSecond: 1, burst: 1_000 },
      chatRate: { perSecond: 1, burst: 1_000 },
      date: () => clock.now(),
      deal: layout && (() => layout),
    }
    const stores = storesOf({ clock, rng }, count)
    const nodes = stores.map((store) => ({
      ...deps,
      store,
      consumers: [archiveConsumer(store), new ScoreKeeper(store)],
    }))
    const site = new RoomsSite(clock, { nodes, faults, bots })
    for (const player of site.players.values()) {
      await stores[0]?.createPlayer({ ...player, tokenHash: '', createdAt: 0 })
    }
    await site.#start()
    return site
  }

  get graceMs(): number {
    return this.#nodes.length > 1 ? GRACE_MS : 0
  }

  now(): number {
    return this.#clock.now()
  }

  advance(milliseconds: number): Promise<void> {
    return this.#clock.advance(milliseconds)
  }

  async open(actor: Actor, other: number, hear: (frame: Frame) => void): Promise<Line> {
    const { router } = this.#at(this.#rooms, actor, other)
    const player = this.#playerOf(actor)
    const send: Session['send'] = (text) => hear({ text, whole: text })
    const session: Session = { player, send, replay: (frames) => frames.forEach(send) }
    router.open(session)
    return {
      say: async (message) => {
        await router.handle(session, message, this.#clock.now())
        await this.#clock.advance(0)
      },
      close: async () => router.close(session),
    }
  }

  /** Everything that HTTP serves of the room, and the list of rooms. */
  async request(actor: Actor, about: Request): Promise<readonly string[]> {
    const { room, isListed } = about
    const rooms = this.#at(this.#rooms, actor, 0)
    const answers: unknown[] = []
    for (const who of [this.#playerOf(actor), null]) {
      answers.push(await rooms.publicRoom(room, who))
      answers.push(...(await this.#archived(actor, about, who)))
    }
    answers.push(...(await this.#scored(actor)))
    if (isListed) answers.push(await rooms.listRooms())
    return answers.map((answer) => JSON.stringify(answer))
  }

  async restart(): Promise<void> {
    for (const rooms of this.#rooms) await rooms.stop()
    await this.#start()
  }

  check(): void {
    const [fault] = this.#faults
    invariant(fault === undefined, fault ?? '')
  }

  async close(): Promise<void> {
    for (const rooms of this.#rooms) await rooms.stop()
  }

  async #start(): Promise<void> {
    this.#rooms = await Promise.all(this.#nodes.map((deps) => makeRooms(deps)))
    for (const each of this.#rooms) await each.start()
  }

  /** What the archive serves of the room; nothing while the game runs. */
  #archived(
    actor: Actor,
    { room, other }: Request,
    player: Player | null,
  ): Promise<readonly unknown[]> {
    const archive = new Archive(this.#at(this.#nodes, actor, 0), new Uint8Array(32))
    const reader = { player, share: null }
    return Promise.all([
      archive.record(room, reader),
      archive.summary(room, reader),
      archive.jgs(room, reader),
      archive.position(room, { n: 0, as: 'truth' }, reader),
      archive.list({}, player),
      archive.list({ player: other }, player),
      ...(player === null ? [] : [archive.list({ player: player.id }, player)]),
      ...(player === null ? [] : [archive.share(room, player)]),
    ])
  }

  /** Pages of players and lists of the best. */
  #scored(actor: Actor): Promise<readonly unknown[]> {
    const scores = new ScoreReader(this.#at(this.#nodes, actor, 0).store)
    const { id } = this.#playerOf(actor)
    return Promise.all([
      scores.page(id, id),
      scores.page(id, null),
      scores.leaderboard(leaderboardQuery.parse({ by: 'score' })),
      scores.leaderboard(leaderboardQuery.parse({ by: 'rating', preset: 'duel' })),
    ])
  }

  /** Everyone is at another node than the next. */
  #at<Part>(parts: readonly Part[], actor: Actor, other: number): Part {
    const part = parts[(ACTORS.indexOf(actor) + other) % parts.length]
    invariant(part !== undefined, 'there is no node')
    return part
  }

  #playerOf(actor: Actor): Player {
    const player = this.players.get(actor)
    invariant(player !== undefined, `nobody is ${actor}`)
    return player
  }
}

const faultLog = (faults: string[]): FaultLog => ({
  warn: () => {},
  error: (details, message) => faults.push(`${message} ${JSON.stringify(details)}`),
})

function storesOf(
  parts: { readonly clock: FakeClock; readonly rng: Rng },
  count: number,
): readonly Store[] {
  if (count === 1) return [new MemoryStore(parts)]
  const shared = new SharedStore(parts)
  return Array.from({ length: count }, () => shared.node())
}

/** The same bytes and numbers in both runs of a pair, however often either run asks. */
function rngOf(seed: number): Rng {
  const [number, bytes] = [seededRandom(seed)(), seededRandom(seed + 1)]
  return {
    random: () => number,
    bytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(bytes() * 256)),
  }
}
