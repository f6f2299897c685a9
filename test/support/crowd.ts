import { isDeepStrictEqual } from 'node:util'
import { type Client, connect, createGuest, type RoomWish, systemEnvironment } from '@junqi/client'
import { ok } from '@junqi/engine'
import type { Ledger } from './ledger.ts'
import { ledgerSocket } from './ledger-socket.ts'
import type { Pace } from './pace.ts'
import { seededRandom } from './seeded-random.ts'
import { type Seated, Table } from './table.ts'

/** A table that is wanted: its rooms, and how many sit at it. */
export interface TableWish {
  readonly room: RoomWish
  readonly players: number
  /** How long they think; without it, not at all. */
  readonly pace?: Pace
}

export interface CrowdOptions {
  /** Of the server, or of what stands before several. */
  readonly url: string
  /** Where everything is written down that the players send and are told. */
  readonly ledger: Ledger
  readonly random: () => number
  /** How many times faster the clients' clocks run: their pauses before they come back are shorter by as much. */
  readonly haste?: number
}

/** Players at many tables, each with a client of its own. */
export class Crowd {
  readonly tables: readonly Table[]

  private constructor(tables: readonly Table[]) {
    this.tables = tables
  }

  static async gather(options: CrowdOptions, wishes: readonly TableWish[]): Promise<Crowd> {
    const tables = wishes.map(async ({ room, players, pace }, number) => {
      const seats = Array.from({ length: players }, (_, seat) =>
        makePlayer(`player ${number}.${seat}`, options),
      )
      return new Table(await Promise.all(seats), room, pace)
    })
    return new Crowd(await Promise.all(tables))
  }

  get players(): readonly Seated[] {
    return this.tables.flatMap(({ players }) => players)
  }

  /** Resolves when every last game is over; rejects when a table cannot go on. */
  async play(): Promise<void> {
    await Promise.all(this.tables.map((table) => table.play()))
  }

  /** The games that go on are the last. */
  finish(): void {
    for (const table of this.tables) table.finish()
  }

  /** For good. */
  close(): void {
    for (const { client } of this.players) client.close()
  }

  /** Clients that came back again and again see the end of their games as one that comes new: those that do not. */
  async differing(): Promise<readonly string[]> {
    const differing: string[] = []
    for (const { room, players } of this.tables) {
      for (const { id, client } of players) {
        const handle = room === null ? null : client.room(room)
        if (handle?.view?.phase !== 'finished') continue
        handle.close()
        const fresh = await client.room(handle.id).opened()
        if (!isDeepStrictEqual(fresh, ok(handle.state))) differing.push(`${handle.id} to ${id}`)
      }
    }
    return differing
  }
}

async function makePlayer(name: string, options: CrowdOptions): Promise<Seated> {
  const { url, ledger, haste = 1 } = options
  const random = seededRandom(Math.floor(options.random() * 2 ** 32))
  const made = await createGuest(url, name)
  if (!made.ok) throw new Error(made.error.message)
  const { id, token } = made.value
  const client: Client = connect({
    url,
    token,
    clientName: 'crowd',
    WebSocket: ledgerSocket(ledger, id),
    random,
    ...hurried(haste),
  })
  return { id, token, client, random }
}

/** The clients' clock, so many times as fast as it is. */
const hurried = (haste: number) => ({
  now: () => systemEnvironment.now() * haste,
  schedule: (task: () => void, delayMs: number) =>
    systemEnvironment.schedule(task, delayMs / haste),
})
