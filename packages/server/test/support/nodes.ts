import { setImmediate } from 'node:timers/promises'
import type { RoomId } from '@junqi/protocol'
import { FakeClock } from './fake-clock.ts'
import type { FakeSession } from './fake-session.ts'
import { EVE } from './players.ts'
import { type Gathered, RoomTable, seededRng } from './room-table.ts'
import { type SharedNode, SharedStore } from './shared-store.ts'

export type NodeTable = RoomTable<SharedNode>
type Setup = Parameters<RoomTable['gather']>[0]

type NodesSetup = Omit<NonNullable<Parameters<typeof RoomTable.over<SharedNode>>[2]>, 'seed'>

/** Several nodes over one store, each with its own sessions. */
export class Nodes {
  readonly clock: FakeClock
  readonly store: SharedStore
  readonly tables: readonly NodeTable[]

  private constructor(clock: FakeClock, store: SharedStore, tables: readonly NodeTable[]) {
    this.clock = clock
    this.store = store
    this.tables = tables
  }

  static async open(count = 2, setup: NodesSetup = {}): Promise<Nodes> {
    const clock = new FakeClock()
    const store = new SharedStore({ clock, rng: seededRng() })
    const tables: NodeTable[] = []
    for (let n = 0; n < count; n++) {
      tables.push(await RoomTable.over(clock, store.node(), { seed: n + 2, ...setup }))
    }
    return new Nodes(clock, store, tables)
  }

  at(n: number): NodeTable {
    const table = this.tables[n]
    if (table === undefined) throw new Error(`there is no node ${n}`)
    return table
  }

  get faults(): readonly string[] {
    return this.tables.flatMap(({ faults }) => faults)
  }

  get warnings(): readonly string[] {
    return this.tables.flatMap(({ warnings }) => warnings)
  }

  /** Everyone sits, each at the next of so many nodes. */
  gather(setup: Setup = {}, count = this.tables.length): Promise<Gathered> {
    return this.#settled(this.at(0).gather(setup, this.tables.slice(0, count)))
  }

  deploy(setup: Setup = {}, count = this.tables.length): Promise<Gathered> {
    return this.#settled(this.at(0).deploy(setup, this.tables.slice(0, count)))
  }

  play(setup: Setup = {}, count = this.tables.length): Promise<Gathered> {
    return this.#settled(this.at(0).play(setup, this.tables.slice(0, count)))
  }

  /** Eve is being shown a room that nobody watches at node 1: it was read, and the answer is on its way until `arrive`. */
  async showing(
    room: RoomId,
  ): Promise<{ readonly eve: FakeSession; readonly arrive: () => Promise<void> }> {
    const { store } = this.at(1)
    const eve = this.at(1).connect(EVE)
    await this.at(1).do(eve, { type: 'subscribe', room })
    await this.at(1).do(eve, { type: 'unsubscribe', room })
    store.holdAnswers()
    const watching = this.at(1).do(eve, { type: 'subscribe', room })
    await this.settle()
    const arrive = async (): Promise<void> => {
      store.release()
      await watching
      await this.settle()
    }
    return { eve, arrive }
  }

  /** Whatever is under way, hints and reading what they are about, comes to its end. */
  async settle(): Promise<void> {
    for (let n = 0; n < 3; n++) await setImmediate()
  }

  async #settled(gathering: Promise<Gathered>): Promise<Gathered> {
    const gathered = await gathering
    await this.settle()
    return gathered
  }
}
