import type { Acknowledged } from '../support/ledger.ts'
import type { Table } from '../support/table.ts'

/** Whether everyone is connected and plays. */
export const isInPlay = (table: Table): boolean =>
  table.players.every(({ client }) => client.status.state === 'online') && goesOn(table)

/** Once a game is over, clients take their time to come back. */
const goesOn = (table: Table): boolean =>
  table.seen().length === table.players.length &&
  table.seen().every(({ state }) => state.view.phase === 'playing')

/** How long nothing was accepted at each of some tables, while they are watched and their games go on. */
export class Silences {
  readonly #tables: ReadonlyMap<string, Table>
  readonly #since = new Map<Table, number>()
  readonly #longest = new Map<Table, number>()

  constructor(tables: readonly Table[]) {
    this.#tables = new Map(
      tables.flatMap((table) => table.players.map(({ id }) => [id, table] as const)),
    )
    const now = performance.now()
    for (const table of tables) this.#since.set(table, now)
  }

  heard({ player }: Acknowledged): void {
    const table = this.#tables.get(player)
    if (table !== undefined) this.#note(table)
  }

  /** The longest of each table so far, in milliseconds. */
  longest(): readonly number[] {
    for (const table of this.#since.keys()) this.#note(table)
    return [...this.#longest.values()]
  }

  #note(table: Table): void {
    const since = this.#since.get(table)
    if (since === undefined) return
    if (!goesOn(table)) {
      this.#since.delete(table)
      return
    }
    const now = performance.now()
    this.#since.set(table, now)
    this.#longest.set(table, Math.max(now - since, this.#longest.get(table) ?? 0))
  }
}

/** The value that a share of the samples does not exceed; 0: there are none. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}
