import { isDeepStrictEqual } from 'node:util'
import type { RoomWish } from '@junqi/client'
import { ok } from '@junqi/engine'
import { makePlayer, type Player, type PlayerOptions } from './make-player.ts'
import type { Pace } from './pace.ts'
import { Table } from './table.ts'

/** A table that is wanted: its rooms, and how many sit at it. */
export interface TableWish {
  readonly room: RoomWish
  readonly players: number
  /** How long they think; without it, not at all. */
  readonly pace?: Pace
}

/** Players at many tables, each with a client of its own. */
export class Crowd {
  readonly tables: readonly Table[]

  private constructor(tables: readonly Table[]) {
    this.tables = tables
  }

  static async gather(options: PlayerOptions, wishes: readonly TableWish[]): Promise<Crowd> {
    const tables = wishes.map(async ({ room, players, pace }, number) => {
      const seats = Array.from({ length: players }, (_, seat) =>
        makePlayer(`player ${number}.${seat}`, options),
      )
      return new Table(await Promise.all(seats), room, pace)
    })
    return new Crowd(await Promise.all(tables))
  }

  get players(): readonly Player[] {
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
